import type { Database } from "../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { Log } from "../../platform/log.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { mailIsOff, tooManyMails } from "../mail/problems.ts";
import { usernameKey } from "../users/user.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { addPasswordLink, linkLifetime, passwordPage } from "../account-mail/links.ts";
import { findMeant } from "./password-links.ts";

/** Requests that are looked at at the same time. Further ones are dropped, as if there were no such account. */
const mostAtOnce = 100;

type Uses = { mails: AccountMails; guesses: RateLimit; secret: string; log: Log };

/**
 * Sends links to those who are meant by a username or an address. The request does not wait for it: it returns before anything is looked for, so
 * that neither the response nor its time tells whether there is such an account.
 */
export function createLinkRequests(db: Database, { mails, guesses, secret, log }: Uses) {
  const running = new Set<Promise<void>>();

  async function send(text: string): Promise<void> {
    for (const { id, username, address } of await findMeant(db, text)) {
      await db.transaction(async (tx) => {
        const token = await addPasswordLink(tx, id, false);
        if (token === null) return;
        const occasion = { name: "passwordLink" as const, words: [username], path: passwordPage(token) };
        await mails.send(tx, address, occasion, { expiresAt: Date.now() + linkLifetime });
      });
    }
  }

  return {
    isOn: mails.isOn,
    /** `from` is the address of the client. */
    async request(text: string, from: string): Promise<void> {
      if (!mails.isOn) throw mailIsOff();
      for (const bucket of [`from:${limitKey(from)}`, `name:${usernameKey(text)}`]) {
        const verdict = await guesses.take(`password link:${keyedHash(secret, bucket)}`);
        if (!verdict.allowed) throw tooManyMails(verdict.retryAfterMs);
      }
      if (running.size >= mostAtOnce) return;
      const work: Promise<void> = withoutSharedDeadline(() => send(text))
        .catch((error: Error) => log.warn("a password link was not sent", { reason: error.message }))
        .finally(() => running.delete(work));
      running.add(work);
    },
    close: async () => void (await Promise.all(running)),
  };
}

export type LinkRequests = ReturnType<typeof createLinkRequests>;
