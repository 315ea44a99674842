// Runs on other engines only with TEST_LONG: its rows use the same statements as the tests of each module.
import { describe } from "bun:test";
import { describePermissions } from "../kit/permissions/expect-rows.ts";
import { isRead } from "../kit/permissions/row.ts";
import { rows } from "../kit/permissions/rows.ts";

// The rows of reads are in permissions-of-reads.test.ts, those of share links and of what only its owner has in
// permissions-of-owners.test.ts.
describe("permissions", () => describePermissions(rows.filter((row) => !isRead(row))));
