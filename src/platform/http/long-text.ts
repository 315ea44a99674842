import { collectSentText } from "../collect-garbage.ts";
import { type Answer, textAnswer, textHeaders } from "./answer.ts";
import type { Stream } from "./content.ts";

/** More than an ordinary page of a list. */
const maxInMemory = 2 * 2 ** 20;

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
    if (text.length > maxInMemory) {
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
      collectSentText(value.length);
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
