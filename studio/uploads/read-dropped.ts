import { isWanted, toChosen } from "./choose-files.ts";
import type { ChosenFile } from "./upload.ts";

export const hasFiles = (event: { dataTransfer: DataTransfer | null }): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** The files that were dropped, with those in folders. Call it in the event: later the browser has forgotten them. */
export async function readDropped({ items }: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...items]
    .filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const chosen: ChosenFile[] = [];
  for (const entry of entries) {
    if (entry instanceof File) chosen.push({ file: entry });
    else if (entry) await readEntry(entry, chosen);
  }
  return chosen;
}

async function readEntry(entry: FileSystemEntry, chosen: ChosenFile[]): Promise<void> {
  if (!isWanted(entry)) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    chosen.push(toChosen(file, entry.fullPath.slice(1)));
  } else if (isDirectory(entry)) {
    const reader = entry.createReader();
    // Each call returns some of the entries; the last one, none.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const inside of some) await readEntry(inside, chosen);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
