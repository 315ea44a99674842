import { invalid } from "../errors.ts";
import { isUnusable, type Tree, type TreeFile, UnusableEntry } from "./tree.ts";

/** The version of the format: another one has files or fields with another meaning. */
export const formatVersion = 1;
const format = "vitrine-export";
/** It is written last, and says what the folder is. */
export const indexName = `${format}.json`;

/** A line of a file of `data/`. */
export type ExportedRecord = Record<string, unknown>;

/** A post has up to a million characters, each of which may be escaped. */
const maxLineLength = 2 ** 24;
const maxIndexLength = 2 ** 26;

export type ReadExport = {
  exportedAt: string;
  /** The same for all exports of one site; null in one that does not say it. */
  siteID: string | null;
  /** Who has exported what belongs to them; null for the whole site. */
  owner: string | null;
  lastIDs: Record<string, number>;
  /** The records of a file of `data/`; none if there is no such file. */
  read(file: string): AsyncGenerator<ExportedRecord>;
  /** A file by its path in the export. */
  find(path: string): TreeFile | null;
};

/** The export in a tree, at its top or in its only folder; null if there is none. */
export async function findExport(tree: Tree): Promise<ReadExport | null> {
  const files = new Map<string, TreeFile>();
  let top: string | null = null;
  for await (const entry of tree.list()) {
    if (isUnusable(entry) || "isDirectory" in entry) continue;
    files.set(entry.path.join("/"), entry);
    if (entry.path.at(-1) === indexName && entry.path.length <= 2) top ??= entry.path.slice(0, -1).join("/");
  }
  if (top === null) return null;
  const find = (path: string) => files.get(top ? `${top}/${path}` : path) ?? null;
  const index = parse(await readText(find(indexName)), indexName);
  if (index["format"] !== format) return null;
  const part = find(indexName)?.part;
  for (const file of files.values()) if (file.part !== part) throw invalid("An export of Vitrine is imported alone.");
  if (index["isComplete"] !== true) throw invalid("The export is not complete: it was interrupted. Export again.");
  if (index["formatVersion"] !== formatVersion)
    throw invalid("The export was made by a newer version: import it with that version.");
  return {
    exportedAt: String(index["exportedAt"]),
    siteID: textOrNull(index["siteID"]),
    owner: textOrNull(index["owner"]),
    lastIDs: readNumbers(index["lastIDs"]),
    read: (file) => readLines(find(`data/${file}.jsonl`), `data/${file}.jsonl`),
    find,
  };
}

/** Whether a file says that what lies beside it is an export. */
export async function isExportIndex(file: TreeFile): Promise<boolean> {
  if (file.path.at(-1) !== indexName || file.path.length > 2) return false;
  const text = await readText(file);
  return text.includes(`"${format}"`);
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 200) : null);

function readNumbers(value: unknown): Record<string, number> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
}

async function readText(file: TreeFile | null): Promise<string> {
  if (!file || file.size > maxIndexLength) return "";
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function* readLines(file: TreeFile | null, name: string): AsyncGenerator<ExportedRecord> {
  if (!file) return;
  const decoder = new TextDecoder();
  let number = 0;
  let rest: string[] = [];
  let restLength = 0;
  for await (const chunk of openWhole(file, name)) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield parse(rest.join("") + line, `Line ${++number} of ${name}`);
      [rest, restLength] = [[], 0];
    }
    rest.push(last);
    if ((restLength += last.length) > maxLineLength) throw invalid(`Line ${number + 1} of ${name} is too long.`);
  }
  if (rest.join("").trim() !== "") yield parse(rest.join(""), `Line ${number + 1} of ${name}`);
}

async function* openWhole(file: TreeFile, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file.open();
  } catch (error) {
    if (error instanceof UnusableEntry) throw invalid(`${name} cannot be read: ${error.message}`);
    throw error;
  }
}

function parse(text: string, what: string): ExportedRecord {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as ExportedRecord;
  } catch {
    // The sentence below says it.
  }
  throw invalid(`${what} cannot be read: it is not a JSON object.`);
}
