// Runs only with TEST_LONG: the type checker reads the whole project for it.
import { expect, test } from "bun:test";
import { type Call, findCalls, findWrongRows, isTyped, rowsOfCalls } from "./row-types.ts";
import { root } from "../kit/root.ts";

const calls = findCalls(root);
const callsWith = (type: string) => calls.filter((call) => call.type === type);

test("rows with a wrong type, a wrong null or without a column are found, and others are not", () => {
  expect(calls.filter(isTyped).length).toBeGreaterThan(200);
  const [right, ...wrong] = callsWith("{ id: number }").slice(0, 4) as [Call, ...Call[]];
  const [nullable] = callsWith("{ id: number | null }") as [Call];
  const sent = (call: Call, ...shapes: Record<string, string>[]) => ({
    engine: "sqlite" as const,
    method: "all" as const,
    stack: [call.at],
    text: call.at,
    values: [],
    shapes,
  });
  const correct = [sent(right, { id: "number", more: "string" }), sent(nullable, { id: "number" }, { id: "null" })];
  const kinds = [{ id: "string" }, { id: "null" }, { name: "string" }];
  const incorrect = wrong.map((call, index) => sent(call, { id: "number" }, kinds[index] ?? {}));
  expect(findWrongRows(root, calls, rowsOfCalls(calls, correct))).toEqual([]);
  expect(findWrongRows(root, calls, rowsOfCalls(calls, [...correct, ...incorrect])).toSorted()).toEqual(
    wrong.map(({ at }) => at.replace(/:\d+$/, ": id")).toSorted(),
  );
});
