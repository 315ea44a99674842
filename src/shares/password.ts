import { checkPassword } from "../platform/auth/passwords.ts";
import { limitKey } from "../platform/http/address.ts";
import { readCookie, setCookie } from "../platform/http/credentials.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import type { RateLimit } from "../platform/limits/rate-limit.ts";
import { isSameSecret, keyedHash, randomBytes } from "../platform/secrets.ts";
import { createShared } from "../platform/share.ts";
import { limitGuesses } from "../users/guesses.ts";

const mostKnown = 10_000;

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

/**
 * Wrong passwords are counted per link, whichever addresses they come from, and per address, whichever links they are for. A
 * page sends the password with each of its pictures, so correct ones are remembered, as keyed hashes together with the hash
 * that they belong to: a changed password is checked again.
 */
export function createLinkPasswords(secret: string, guesses: RateLimit): LinkPasswords {
  const key = randomBytes(32);
  const known = new Set<string>();
  const share = createShared<boolean>();

  return {
    async check({ id, passwordHash }, password, address) {
      const name = keyedHash(key, `${passwordHash}\0${password}`);
      if (known.has(name)) return true;
      const from = keyedHash(secret, `address:${limitKey(address)}`);
      const isCorrect = await share(`${name} ${from}`, () =>
        limitGuesses(guesses, `link address:${from}`, () =>
          limitGuesses(guesses, `link:${id}`, () => checkPassword(password, passwordHash)),
        ),
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

  function remember(name: string): void {
    const [oldest] = known;
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
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
