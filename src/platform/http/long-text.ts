import { type Answer, textAnswer, textHeaders } from "./answer.ts";
import type { Stream } from "./content.ts";

/**
 * Text that has been sent is garbage. The collector by itself would let it pile up when clients read fast. It runs beside the
 * event loop, except where texts are so long that it could not keep up.
 */
const collectEvery = 16 * 2 ** 20;
const longText = 2 ** 18;
let sentSinceCollection = 0;

/** More than an ordinary page of a list. */
const mostInMemory = 2 * 2 ** 20;

/** A response of any length. If it is long, it is sent while its parts are being read, without a tag. */
export async function longTextAnswer(
  type: string,
  texts: AsyncGenerator<string>,
  headers: Record<string, string> = {},
  status = 200,
): Promise<Answer | Stream> {
  let text = "";
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    text += next.value;
    if (text.length > mostInMemory) {
      const sent = { ...textHeaders(type, headers), "Cache-Control": "no-cache" };
      return { status, headers: sent, body: toStream(text, texts) };
    }
  }
  return textAnswer(type, text, headers, status);
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
      Bun.gc(value.length > longText);
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
