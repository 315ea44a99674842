import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ListChecks, RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TrashEntry } from "../../client/src/index.ts";
import { useCommands } from "../lib/commands.ts";
import { type ShownKind, shownKinds } from "../lib/kinds.ts";
import { useMe } from "../lib/me.ts";
import { useSelection } from "../lib/selection.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { BarAction, SelectionBar } from "../ui/selection-bar.tsx";
import { emptyTrash, handleEntries, useTrash } from "./entries.ts";
import { trashTexts as t } from "./texts.ts";
import { TrashLine } from "./trash-line.tsx";

const choices = ["all", "photo", "album", "post", "page", "file", "comment"] as const satisfies (ShownKind | "all")[];

/** What was deleted, to restore it or to delete it permanently. */
export function TrashScreen() {
  const me = useMe();
  const [kind, setKind] = useState<ShownKind | "all">("all");
  const [isSelectingAll, setIsSelectingAll] = useState(false);
  const { query, entries, isEmpty, loadMore } = useTrash(kind, isSelectingAll);
  const selection = useSelection<number>(() => entries.map(({ id }) => id));
  const selected = entries.filter(({ id }) => selection.has(id));
  const [leaving, setLeaving] = useState<readonly TrashEntry[] | "all" | null>(null);
  const handle = (action: "restore" | "delete", some: readonly TrashEntry[]) => {
    selection.remove(some.map(({ id }) => id));
    void handleEntries(action, some);
  };
  useEffect(() => {
    if (!isSelectingAll) return;
    selection.add(entries.map(({ id }) => id));
    if (!query.hasNextPage) setIsSelectingAll(false);
    // Again when more is loaded.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isSelectingAll, entries, query.hasNextPage]);
  useCommands(isEmpty ? [] : [{ label: t.empty, group: t.title, run: () => setLeaving("all") }]);

  const isSelecting = selected.length > 0;
  const actions = !isEmpty && !isSelecting && (
    <>
      <select
        aria-label={t.filter}
        className="control"
        value={kind}
        onChange={({ target }) => setKind(choices.find((one) => one === target.value) ?? "all")}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {one === "all" ? t.all : shownKinds[one].many}
          </option>
        ))}
      </select>
      <Button
        variant="quiet"
        icon={<ListChecks />}
        aria-label={words.selectAll}
        className="max-md:!px-3"
        onClick={() => setIsSelectingAll(true)}
      >
        <span className="max-md:hidden">{words.selectAll}</span>
      </Button>
      <Button
        variant="danger"
        icon={<Trash2 />}
        aria-label={t.empty}
        className="max-md:!px-3"
        onClick={() => setLeaving("all")}
      >
        <span className="max-md:hidden">{t.empty}</span>
      </Button>
    </>
  );

  return (
    <Screen title={t.title} about={<span className="max-md:hidden">{t.about}</span>} actions={actions}>
      {isSelecting && (
        <SelectionBar
          text={words.selected(selected.length)}
          clearLabel={words.clearSelection}
          onClear={() => selection.clear()}
        >
          <BarAction icon={<RotateCcw />} word={words.restore} onClick={() => handle("restore", selected)} />
          <BarAction
            icon={<Trash2 />}
            word={t.deleteForGood}
            className="!text-danger"
            onClick={() => setLeaving(selected)}
          />
        </SelectionBar>
      )}
      <Result of={query}>
        {() =>
          isEmpty ? (
            <Empty icon={<Trash2 />} title={t.emptyTitle}>
              {t.emptyText}
            </Empty>
          ) : entries.length === 0 && !query.hasNextPage ? (
            <Empty title={t.noneTitle}>{t.noneText}</Empty>
          ) : (
            <Lines
              entries={entries}
              hasMore={query.hasNextPage}
              loadMore={loadMore}
              isSelected={selection.has}
              onSelect={selection.toggle}
              onRestore={(entry) => handle("restore", [entry])}
              onDelete={(entry) => setLeaving([entry])}
            />
          )
        }
      </Result>
      {leaving && (
        <Dialog
          title={leaving === "all" ? t.askEmpty : t.askDelete(leaving.length)}
          onClose={() => setLeaving(null)}
          onSubmit={() => {
            setLeaving(null);
            if (leaving === "all") void emptyTrash(me.id);
            else handle("delete", leaving);
          }}
          submit={{ label: t.deleteForGood, isDanger: true }}
        >
          {leaving === "all" ? t.askEmptyText : t.askText}
        </Dialog>
      )}
    </Screen>
  );
}

type LinesProps = {
  entries: readonly TrashEntry[];
  hasMore: boolean;
  loadMore: () => void;
  isSelected: (id: number) => boolean;
  onSelect: (id: number, isRange: boolean) => void;
  onRestore: (entry: TrashEntry) => void;
  onDelete: (entry: TrashEntry) => void;
};

const lineHeight = 64;

/** Only the lines in sight are in the page. */
function Lines({ entries, hasMore, loadMore, isSelected, onSelect, onRestore, onDelete }: LinesProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const lines = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => lineHeight,
    overscan: 10,
    scrollMargin: top,
  });
  const shown = lines.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > entries.length - 40) loadMore();
  }, [last, entries.length, hasMore, loadMore]);
  return (
    <>
      <ul
        ref={list}
        className="relative overflow-clip rounded-card border border-line bg-surface"
        style={{ height: lines.getTotalSize() }}
      >
        {shown.map(({ index, start }) => {
          const entry = entries[index] as TrashEntry;
          return (
            <TrashLine
              key={entry.id}
              entry={entry}
              index={index}
              style={{ height: lineHeight, transform: `translateY(${start - top}px)` }}
              isSelected={isSelected(entry.id)}
              onSelect={(isRange) => onSelect(entry.id, isRange)}
              onRestore={() => onRestore(entry)}
              onDelete={() => onDelete(entry)}
            />
          );
        })}
      </ul>
      {hasMore && <p className="py-4 text-center text-soft">{t.more}</p>}
    </>
  );
}
