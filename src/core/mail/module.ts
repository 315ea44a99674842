import { type Module, reactionsOf } from "../../module.ts";
import { json, table } from "../../platform/database/table.ts";
import { createMailer } from "../../platform/mail/mailer.ts";
import { deliverMail } from "./deliver.ts";
import { type MailSettled, removeSettled } from "./outbox.ts";
import { domainOf, mailRoutes } from "./routes.ts";

const hour = 3_600_000;
/** How long a mail that is being sent may take when the server stops. */
const graceMs = 5000;

/** Mail that waits to be sent. Without `SMTP_URL`, there is none. */
export const mailModule: Module = {
  tables: [table("outbox", { headers: json() }, { without: "passes by itself" })],
  open({ db, log, modules, guesses, isCopy, config: { mail: config, baseURL } }) {
    const jobs = [{ name: "sent mail", everyMs: hour, run: () => removeSettled(db) }];
    const mailer = config && createMailer(config);
    const routes = mailRoutes(db, { config, mailer, baseURL, limit: guesses });
    if (!config || !mailer || isCopy) return { routes, jobs };
    const settled: MailSettled = async (tx, mail) => {
      for (const { mailSettled } of reactionsOf(modules)) await mailSettled?.(tx, mail);
    };
    const stopping = new AbortController();
    const { signal } = stopping;
    const delivering = deliverMail(db, { mailer, domain: domainOf(config), settled, log, signal });
    return {
      routes,
      jobs,
      async close() {
        stopping.abort();
        const timer = setTimeout(() => void mailer.close(), graceMs);
        await delivering;
        clearTimeout(timer);
        await mailer.close();
      },
    };
  },
};
