import type { Slices } from "../database/slices.ts";
import { type Answer, textAnswer, textHeaders } from "./answer.ts";

/** Text that has been sent is garbage. The collector by itself would let it pile up when clients read fast. */
const collectEvery = 16 * 2 ** 20;
let sentSinceCollection = 0;

/** More than an ordinary page of a list. A longer response is sent while it is being read, without a tag. */
const mostInMemory = 2 * 2 ** 20;

/**
 * A value as JSON. If the value is a list in slices, or an object that contains one such list, a response of any length
 * needs no more memory than a few slices.
 */
export async function jsonAnswer(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | Response> {
  const list = findList(value);
  if (!list) return textAnswer("application/json", JSON.stringify(value), headers, status);
  const texts = textsOf(list);
  let text = "";
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    text += next.value;
    if (text.length > mostInMemory) {
      return new Response(toStream(text, texts), {
        status,
        headers: { ...textHeaders("application/json", headers), "Cache-Control": "no-cache" },
      });
    }
  }
  return textAnswer("application/json", text, headers, status);
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

function toStream(begun: string, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(begun)),
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(value));
      sentSinceCollection += value.length;
      if (sentSinceCollection < collectEvery) return;
      sentSinceCollection = 0;
      Bun.gc(true);
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
