import { setTimeout } from "node:timers/promises";
import type { Database } from "../../platform/database/database.ts";
import { noticeWrites, poll } from "../../platform/jobs/poll.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail/letter.ts";
import {
  type Claimed,
  claimDue,
  finishAttempt,
  type MailSettled,
  nextDue,
  settleDoubtful,
  toLetter,
} from "./outbox.ts";

/** To ask whether something was queued costs a statement only where other processes share the database. */
const [pollMs, sharedPollMs] = [200, 1000];
const maxAtOnce = 4;
const storingPauses = [500, 2000, 10_000, 60_000];
/** How often mails are looked for that another copy was sending when it ended. */
const sweepMs = 60_000;
const [shortestPause, longestPause] = [5000, 300_000];

type Uses = { mailer: Mailer; domain: string; settled: MailSettled; log: Log; signal: AbortSignal };

/**
 * Sends the mails that are due, until `signal` is aborted. Every copy of the server does this: a claim gives each mail to one of them.
 * While there is nothing to do, it does not even read. While the mail server cannot be used, it is asked less and less often.
 */
export async function deliverMail(db: Database, { mailer, domain, settled, log, signal }: Uses): Promise<void> {
  const sending = new Set<Promise<void>>();
  /** The generation of the database in which the next mail was due at `dueAt`. */
  let known: number | null = null;
  let dueAt = 0;
  let pauseMs = 0;
  let pausedUntil = 0;
  let sweptAt: number | null = null;
  const failed = ({ message }: Error) => log.warn("mail was not sent", { reason: message });
  const { wake, ended } = poll(look, { everyMs: db.isShared ? sharedPollMs : pollMs, signal, failed });
  await ended;
  await Promise.all(sending);

  async function look(): Promise<void> {
    await sweep();
    while (!signal.aborted && sending.size < maxAtOnce && (await isDue())) {
      const claimed = await db.transaction((tx) => claimDue(tx, maxAtOnce - sending.size));
      if (claimed.length === 0) return;
      for (const row of claimed) start(row);
    }
  }

  async function sweep(): Promise<void> {
    if (sweptAt !== null && Date.now() < sweptAt + sweepMs) return;
    await settleDoubtful(db, settled, sweptAt === null && !db.isShared);
    sweptAt = Date.now();
  }

  /** Asks the database only if mails were queued since the last time, or one is due now. */
  async function isDue(): Promise<boolean> {
    if (Date.now() < pausedUntil) return false;
    await noticeWrites(db);
    if (known === null || db.lastWrite(["outbox"]) > known || Date.now() >= dueAt) {
      const generation = db.generation();
      dueAt = (await nextDue(db)) ?? Number.MAX_SAFE_INTEGER;
      known = generation;
    }
    return dueAt <= Date.now();
  }

  /** A mail whose outcome is known does not become doubtful because the database is busy or unavailable for a minute. */
  async function keepTrying(store: () => Promise<void>): Promise<void> {
    for (const pause of storingPauses) {
      try {
        return await store();
      } catch {
        await setTimeout(pause, null, { signal }).catch(() => {});
      }
    }
    await store();
  }

  function start(row: Claimed): void {
    const work: Promise<void> = send(row)
      .catch((error: Error) =>
        log.warn("the outcome of a mail was not stored", { mail: row.id, reason: error.message }),
      )
      .finally(() => {
        sending.delete(work);
        wake();
      });
    sending.add(work);
  }

  async function send(row: Claimed): Promise<void> {
    const isLate = Date.now() >= row.expires_at;
    const outcome = isLate
      ? ({ kind: "permanent", reason: "It was no longer worth sending.", isAddress: false } as const)
      : await mailer.send(toLetter(row, domain));
    if (outcome.kind === "temporary" && outcome.isOurs) {
      pauseMs = Math.min(Math.max(pauseMs * 2, shortestPause), longestPause);
      pausedUntil = Date.now() + pauseMs;
      log.warn("the mail server cannot be used", { reason: outcome.reason });
    } else {
      pauseMs = 0;
    }
    await keepTrying(() =>
      db.transaction(async (tx) => {
        const mail = await finishAttempt(tx, row, outcome);
        if (mail) await settled(tx, mail);
      }),
    );
    if (outcome.kind === "permanent" || outcome.kind === "doubtful") {
      log.warn("a mail was given up", { mail: row.id, reason: outcome.reason });
    }
  }
}
