import { collectSentText } from "../collect-garbage.ts";
import { nextTurn } from "../event-loop.ts";
import { type Answer, textAnswer, textHeaders } from "./answer.ts";
import type { Stream } from "./content.ts";
import { noTurn, type Turn } from "./turns.ts";

/** A longer response is read in turns with others. */
const maxAtOnce = 2 ** 18;
/** More than an ordinary page of a list. */
const maxInMemory = 2 ** 20;
const pieceBytes = 2 ** 14;

/**
 * A response of any length. If it is long, it is sent while its parts are being read, without a tag. If many records were asked
 * for (`isLarge`), nothing is read before it has a turn.
 */
export async function longTextAnswer(
  type: string,
  texts: AsyncGenerator<string>,
  headers: Record<string, string> = {},
  { status = 200, turn = noTurn, isLarge = false }: { status?: number; turn?: Turn; isLarge?: boolean } = {},
): Promise<Answer | Stream> {
  if (isLarge) await turn.take();
  const { parts, length } = await readBeginning(texts, turn, isLarge).finally(turn.endSoon);
  if (length > maxInMemory) {
    const sent = { ...textHeaders(type, headers), "Cache-Control": "no-cache" };
    return { status, headers: sent, body: toStream(parts, texts, turn) };
  }
  turn.end();
  return textAnswer(type, parts.join(""), headers, status);
}

/** All of it, or more than is kept in memory. */
async function readBeginning(texts: AsyncGenerator<string>, turn: Turn, hasTurn: boolean) {
  const parts: string[] = [];
  let length = 0;
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    parts.push(next.value);
    length += next.value.length;
    if (length <= maxAtOnce) continue;
    collectSentText(next.value.length);
    if (length > maxInMemory) break;
    if (hasTurn) await nextTurn();
    else await turn.take();
    hasTurn = true;
  }
  return { parts, length };
}

/** It is given to the reader in pieces. One who does not take a piece in the time for it has lost the turn. */
function toStream(begun: string[], texts: AsyncGenerator<string>, turn: Turn): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
  let isOver = false;

  async function readOn(): Promise<void> {
    const known = begun.shift();
    if (known !== undefined) return void (rest = encoder.encode(known));
    await turn.take();
    if (isOver) return turn.end();
    const { done, value } = await texts.next();
    if (done) isOver = true;
    else {
      rest = encoder.encode(value);
      collectSentText(value.length);
    }
  }

  return new ReadableStream(
    {
      async pull(controller) {
        if (rest.length === 0) await readOn().finally(turn.endSoon);
        if (isOver) {
          turn.end();
          return controller.close();
        }
        controller.enqueue(rest.subarray(0, pieceBytes));
        rest = rest.subarray(pieceBytes);
        turn.endSoon();
      },
      async cancel() {
        isOver = true;
        turn.end();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
