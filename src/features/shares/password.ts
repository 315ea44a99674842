import { checkPassword } from "../../platform/auth/passwords.ts";
import { limitKey } from "../../platform/http/address.ts";
import { readCookie, setCookie } from "../../platform/http/credentials.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
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
  /** For one link and one address. */
  perAddress: RateLimit;
  /** For one link and all addresses. */
  perLink: RateLimit;
};

const day = 86_400;
/** Somebody who guesses from one address all day does not use this up. */
export const guessesPerLink = { perSecond: 4000 / day, burst: 1000 };

/**
 * Wrong passwords are counted for a link and an address, and for the link. Beyond a limit, no password is checked for a while, so
 * that a correct one cannot be told. Wrong passwords for one link never count for another one.
 *
 * A page sends the password with each of its pictures, so correct ones are remembered, as keyed hashes together with the hash
 * that they belong to: a changed password is checked again.
 */
export function createLinkPasswords(secret: string, { perAddress, perLink }: LinkGuesses): LinkPasswords {
  const key = randomBytes(32);
  /** The last correct passwords. */
  const known = new Set<string>();
  const share = createShared<boolean>();

  return {
    async check({ id, passwordHash }, password, address) {
      const name = keyedHash(key, `${passwordHash}\0${password}`);
      const from = `link:${id}:${keyedHash(secret, `address:${limitKey(address)}`)}`;
      const isCorrect = await share(`${name} ${from}`, () =>
        countWrong(from, `link:${id}`, async () => known.has(name) || checkPassword(password, passwordHash)),
      );
      if (isCorrect) remember(name);
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
    const giveBack = async () => {
      for (const [limit, bucket] of taken) await limit.giveBack(bucket);
    };
    for (const [limit, bucket] of [
      [perAddress, from],
      [perLink, link],
    ] as const) {
      const verdict = await limit.take(bucket);
      if (verdict.allowed) taken.push([limit, bucket]);
      else {
        await giveBack();
        throw tooManyGuesses(verdict.retryAfterMs);
      }
    }
    const isCorrect = await check();
    if (isCorrect) await giveBack();
    return isCorrect;
  }

  function remember(name: string): void {
    const [oldest] = known;
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest);
    known.add(name);
  }
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
