import { type Module, reactionsOf } from "../../module.ts";
import { createMailer } from "../../platform/mail/mailer.ts";
import { startMail } from "./deliver.ts";
import type { MailSettled } from "./outbox.ts";
import { domainOf, mailRoutes } from "./routes.ts";

/** How long a mail that is being sent may take when the server stops. */
const graceMs = 5000;

/** Mail that waits to be sent. Without `SMTP_URL`, there is none. */
export const mailModule: Module = {
  async open({ db, log, metrics, modules, guesses, isCopy, config: { mail: config, baseURL } }) {
    const mailer = config && createMailer(config);
    const routes = mailRoutes(db, { config, mailer, baseURL, limit: guesses });
    if (!config || !mailer || isCopy) return { routes };
    const settled: MailSettled = async (tx, mail) => {
      for (const { mailSettled } of reactionsOf(modules)) await mailSettled?.(tx, mail);
    };
    const worker = await startMail({ db, log, metrics }, { mailer, domain: domainOf(config), settled });
    return {
      routes,
      async close() {
        const timer = setTimeout(() => void mailer.close(), graceMs);
        await worker.close();
        clearTimeout(timer);
        await mailer.close();
      },
    };
  },
};
