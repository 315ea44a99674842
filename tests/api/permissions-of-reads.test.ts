// Runs on other engines only with TEST_LONG: its rows use the same statements as the tests of each module.
import { describe } from "bun:test";
import { describePermissions } from "../kit/permissions/expect-rows.ts";
import { isRead } from "../kit/permissions/row.ts";
import { rows } from "../kit/permissions/rows.ts";

describe("permissions", () => describePermissions(rows.filter(isRead)));
