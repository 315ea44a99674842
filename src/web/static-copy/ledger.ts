import { openTemporaryTables } from "../../platform/database/temporary-tables.ts";
import type { Spot } from "./address.ts";

/**
 * `new`: not read yet; `text`: feeds and the like, which have links; `moved`: leads elsewhere; `made`: the site has no such
 * thing, only the copy; `none`: nothing for guests.
 */
type Kind = "new" | "page" | "text" | "file" | "moved" | "made" | "none";

/** What is known about an address. */
export type Entry = {
  id: number;
  /** The address, and the format of a picture if it has one: `/blog?year=2026`, `/api/v1/photos/1/image?w=320 jpeg`. */
  key: string;
  kind: Kind;
  /** The page of a list, from 1 on, and the key of the page before it. */
  number: number;
  before: string | null;
  file: string | null;
  link: string | null;
  /** Where it leads, or where its bytes are in the work directory. */
  location: string | null;
  body: string | null;
};

export type Stored = { file: string; sha256: string; size: number; etag: string };
export type Text = { kind: string; link: string; title: string; text: string; excerpt: string };
export type Ledger = ReturnType<typeof openLedger>;

const stored = "file TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL";

/**
 * What a run knows, in a temporary file: a large site has more addresses than should be in memory. Links of the copy begin
 * with `base`, the folder of the host that has it.
 */
export function openLedger(path: string, base: string) {
  const tables = openTemporaryTables(path, {
    entries: `id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL DEFAULT 'new', number INTEGER NOT NULL,
      before TEXT, file TEXT, place TEXT UNIQUE, link TEXT, location TEXT, body TEXT`,
    earlier: stored,
    written: stored,
    texts: "id INTEGER PRIMARY KEY, kind TEXT, link TEXT UNIQUE, title TEXT, text TEXT, excerpt TEXT",
  });
  tables.index("entries", "kind, id");

  return {
    add: (key: string, number = 1, before: string | null = null) =>
      tables.insert("entries", { key, number, before }, "IGNORE"),
    /** A file that is made for the copy. */
    addMade: (key: string) =>
      tables.insert("entries", { key, number: 1, kind: "made", file: key.slice(1), link: base + key }, "IGNORE"),
    next: () => tables.all<Entry>("SELECT * FROM entries WHERE kind = 'new' ORDER BY id LIMIT 1")[0],
    find: (key: string) => tables.all<Entry>("SELECT * FROM entries WHERE key = ?", key)[0],
    /** The address that has this file already; null if none does. Upper and lower case make no difference. */
    findPlace: (file: string) =>
      tables.all<Entry>("SELECT * FROM entries WHERE place = ?", file.toLowerCase())[0]?.key ?? null,
    settle(id: number, kind: Kind, known: { spot?: Spot; location?: string; body?: string } = {}): void {
      const { spot, location = null, body = null } = known;
      const file = spot?.file ?? null;
      const link = spot ? base + spot.link : null;
      tables.update("entries", id, { kind, file, place: file?.toLowerCase() ?? null, link, location, body });
    },
    /** All of one kind, some at a time. */
    *each(kind: Kind, atOnce = 100): Generator<Entry[]> {
      for (let last = 0; ;) {
        const query = "SELECT * FROM entries WHERE kind = ? AND id > ? ORDER BY id LIMIT ?";
        const entries = tables.all<Entry>(query, kind, last, atOnce);
        if (entries.length === 0) return;
        yield entries;
        last = entries.at(-1)?.id ?? 0;
      }
    },
    findEarlier: (file: string) => tables.all<Stored>("SELECT * FROM earlier WHERE file = ?", file)[0],
    addEarlier: (known: Stored) => tables.insert("earlier", known, "REPLACE"),
    addWritten: (known: Stored) => tables.insert("written", known, "REPLACE"),
    written: () => tables.each<Stored>("SELECT * FROM written ORDER BY file"),
    /** Files of an earlier run that this one has not written. */
    gone: () =>
      tables.each<Stored>("SELECT * FROM earlier WHERE file NOT IN (SELECT file FROM written) ORDER BY file DESC"),
    /** Files that this run may write and that no complete one has written. */
    added: () =>
      tables.each<Pick<Stored, "file">>(`
        SELECT file FROM entries WHERE file IS NOT NULL AND file NOT IN (SELECT file FROM earlier)
        UNION SELECT file FROM earlier WHERE sha256 = ''`),
    addText: (text: Text) => tables.insert("texts", text, "IGNORE"),
    /** What people wrote comes first, because an index has limits. */
    texts: () =>
      tables.each<Text>(`
        SELECT kind, link, title, text, excerpt FROM texts
        ORDER BY CASE kind WHEN 'post' THEN 0 WHEN 'page' THEN 0 WHEN 'album' THEN 1 ELSE 2 END, link`),
    close: tables.close,
  };
}
