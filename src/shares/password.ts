import { createHmac, randomBytes } from "node:crypto";
import { checkPassword } from "../platform/auth/passwords.ts";
import { limitKey } from "../platform/http/address.ts";
import type { RateLimit } from "../platform/limits/rate-limit.ts";
import { createShared } from "../platform/share.ts";
import { limitGuesses } from "../users/guesses.ts";

const mostKnown = 10_000;

/** Whether a password opens a link. Throws if there were too many wrong ones. */
export type CheckLinkPassword = (link: Link, password: string, address: string) => Promise<boolean>;
type Link = { id: number; passwordHash: string };

/**
 * Wrong passwords are counted per link, whichever addresses they come from, and per address, whichever links they are for. A
 * page sends the password with each of its pictures, so correct ones are remembered, as keyed hashes together with the hash
 * that they belong to: a changed password is checked again.
 */
export function createLinkPasswords(secret: string, guesses: RateLimit): CheckLinkPassword {
  const key = randomBytes(32);
  const known = new Set<string>();
  const share = createShared<boolean>();

  return async ({ id, passwordHash }, password, address) => {
    const name = createHmac("sha256", key).update(`${passwordHash}\0${password}`).digest("base64url");
    if (known.has(name)) return true;
    const from = createHmac("sha256", secret)
      .update(`address:${limitKey(address)}`)
      .digest("base64url");
    const isCorrect = await share(`${name} ${from}`, () =>
      limitGuesses(guesses, `link address:${from}`, () =>
        limitGuesses(guesses, `link:${id}`, () => checkPassword(password, passwordHash)),
      ),
    );
    if (isCorrect) remember(name);
    return isCorrect;
  };

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
