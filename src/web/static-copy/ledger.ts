import { Database as Sqlite } from "bun:sqlite";
import type { Spot } from "./address.ts";

/** `new`: not read yet; `text`: feeds and the like, which have links; `moved`: leads elsewhere; `none`: nothing for guests. */
export type Kind = "new" | "page" | "text" | "file" | "moved" | "none";

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
  /** Where it leads, or where its bytes lie in the work directory. */
  location: string | null;
  body: string | null;
};

export type Stored = { file: string; sha256: string; size: number; etag: string };
export type Text = { kind: string; link: string; title: string; text: string };
export type Ledger = ReturnType<typeof openLedger>;

/** What a run knows, in a temporary file: a large site has more addresses than should be in memory. */
export function openLedger(path: string) {
  const db = new Sqlite(path, { create: true });
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA synchronous = OFF");
  db.run(`CREATE TABLE entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, number INTEGER NOT NULL,
    before TEXT, file TEXT, place TEXT UNIQUE, link TEXT, location TEXT, body TEXT)`);
  db.run("CREATE INDEX entries_by_kind ON entries (kind, id)");
  for (const name of ["earlier", "written"]) {
    db.run(
      `CREATE TABLE ${name} (file TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL)`,
    );
  }
  db.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, kind TEXT, link TEXT, title TEXT, text TEXT)");

  const add = db.query("INSERT OR IGNORE INTO entries (key, kind, number, before) VALUES (?, 'new', ?, ?)");
  const next = db.query<Entry, []>("SELECT * FROM entries WHERE kind = 'new' ORDER BY id LIMIT 1");
  const find = db.query<Entry, [string]>("SELECT * FROM entries WHERE key = ?");
  const place = db.query<{ key: string }, [string]>("SELECT key FROM entries WHERE place = ?");
  const settle = db.query(
    "UPDATE entries SET kind = ?, file = ?, place = ?, link = ?, location = ?, body = ? WHERE id = ?",
  );
  const list = db.query<Entry, [string, number, number]>(
    "SELECT * FROM entries WHERE kind = ? AND id > ? ORDER BY id LIMIT ?",
  );
  const store = (name: string) =>
    db.query(`INSERT OR REPLACE INTO ${name} (file, sha256, size, etag) VALUES (?, ?, ?, ?)`);
  const [storeEarlier, storeWritten] = [store("earlier"), store("written")];
  const findEarlier = db.query<Stored, [string]>("SELECT * FROM earlier WHERE file = ?");
  const addText = db.query("INSERT INTO texts (kind, link, title, text) VALUES (?, ?, ?, ?)");

  return {
    add: (key: string, number = 1, before: string | null = null) => void add.run(key, number, before),
    next: () => next.get(),
    find: (key: string) => find.get(key),
    /** The address that has this file already; null if none does. Upper and lower case make no difference. */
    findPlace: (file: string) => place.get(file.toLowerCase())?.key ?? null,
    settle(id: number, kind: Kind, known: { spot?: Spot; location?: string; body?: string } = {}): void {
      const { spot, location = null, body = null } = known;
      settle.run(kind, spot?.file ?? null, spot?.file.toLowerCase() ?? null, spot?.link ?? null, location, body, id);
    },
    /** All of one kind, some at a time. */
    *each(kind: Kind, atOnce = 100): Generator<Entry[]> {
      for (let last = 0; ;) {
        const entries = list.all(kind, last, atOnce);
        if (entries.length === 0) return;
        yield entries;
        last = entries.at(-1)?.id ?? 0;
      }
    },
    isEarlier: (file: string) => findEarlier.get(file),
    addEarlier: ({ file, sha256, size, etag }: Stored) => void storeEarlier.run(file, sha256, size, etag),
    addWritten: ({ file, sha256, size, etag }: Stored) => void storeWritten.run(file, sha256, size, etag),
    written: () => db.query<Stored, []>("SELECT * FROM written ORDER BY file").iterate(),
    /** Files of an earlier run that this one has not written. */
    gone: () =>
      db
        .query<Stored, []>("SELECT * FROM earlier WHERE file NOT IN (SELECT file FROM written) ORDER BY file")
        .iterate(),
    /** Files that this run may write and that no complete one has written. */
    added: () =>
      db
        .query<{ file: string }, []>(
          "SELECT file FROM entries WHERE file IS NOT NULL AND file NOT IN (SELECT file FROM earlier) UNION SELECT file FROM earlier WHERE sha256 = ''",
        )
        .iterate(),
    addText: ({ kind, link, title, text }: Text) => void addText.run(kind, link, title, text),
    /** What people wrote comes first, because an index has limits. */
    texts: () =>
      db
        .query<Text, []>(
          "SELECT kind, link, title, text FROM texts ORDER BY CASE kind WHEN 'post' THEN 0 WHEN 'page' THEN 0 WHEN 'album' THEN 1 ELSE 2 END, link",
        )
        .iterate(),
    close: () => db.close(),
  };
}
