import type { Call } from "./row-types.ts";

/** Calls of which no test sees a row, by their file and the type of the row, with the reason. */
const expected: [file: string, type: string, reason: string][] = [
  ["src/content/albums/album-photos.ts", "{ id: number; position: number }", "skips thousands of photos of an album"],
  ["src/content/comments/store.ts", "{ id: number }", "skips a page of a long thread"],
  ["src/content/comments/store.ts", "{ count: number }", "counts a thread for the pages of the site"],
  [
    "src/content/photos/lists/months.ts",
    "{ owner_id: number; is_private: number; month: string | null; day: number; photos: number; }",
    "counts photos with a date again, in a process of its own",
  ],
  ["src/platform/database/integrity.ts", "{ line: string }", "finds damage on PostgreSQL"],
  ["src/platform/database/integrity.ts", "{ name: string }", "needs an extension of PostgreSQL"],
  ["src/platform/database/integrity.ts", "Record<string, unknown>", "finds damage"],
  ["src/platform/database/maintained.ts", "{ id: number }", "finds wrong values of derived columns"],
  ["src/platform/search/postgres.ts", "{ id: number }", "searches beyond the newest records"],
  ["src/features/shares/store.ts", "ShareRow", "removes links that have expired long ago"],
  ["src/core/users/remove.ts", "{ rows: number }", "runs in a process of its own"],
  ["src/features/webhooks/store.ts", "{ id: number }", "runs after a database was moved"],
];

export const isExpectedUnseen = (call: Call): boolean =>
  expected.some(([file, type]) => call.file === file && call.type === type);
