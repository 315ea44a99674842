import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { streamBody } from "../../platform/http/body-bytes.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import { type Incoming, receiveIncoming } from "./incoming.ts";
import type { Quota } from "./quota.ts";
import { openReservation } from "./reservation.ts";

/** `transaction` is that of the request. */
type Deps = { db: Database; blobs: Blobs; transaction: Database["transaction"] };

/**
 * Receives the body of a request, whose bytes count towards the quota before they are written. The transaction that stores them
 * calls `checkQuota` with `isReserved` after it has written the row. `sentence` is the error for more than `maxBytes`.
 */
export function receiveBody(
  { db, blobs, transaction }: Deps,
  exchange: Exchange,
  quota: Quota,
  { maxBytes, sentence }: { maxBytes: number; sentence: string },
): Promise<Incoming> {
  const stream = streamBody(exchange, maxBytes, sentence);
  const atLeast = Number(exchange.request.headers.get("content-length") ?? 0);
  const source = { stream, atLeast, moved: () => noteProgress(exchange) };
  return receiveIncoming({ ...db, transaction }, blobs, source, openReservation(db, quota));
}
