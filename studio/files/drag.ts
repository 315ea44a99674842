import { type DragEvent, useEffect, useState } from "react";
import { downloadURL } from "../download/download.ts";
import type { File } from "../../client/src/index.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { fileTexts as t } from "./texts.ts";

/** Marks a drag of entries, so that it is not taken for files from outside. */
const type = "application/x-vitrine-files";

/** While a drag lasts, a page cannot read what is dragged. */
let dragged: readonly File[] = [];

export function startDrag({ dataTransfer }: DragEvent, entries: readonly File[]): void {
  dragged = entries;
  dataTransfer.setData(type, "");
  dataTransfer.effectAllowed = "copyMove";
  if (entries.length > 1) dataTransfer.setDragImage(createCount(entries.length), -12, -8);
  const [only] = entries;
  if (!only) return;
  const name = only.isDirectory ? `${only.name}.zip` : only.name;
  const url = new URL(downloadURL(only), location.href).href;
  // Chromium saves one file that is dropped on the desktop. The type comes first, the name second.
  if (entries.length === 1) {
    dataTransfer.setData("DownloadURL", `${only.contentType ?? "application/zip"}:${name.replaceAll(":", "_")}:${url}`);
  }
}

/** How many entries are dragged, beside the pointer. */
function createCount(count: number): HTMLElement {
  const element = document.createElement("div");
  element.textContent = t.items(count);
  element.className = "fixed -top-20 rounded-control bg-accent px-3 py-1 text-on-accent";
  document.body.append(element);
  // The browser has taken its picture by then.
  setTimeout(() => element.remove());
  return element;
}

export const endDrag = (): void => void (dragged = []);

const isInner = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(type);
const isOuter = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.includes("Files") && !dataTransfer.types.includes(type);

export type Drops = {
  /** Entries of the studio; a copy with Ctrl or Alt. */
  onEntries: (entries: readonly File[], to: string, isCopy: boolean) => void;
  /** Files from the desktop. */
  onFiles: (data: DataTransfer, to: string, visibility?: Visibility) => void;
};

/** The handlers of a directory onto which things are dropped. `path` is null for what is none. */
export function useDropTarget(path: string | null, { onEntries, onFiles }: Drops) {
  const [depth, setDepth] = useState(0);
  const accepts = (event: DragEvent) => path !== null && (isInner(event) || isOuter(event));
  const isOver = depth > 0;
  const [hasOuter, setHasOuter] = useState(false);
  // The list around an entry does not notice what is dropped on the entry, and a drag may end elsewhere.
  useEffect(() => {
    if (!isOver) return;
    // A moment later: what appears during the drag has to take the drop first.
    const end = () => setTimeout(() => setDepth(0));
    for (const type of ["drop", "dragend"]) addEventListener(type, end, true);
    return () => {
      for (const type of ["drop", "dragend"]) removeEventListener(type, end, true);
    };
  }, [isOver]);
  return {
    isOver,
    /** Files from the desktop are over it. */
    hasFiles: isOver && hasOuter,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (!accepts(event)) return;
        setDepth((current) => current + 1);
        setHasOuter(isOuter(event));
      },
      onDragLeave: (event: DragEvent) => {
        if (accepts(event)) setDepth((current) => Math.max(0, current - 1));
      },
      onDragOver: (event: DragEvent) => {
        if (!accepts(event)) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = isOuter(event) || isCopy(event) ? "copy" : "move";
      },
      onDrop: (event: DragEvent) => {
        setDepth(0);
        if (path === null || !accepts(event) || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        if (isInner(event)) onEntries(dragged, path, isCopy(event));
        else onFiles(event.dataTransfer, path);
      },
    },
  };
}

const isCopy = ({ ctrlKey, altKey }: DragEvent): boolean => ctrlKey || altKey;
