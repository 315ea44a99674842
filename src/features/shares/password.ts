import { checkPassword } from "../../platform/auth/passwords.ts";
import { limitKey } from "../../platform/http/address.ts";
import { readCookie, setCookie } from "../../platform/http/credentials.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { RateLimit, Verdict } from "../../platform/limits/rate-limit.ts";
import { isSameSecret, keyedHash, randomBytes } from "../../platform/secrets.ts";
import { createShared } from "../../platform/once.ts";
import { tooManyGuesses } from "../../core/users/guesses.ts";

const maxKnown = 10_000;

type Link = { id: number; passwordHash: string };

export type LinkPasswords = {
  /** Whether a password opens a link. Throws if there were too many wrong ones. */
  check(link: Link, password: string, address: string): Promise<boolean>;
  /** Whether the request has the cookie of a browser that has sent the password. */
  hasProof(exchange: Exchange, link: Link): boolean;
  /** The Set-Cookie header with that cookie, which is sent only below the path of the link. */
  setProof(exchange: Exchange, link: Link): string;
};

const cookie = "vitrine-link";
const cookieSeconds = 7 * 86_400;

/** How many wrong passwords of links are checked. A correct one is not counted. */
export type LinkGuesses = {
  /** For one link and one address. Beyond it, the response to a wrong password says how long to wait. */
  usual: RateLimit;
  /** Also for one link and one address, beyond the usual ones: others there may have the right password. */
  spare: RateLimit;
  /** For one link and all addresses that have not sent the right password yet. */
  perLink: RateLimit;
};

const day = 86_400;
/** Somebody who guesses from one address all day does not use up what `perLink` leaves to others. */
export const linkGuessRates = {
  spare: { perSecond: 100 / day, burst: 100 },
  perLink: { perSecond: 4000 / day, burst: 1000 },
};

/**
 * Wrong passwords are counted, but a correct one is accepted as long as the sender may still be somebody else than the one
 * who guesses: after ten wrong ones for a link from an address, a hundred more are checked, although each of them is answered
 * like one that is not. Wrong passwords for one link never count for another one.
 *
 * A page sends the password with each of its pictures, so correct ones are remembered, as keyed hashes together with the hash
 * that they belong to: a changed password is checked again.
 */
export function createLinkPasswords(secret: string, { usual, spare, perLink }: LinkGuesses): LinkPasswords {
  const key = randomBytes(32);
  /** Correct passwords, and addresses from which they were sent. */
  const [known, familiar] = [createMemory(), createMemory()];
  const share = createShared<boolean>();

  return {
    async check({ id, passwordHash }, password, address) {
      const name = keyedHash(key, `${passwordHash}\0${password}`);
      const from = `link:${id}:${keyedHash(secret, `address:${limitKey(address)}`)}`;
      const isCorrect = await share(`${name} ${from}`, () =>
        countWrong(from, `link:${id}`, async () => known.has(name) || checkPassword(password, passwordHash)),
      );
      if (isCorrect)
        for (const [memory, one] of [
          [known, name],
          [familiar, from],
        ] as const)
          memory.add(one);
      return isCorrect;
    },
    hasProof({ request, grantToken }, link) {
      const sent = grantToken === null ? undefined : readCookie(request, cookie);
      return sent !== undefined && isSameSecret(sent, proofOf(link));
    },
    setProof: (exchange, link) =>
      setCookie(exchange, cookie, proofOf(link), { path: `/s/${exchange.grantToken}`, maxAge: cookieSeconds }),
  };

  /** Belongs to one link and one password: with another password, it proves nothing. */
  function proofOf({ id, passwordHash }: Link): string {
    return keyedHash(secret, `link password:${id}:${passwordHash}`);
  }

  /** Throws if too many wrong ones were sent before. */
  async function countWrong(from: string, link: string, check: () => Promise<boolean>): Promise<boolean> {
    const taken: [RateLimit, string][] = [];
    const take = async (limit: RateLimit, bucket: string): Promise<Verdict> => {
      const verdict = await limit.take(bucket);
      if (verdict.allowed) taken.push([limit, bucket]);
      return verdict;
    };
    const giveBack = async () => {
      for (const [limit, bucket] of taken) await limit.giveBack(bucket);
    };

    const first = await take(usual, from);
    if (!first.allowed && !(await take(spare, from)).allowed) throw tooManyGuesses(first.retryAfterMs);
    const all = familiar.has(from) ? null : await take(perLink, link);
    if (all && !all.allowed) {
      await giveBack();
      throw tooManyGuesses(all.retryAfterMs);
    }
    const isCorrect = await check();
    if (isCorrect) await giveBack();
    else if (!first.allowed) throw tooManyGuesses(first.retryAfterMs);
    return isCorrect;
  }
}

/** The last things that were added. */
function createMemory() {
  const kept = new Set<string>();
  return {
    has: (one: string) => kept.has(one),
    add(one: string): void {
      const [oldest] = kept;
      if (kept.size >= maxKnown && oldest !== undefined) kept.delete(oldest);
      kept.add(one);
    },
  };
}

/** Headers have only ASCII: another password is sent as RFC 8187 has it, `UTF-8''` and then percent-encoded. */
export function decodePassword(sent: string): string {
  const encoded = /^utf-8''(.*)$/i.exec(sent)?.[1];
  if (encoded === undefined) return sent;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return sent;
  }
}
