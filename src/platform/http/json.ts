import type { Slices } from "../database/slices.ts";
import { type Answer, textAnswer } from "./answer.ts";
import { longTextAnswer } from "./long-text.ts";
import { noTurn, type Turn } from "./turns.ts";

/**
 * A value as JSON. If the value is a list in slices, or an object that contains one such list, a response of any length
 * needs no more memory than a few slices. `isLarge` is whether many records were asked for.
 */
export async function jsonAnswer(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
  { turn = noTurn, isLarge = false }: { turn?: Turn; isLarge?: boolean } = {},
): Promise<Answer | Response> {
  const list = findList(value);
  if (!list) return textAnswer("application/json", JSON.stringify(value), headers, status);
  const result = await longTextAnswer("application/json", textsOf(list), headers, { status, turn, isLarge });
  return "plain" in result ? result : new Response(result.body, { status, headers: result.headers });
}

type List = { before: string; slices: Slices<unknown>; after: string };

function findList(value: unknown): List | null {
  if (isSlices(value)) return { before: "[", slices: value, after: "]" };
  if (typeof value !== "object" || value === null) return null;
  const name = Object.keys(value).find((key) => isSlices((value as Record<string, unknown>)[key]));
  if (name === undefined) return null;
  const slices = (value as Record<string, unknown>)[name] as Slices<unknown>;
  const rest = JSON.stringify({ ...value, [name]: undefined });
  return { before: `${rest.slice(0, -1)}${rest === "{}" ? "" : ","}${JSON.stringify(name)}:[`, slices, after: "]}" };
}

function isSlices(value: unknown): value is Slices<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* textsOf({ before, slices, after }: List): AsyncGenerator<string> {
  let separator = before;
  for await (const items of slices) {
    if (items.length === 0) continue;
    yield separator + items.map((item) => JSON.stringify(item)).join(",");
    separator = ",";
  }
  yield separator === before ? before + after : after;
}
