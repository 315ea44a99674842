// Runs on other engines only with TEST_LONG: its rows use the same statements as the tests of each module.
import { describe } from "bun:test";
import { describePermissions } from "../kit/permissions/expect-rows.ts";
import { ownRows } from "../kit/permissions/own-rows.ts";
import { hiddenRows, shareRows } from "../kit/permissions/share-rows.ts";

describe("permissions", () => describePermissions([...ownRows, ...shareRows, ...hiddenRows]));
