import type { Chosen } from "../uploads/uploads.ts";

/** The files that were dropped, also those in directories. The data must be read before the event ends. */
export async function readDropped(data: DataTransfer): Promise<Chosen[]> {
  const items = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    items.map(({ entry, file }) => (entry ? readEntry(entry, "") : Promise.resolve(file ? [{ file }] : []))),
  );
  return found.flat();
}

async function readEntry(entry: FileSystemEntry, directory: string): Promise<Chosen[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, ...(directory && { directory }) }];
  }
  if (!isDirectory(entry)) return [];
  const within = directory ? `${directory}/${entry.name}` : entry.name;
  const reader = entry.createReader();
  const found: Chosen[] = [];
  // It returns at most 100 entries at once, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await readEntry(one, within)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The files of a field of type file. A chosen directory stands in the path of each file. */
export function readChosen(files: FileList): Chosen[] {
  return [...files].map((file) => {
    const directory = file.webkitRelativePath.split("/").slice(0, -1).join("/");
    return { file, ...(directory && { directory }) };
  });
}
