/** Tables that no module declares. */
export const platformTables =
  "documents documents_index documents_waiting list_counts idempotency_keys settings leases migrations programs written_tables sqlite_sequence".split(
    " ",
  );

/** The files that write to tables whose names they are given, and where these names come from. No other file may. */
export const writersOfAnyTable: Record<string, string> = {
  "src/migrate-engine.ts": "every declared table is copied",
  "src/platform/database/lists.ts": "a part of list_counts",
  "src/platform/database/maintained.ts": "a module declares a derived column of its table",
  "src/platform/database/remove-rows.ts": "a module removes old rows of its own table",
  "src/trash/store.ts": "the table of a kind of records that is declared as trashable",
  "src/users/finish-removal.ts": "modules declare what happens to the rows of a user who is removed",
};
