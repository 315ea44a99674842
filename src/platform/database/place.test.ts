import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { findReason, refuseUnsafePlace } from "./place.ts";

const scratch = useScratch();

test("where two programs share locks and memory, a database may lie, and nothing is left behind", async () => {
  expect(await findReason(scratch)).toBeNull();
  await refuseUnsafePlace(`${scratch}/not/there/yet`);
  expect(readdirSync(scratch)).toEqual([]);
});
