import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { type Drops, useDropTarget } from "./drag.ts";
import { entriesQuery } from "./folder.ts";
import { isWithin, joinPath, nameOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

type Props = {
  /** The directory that is open or chosen. */
  path: string;
  onOpen: (path: string) => void;
  drops?: Drops;
};

/** The directories, as far as they are opened. Children are loaded then. */
export function Tree({ path, onOpen, drops }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(["/", path]));
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => setOpened((current) => new Set([...current, ...ancestorsOf(path)])), [path]);
  const toggle = (one: string, isOpen: boolean) =>
    setOpened((current) => {
      const next = new Set(current);
      if (isOpen) next.add(one);
      else next.delete(one);
      return next;
    });
  const shared = {
    current: path,
    focused: focused ?? path,
    opened,
    toggle,
    onOpen,
    setFocused,
    drops: drops ?? noDrops,
  };
  return (
    <ul
      role="tree"
      aria-label={t.folders}
      className="flex flex-col gap-px"
      onKeyDown={(event) => step(event, opened, toggle)}
    >
      <Branch path="/" level={1} {...shared} />
    </ul>
  );
}

const noDrops: Drops = { onEntries() {}, onFiles() {} };

const ancestorsOf = (path: string): string[] => {
  const parts = path.split("/").filter(Boolean);
  return parts.map((_, index) => joinPath("/", ...parts.slice(0, index)));
};

type BranchProps = {
  path: string;
  level: number;
  current: string;
  focused: string;
  opened: ReadonlySet<string>;
  toggle: (path: string, isOpen: boolean) => void;
  onOpen: (path: string) => void;
  setFocused: (path: string) => void;
  drops: Drops;
};

function Branch({ path, level, ...shared }: BranchProps) {
  const { current, focused, opened, toggle, onOpen, setFocused, drops } = shared;
  const isOpened = opened.has(path);
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({ ...entriesQuery(path), enabled: isOpened });
  const { isOver, handlers } = useDropTarget(path, drops);
  const { children, isAll } = useMemo(() => directoriesOf(data?.pages ?? []), [data]);
  const mayHaveMore = hasNextPage && isAll;
  const isLeaf = data !== undefined && children.length === 0 && path !== "/";
  const isCurrent = path === current;
  // If the focused one is not shown, the first can be reached.
  const canFocus = path === focused || (path === "/" && !isShown(focused, opened));
  const Icon = isOpened && !isLeaf ? FolderOpen : Folder;

  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={isCurrent}
        aria-expanded={isLeaf ? undefined : isOpened}
        aria-label={nameOf(path) || words.files}
        tabIndex={canFocus ? 0 : -1}
        data-path={path}
        {...handlers}
        onFocus={() => setFocused(path)}
        onClick={() => onOpen(path)}
        style={{ paddingLeft: `${(level - 1) * 0.9}rem` }}
        className={classes(
          "flex min-h-8 cursor-default items-center gap-1 rounded-control pr-2 outline-offset-[-2px] pointer-coarse:min-h-11",
          isCurrent ? "bg-tint font-medium" : "hover:bg-tint",
          isOver && "ring-2 ring-accent ring-inset",
        )}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className={classes("grid size-6 shrink-0 place-items-center pointer-coarse:size-10", isLeaf && "invisible")}
          onClick={(event) => {
            event.stopPropagation();
            toggle(path, !isOpened);
          }}
        >
          <ChevronRight className={classes("size-4 text-soft transition-transform", isOpened && "rotate-90")} />
        </button>
        <Icon aria-hidden="true" className="size-4 shrink-0 text-accent" />
        <span className="truncate pl-1">{nameOf(path) || words.files}</span>
      </div>
      {isOpened && children.length > 0 && (
        <ul role="group" className="flex flex-col gap-px">
          {children.map(({ id, name }) => (
            <Branch key={id} path={joinPath(path, name)} level={level + 1} {...shared} />
          ))}
          {mayHaveMore && (
            <li role="none">
              <button
                type="button"
                role="treeitem"
                aria-level={level + 1}
                tabIndex={-1}
                className="min-h-8 px-3 text-sm text-accent underline"
                style={{ marginLeft: `${level * 0.9}rem` }}
                onClick={() => void fetchNextPage()}
              >
                {t.moreFolders}
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

/** Directories come first. `isAll`: there are only directories, as far as entries are loaded. */
function directoriesOf(pages: readonly { items: File[] }[]): { children: File[]; isAll: boolean } {
  const children: File[] = [];
  for (const { items } of pages) {
    for (const entry of items) {
      if (!entry.isDirectory) return { children, isAll: false };
      children.push(entry);
    }
  }
  return { children, isAll: true };
}

const isShown = (path: string, opened: ReadonlySet<string>): boolean =>
  ancestorsOf(path).every((ancestor) => opened.has(ancestor));

/** The keys of a tree: arrows, Home and End, and Enter. */
function step(event: KeyboardEvent<HTMLElement>, opened: ReadonlySet<string>, toggle: BranchProps["toggle"]): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const item = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
  if (!item) return;
  const path = item.dataset.path ?? "/";
  const at = items.indexOf(item);
  const isOpened = opened.has(path) && item.hasAttribute("aria-expanded");
  const parent = items.findLast((one, index) => {
    const above = one.dataset.path ?? "/";
    return index < at && above !== path && isWithin(path, above);
  });
  if (event.key === "ArrowDown") items[at + 1]?.focus();
  else if (event.key === "ArrowUp") items[at - 1]?.focus();
  else if (event.key === "Home") items[0]?.focus();
  else if (event.key === "End") items.at(-1)?.focus();
  else if (event.key === "Enter" || event.key === " ") item.click();
  else if (event.key === "ArrowRight" && !isOpened) toggle(path, true);
  else if (event.key === "ArrowRight") items[at + 1]?.focus();
  else if (event.key === "ArrowLeft" && isOpened) toggle(path, false);
  else if (event.key === "ArrowLeft") parent?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
