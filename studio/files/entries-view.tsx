import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";
import type { File } from "../../client/src/index.ts";
import { classes } from "../ui/classes.ts";
import { ContextMenu } from "../ui/menu.tsx";
import { useUploadVisibility } from "../uploads/chosen-visibility.ts";
import { useClipboard } from "./clipboard.ts";
import { ColumnHeads } from "./column-heads.tsx";
import type { Choice } from "./choice.ts";
import type { FolderActions } from "./folder-actions.ts";
import { useDropTarget } from "./drag.ts";
import { DropHere } from "./drop-here.tsx";
import { type EntryProps, EntryRow } from "./entry-row.tsx";
import { EntryTile } from "./entry-tile.tsx";
import type { Folder } from "./folder.ts";
import { useKeyboard } from "./keyboard.ts";
import { itemsOf } from "./menu-items.tsx";
import type { Order } from "./order.ts";
import { useRubberBand } from "./rubber-band.tsx";
import { useShape } from "./shape.ts";
import { fileTexts as t } from "./texts.ts";
import { usePointer } from "./touch.ts";

type Props = {
  actions: FolderActions;
  isGrid: boolean;
  order: Order;
  onOrder: (order: Order) => void;
  selectAll: () => void;
};

/** How far each directory was scrolled, for those who come back. */
const offsets = new Map<string, number>();

/** The entries of a directory as a list or a grid. Only those in sight are in the page. */
export function EntriesView({ actions, isGrid, order, onOrder, selectAll }: Props) {
  const { folder, choice, drops, renamingID } = actions;
  const { entries, isComplete } = folder;
  const scroller = useRef<HTMLDivElement>(null);
  const clipboard = useClipboard();
  // The menu shows it.
  useUploadVisibility();
  const shape = useShape(scroller, isGrid);
  const { columns, rowHeight } = shape;
  const active = Math.max(0, choice.active);
  const rows = useVirtualizer({
    count: Math.ceil(entries.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    initialOffset: () => offsets.get(folder.path) ?? 0,
    overscan: 8,
    // The entry that has the focus stays in the page, so that the keyboard goes on from there.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.floor(active / columns)])].toSorted((a, b) => a - b),
  });
  useEffect(() => rows.measure(), [rows, rowHeight, columns]);

  const shown = rows.getVirtualItems();
  const lastShown = rows.range?.endIndex ?? 0;
  useEffect(() => {
    if ((lastShown + 30) * columns > entries.length) folder.loadMore();
  }, [lastShown, columns, entries.length, folder]);

  const goTo = useFocus(scroller, choice.active, (index) => rows.scrollToIndex(Math.floor(index / columns)));
  const rowsShown = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
  const onKeyDown = useKeyboard({ actions, shape, rowsShown, selectAll, goTo });
  const { onPointerDown, ...pointer } = usePointer(actions);
  const band = useRubberBand({ scroller, shape, folder, choice });
  const { isOver, hasFiles, handlers } = useDropTarget(folder.path, drops);
  const followEnd = useEnd({ folder, choice, goTo });

  // What gets a name has to be in sight: a new folder can be far from where one is.
  const renaming = renamingID === null ? -1 : choice.indexOf(renamingID);
  useEffect(() => {
    if (renaming < 0) return;
    choice.select(renaming);
    rows.scrollToIndex(Math.floor(renaming / columns));
    // Only when it begins.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [renaming]);

  const { selected } = choice;
  const dragWith = useCallback(
    (entry: File) => (selected.some(({ id }) => id === entry.id) ? selected : [entry]),
    [selected],
  );
  const endRename = useCallback(() => actions.rename(null), [actions]);
  const propsOf = (index: number): EntryProps | null => {
    const entry = entries[index];
    return (
      (entry && {
        entry,
        index,
        isSelected: choice.ids.has(entry.id),
        isActive: index === active,
        isCut: clipboard?.isCut === true && clipboard.ids.has(entry.id),
        isRenaming: entry.id === renamingID,
        isNarrow: shape.isNarrow,
        isInPrivate: folder.isPrivate,
        drops,
        dragWith,
        endRename,
      }) ??
      null
    );
  };

  return (
    <ContextMenu items={() => itemsOf(actions, clipboard)}>
      <div
        role="grid"
        aria-label={t.entries}
        aria-multiselectable="true"
        aria-rowcount={isComplete ? Math.ceil(entries.length / columns) + (isGrid ? 0 : 1) : -1}
        aria-busy={!isComplete}
        className="relative flex min-h-0 flex-1 flex-col"
        onKeyDown={(event) => {
          followEnd(event.key === "End" && !isComplete);
          onKeyDown(event);
        }}
        onPointerDown={(event) => {
          followEnd(false);
          onPointerDown(event);
          band.start(event);
          // A finger that stays selects: the menu would open as well.
          if (event.pointerType !== "mouse") event.preventDefault();
        }}
        {...pointer}
        {...handlers}
      >
        {!isGrid && !shape.isNarrow && <ColumnHeads order={order} onOrder={onOrder} />}
        <div
          ref={scroller}
          role="rowgroup"
          onScroll={({ currentTarget }) => offsets.set(folder.path, currentTarget.scrollTop)}
          className={classes(
            "relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain",
            isOver && "rounded-card ring-2 ring-accent ring-inset",
          )}
        >
          <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
            {shown.map(({ index: row, start }) => {
              if (!isGrid) {
                const props = propsOf(row);
                return props && <EntryRow key={props.entry.id} {...props} top={start} height={rowHeight} />;
              }
              return (
                <div
                  key={row}
                  role="row"
                  aria-rowindex={row + 1}
                  className="absolute inset-x-0 top-0 flex"
                  style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                >
                  {Array.from({ length: columns }, (_, column) => propsOf(row * columns + column)).map(
                    (props) => props && <EntryTile key={props.entry.id} {...props} width={shape.columnWidth} />,
                  )}
                </div>
              );
            })}
            {band.box}
          </div>
        </div>
        {hasFiles && <DropHere folder={folder} drops={drops} />}
      </div>
    </ContextMenu>
  );
}

/** Returns what brings an entry into sight and gives it the focus once it is in the page. */
function useFocus(
  scroller: React.RefObject<HTMLElement | null>,
  active: number,
  scrollTo: (index: number) => void,
): (index: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null || wanted.current !== active) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    element?.focus({ preventScroll: true });
    if (element) wanted.current = null;
  });
  return (index) => {
    wanted.current = index;
    scrollTo(index);
  };
}

type Ending = { folder: Folder; choice: Choice; goTo: (index: number) => void };

/** After the key End, the focus follows the last entry while the rest is loaded, until another key is pressed. */
function useEnd({ folder: { entries, isComplete }, choice, goTo }: Ending) {
  const isFollowing = useRef(false);
  const last = entries.length - 1;
  useEffect(() => {
    if (!isFollowing.current || choice.active === last) return;
    choice.select(last);
    goTo(last);
    if (isComplete) isFollowing.current = false;
  }, [last, isComplete, choice, goTo]);
  return (isEnd: boolean) => void (isFollowing.current = isEnd);
}
