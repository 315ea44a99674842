import { EllipsisVertical } from "lucide-react";
import { memo, type DragEvent } from "react";
import type { File } from "../../client/src/index.ts";
import { formatBytes, formatDay, formatTime } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { VisibilityMark, visibilityTexts } from "../ui/visibility-mark.tsx";
import { type Drops, endDrag, startDrag, useDropTarget } from "./drag.ts";
import { describeKind, KindIcon } from "./kinds.tsx";
import { pathOf } from "./paths.ts";
import { RenameField } from "./rename-field.tsx";
import { fileTexts as t } from "./texts.ts";
import { Thumbnail } from "./thumbnail.tsx";

export type EntryProps = {
  entry: File;
  index: number;
  isSelected: boolean;
  /** Whether the keyboard is on it. */
  isActive: boolean;
  isCut: boolean;
  isRenaming: boolean;
  isNarrow: boolean;
  /** Whether its directory is private. */
  isInPrivate: boolean;
  drops: Drops;
  /** What a drag of this entry takes along. */
  dragWith: (entry: File) => readonly File[];
  endRename: () => void;
};

/** The columns of a list; the heads use the same. */
export const columnsClass = "grid grid-cols-[minmax(0,1fr)_8.5rem_9rem_5.5rem_2.5rem] items-center gap-3";

/** One line of a list. */
export const EntryRow = memo(function EntryRow(props: EntryProps & { top: number; height: number }) {
  const { entry, index, isSelected, isActive, isCut, isNarrow, top, height } = props;
  const { isOver, handlers } = useDropTarget(entry.isDirectory ? pathOf(entry) : null, props.drops);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      style={{ height, transform: `translateY(${top}px)` }}
      {...handlers}
      className={classes(
        "absolute inset-x-0 top-0 rounded-control px-2 outline-offset-[-2px] select-none",
        isNarrow ? "grid grid-cols-[minmax(0,1fr)_2.75rem] items-center gap-2" : columnsClass,
        isSelected ? "bg-accent/12" : "hover:bg-tint",
        isOver && "ring-2 ring-accent ring-inset",
        isCut && "opacity-60",
      )}
    >
      <Name {...props} />
      {!isNarrow && (
        <>
          <span role="gridcell" className="truncate text-sm text-soft" title={formatTime(entry.updatedAt)}>
            <time dateTime={entry.updatedAt}>{formatDay(entry.updatedAt)}</time>
          </span>
          <span role="gridcell" className="truncate text-sm text-soft">
            {describeKind(entry)}
          </span>
          <span role="gridcell" className="truncate text-right text-sm text-soft tabular-nums">
            {entry.isDirectory ? "–" : formatBytes(entry.size)}
          </span>
        </>
      )}
      <span role="gridcell" className="flex justify-end">
        <MoreButton entry={entry} />
      </span>
    </div>
  );
});

function Name({ entry, isNarrow, isInPrivate, isRenaming, dragWith, endRename }: EntryProps) {
  return (
    <span role="gridcell" className="flex min-w-0 items-center gap-3">
      <span
        {...dragOf(entry, isRenaming, dragWith)}
        className={classes("flex min-w-0 items-center gap-3", isRenaming && "flex-1")}
      >
        <Thumbnail entry={entry} className="size-6" icon={<KindIcon file={entry} className="size-5" />} />
        {isRenaming ? (
          <RenameField entry={entry} onEnd={endRename} />
        ) : (
          <span className="min-w-0">
            <span className="flex items-center gap-1.5">
              <span className="truncate">{entry.name}</span>
              <EntryMark entry={entry} isInPrivate={isInPrivate} />
            </span>
            {isNarrow && (
              <span className="block truncate text-sm text-soft">
                {entry.isDirectory ? t.kinds.folder : formatBytes(entry.size)} · {formatDay(entry.updatedAt)}
              </span>
            )}
          </span>
        )}
      </span>
    </span>
  );
}

export function dragOf(entry: File, isRenaming: boolean, dragWith: EntryProps["dragWith"]) {
  return {
    draggable: !isRenaming,
    onDragStart: (event: DragEvent) => startDrag(event, dragWith(entry)),
    onDragEnd: endDrag,
  };
}

/** What is in a private directory is private, whatever its own setting. */
export const EntryMark = ({ entry, isInPrivate }: Pick<EntryProps, "entry" | "isInPrivate">) => (
  <VisibilityMark
    visibility={isInPrivate ? "private" : entry.visibility}
    label={isInPrivate ? visibilityTexts.byFolder : undefined}
  />
);

/** Opens the menu of the entry, as a right click does. */
export function MoreButton({ entry, className }: { entry: File; className?: string }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={words.actionsFor(entry.name)}
      title={words.more}
      className={classes(
        "grid size-8 place-items-center rounded-control text-soft hover:bg-tint hover:text-ink pointer-coarse:size-11",
        className,
      )}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        const where = { bubbles: true, cancelable: true, clientX: left, clientY: bottom };
        currentTarget.dispatchEvent(new MouseEvent("contextmenu", where));
      }}
    >
      <EllipsisVertical aria-hidden="true" className="size-4" />
    </button>
  );
}
