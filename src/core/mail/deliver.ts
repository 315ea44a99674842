import type { Database } from "../../platform/database/database.ts";
import type { Handlers } from "../../platform/jobs/queue.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer, Outcome } from "../../platform/mail/letter.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { delaysMs, mails, type MailSettled, toLetter } from "./outbox.ts";

const [shortestPauseMs, longestPauseMs] = [5000, 300_000];

type Uses = { mailer: Mailer; domain: string; settled: MailSettled };
type Run = Handlers<Parameters<typeof toLetter>[0]>["run"];

/** Sends the mails that are due. While the mail server cannot be used, it is asked less and less often. */
export function startMail(deps: { db: Database; log: Log; metrics: Metrics }, { mailer, domain, settled }: Uses) {
  const { log } = deps;
  let pauseMs = 0;
  let pausedUntil = 0;

  const run: Run = async ({ id, key, payload, failures }) => {
    const isLate = Date.now() >= payload.expiresAt;
    const outcome: Outcome = isLate
      ? { kind: "permanent", reason: "It was no longer worth sending.", isAddress: false }
      : await mailer.send(toLetter(payload, domain));
    pauseFor(outcome);
    if (outcome.kind === "sent") {
      const sent = { key, outcome: "sent", reason: null, isAddress: false } as const;
      return { kind: "done", write: (tx) => settled(tx, sent) };
    }
    const { reason } = outcome;
    if (outcome.kind === "temporary" && Date.now() + (delaysMs[failures] ?? 0) < payload.expiresAt)
      return { kind: "failed", reason };
    log.warn("a mail was given up", { mail: id, reason });
    const isAddress = outcome.kind === "permanent" && outcome.isAddress;
    const what = outcome.kind === "doubtful" ? "doubtful" : "failed";
    return { kind: "refused", reason, write: (tx) => settled(tx, { key, outcome: what, reason, isAddress }) };
  };

  function pauseFor(outcome: Outcome): void {
    const isDown = outcome.kind === "temporary" && outcome.isOurs;
    pauseMs = isDown ? Math.min(Math.max(pauseMs * 2, shortestPauseMs), longestPauseMs) : 0;
    if (!isDown) return;
    pausedUntil = Date.now() + pauseMs;
    log.warn("the mail server cannot be used", { reason: outcome.reason });
  }

  return mails.start(deps, {
    mayBegin: () => Date.now() >= pausedUntil,
    run,
    givenUp: (tx, { key }, { isCrash, reason }) =>
      settled(tx, { key, outcome: isCrash ? "doubtful" : "failed", reason, isAddress: false }),
  });
}
