import type { Database } from "../database/database.ts";
import type { Operation } from "../metrics/metrics.ts";
import { createRemembered } from "../remembered.ts";
import type { Answer } from "./answer.ts";
import type { Encoding } from "./encoding.ts";
import type { Bucket } from "./route.ts";

const maxBytes = 32 * 2 ** 20;
/** A longer response would displace too many others. */
const maxOfOne = maxBytes / 8;
/** Of the responses that were requested once: requests for many unusual URLs displace only each other. */
const maxOnceBytes = maxBytes / 8;
const maxOfOnce = maxOnceBytes / 32;
/** More than there can be in that share. */
const maxKnown = 10_000;

/** A response and the operation that it belongs to. */
export type Kept = {
  answer: Answer;
  operation: Operation;
  /** From which a request takes that gets this response. */
  bucket: Bucket;
  /** The generation before its data was read, and the tables from which it was read. */
  readAt: number;
  tables: ReadonlySet<string>;
  /** The generation in which it was found to be current. */
  checkedAt: number;
  /** What was sent before, by its encoding: to be cloned. */
  prepared: Map<Encoding | "plain", Response>;
};

export type KeptResponses = {
  /** It may be outdated. */
  get(key: string): Kept | undefined;
  /** Whether its data has not changed since. */
  use(key: string, kept: Kept): boolean;
  keep(key: string, kept: Omit<Kept, "checkedAt">): void;
};

/**
 * Cached public responses. A response is outdated when something from which it was read has been written. A short one is kept at
 * once, within a share of the memory; a long one, and one that others have displaced there, when it is requested again.
 */
export function createKeptResponses({
  generation,
  lastWrite,
}: Pick<Database, "generation" | "lastWrite">): KeptResponses {
  const once = createShare(maxOnceBytes);
  const often = createShare(maxBytes - maxOnceBytes);
  const requested = createRemembered<true>(maxKnown);

  /** A key is known by its hash for longer than a response is kept that was requested once. */
  function isRequestedAgain(key: string): boolean {
    const hash = String(Bun.hash.xxHash32(key));
    if (requested.get(hash)) return true;
    requested.set(hash, true);
    return false;
  }

  return {
    get: (key) => often.get(key) ?? once.get(key),
    use(key, kept) {
      const now = generation();
      if (kept.checkedAt !== now) {
        if (lastWrite(kept.tables) > kept.readAt) return false;
        kept.checkedAt = now;
      }
      if (once.get(key) === kept) {
        once.remove(key);
        often.add(key, kept);
      }
      return true;
    },
    keep(key, kept) {
      const size = sizeOf(key, kept);
      if (size > maxOfOne || lastWrite(kept.tables) > kept.readAt) return;
      once.remove(key);
      const isOften = isRequestedAgain(key) || often.get(key) !== undefined;
      if (isOften || size <= maxOfOnce) (isOften ? often : once).add(key, { ...kept, checkedAt: generation() });
    },
  };
}

/** The newest responses that fit into so many bytes. */
function createShare(maxBytes: number) {
  const answers = new Map<string, Kept>();
  let bytes = 0;
  return { get: (key: string) => answers.get(key), remove, add };

  function remove(key: string): boolean {
    const old = answers.get(key);
    if (old) bytes -= sizeOf(key, old);
    return answers.delete(key);
  }

  function add(key: string, kept: Kept): void {
    remove(key);
    bytes += sizeOf(key, kept);
    answers.set(key, kept);
    for (const oldest of answers.keys()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  }
}

/** Including its compressed forms, approximately. */
const sizeOf = (key: string, { answer }: Pick<Kept, "answer">) => answer.plain.body.length * 2 + key.length * 2 + 1000;
