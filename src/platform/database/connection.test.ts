// Runs on the embedded engines only: the log of PostgreSQL is its own.
import { expect, test } from "bun:test";
import { connect } from "./connection.ts";

test("a database that cannot have a write-ahead log is refused", () => {
  expect(() => connect(":memory:")).toThrow(
    'The database :memory: cannot be opened: SQLite cannot use a write-ahead log there (the journal mode stays "memory").',
  );
});
