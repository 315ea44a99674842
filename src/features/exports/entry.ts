import type { Reader } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/tables.ts";

/** A site, as an export reads it, even while servers use it. */
export type ExportedSite = {
  readonly schema: Pick<Schema, "tables">;
  /** Writes all records, as of one moment, to a new SQLite database. */
  exportDatabase(path: string): Promise<void>;
  /** Until this ends, no blob is removed. */
  holdBlobs(): Promise<AsyncDisposable>;
  openBlob(sha256: string): Promise<Blob | ReadableStream<Uint8Array> | null>;
};

/** What is exported of which records. `db` is a copy of the database that nobody changes. */
export type Scope = Pick<ExportedSite, "schema"> & {
  db: Reader;
  /** Only what belongs to this person; null for the whole site. */
  personID: number | null;
};

/** A directory, or a file with its bytes: those of a blob, of a file that was made for the export, or a text. */
export type Entry = { path: string } & (
  | { isDirectory: true }
  | { modifiedAt: number; sha256: string; size: number; bytes: { blob: true } | { file: string } | { text: string } }
);
export type FileEntry = Extract<Entry, { sha256: string }>;

/** Where an export is written to. */
export type Target = {
  /** Returns false if the bytes are missing from the site, or damaged there. */
  add(entry: Entry): Promise<boolean>;
  /** The export is whole with this entry. */
  finish(last: FileEntry): Promise<void>;
  /** It was ended before. */
  abandon(): Promise<void>;
};
