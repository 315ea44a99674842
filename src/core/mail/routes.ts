import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { line } from "../../platform/http/validate.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import type { MailConfig } from "../../platform/mail/mail-config.ts";
import type { Mailer } from "../../platform/mail/letter.ts";
import { randomBytes } from "../../platform/secrets.ts";
import { countMail } from "./outbox.ts";
import { mailIsOff, tooManyMails } from "./problems.ts";
import { readMailSite, renderMail } from "./template.ts";
import { mailTexts } from "./texts.ts";

const tag = "Settings";

const mailSchema = z
  .object({
    isConfigured: z.boolean().meta({ description: "Whether `SMTP_URL` is set. Without it, no mail is sent." }),
    from: z.string().nullable().meta({ description: "The sender of all mail.", example: "photos@example.org" }),
    server: z.string().nullable().meta({ description: "The mail server.", example: "mail.example.org:587" }),
    waiting: z.int().meta({ description: "Mails that wait to be sent." }),
    failed: z.int().meta({ description: "Mails of the last seven days that were given up." }),
    reason: z.string().nullable().meta({
      description: "Why the last of these was given up, or why the next one waits.",
      example: null,
    }),
  })
  .meta({ id: "MailState" });

const newTestSchema = z
  .object({ to: line(254).meta({ description: "Where to send it: one address.", example: "ada@example.org" }) })
  .meta({ id: "NewTestMail" });

const testSchema = z
  .object({
    isSent: z.boolean().meta({ description: "Whether the mail server has accepted it." }),
    reason: z.string().nullable().meta({ description: "Why it has not.", example: null }),
  })
  .meta({ id: "TestMail" });

type Uses = { config: MailConfig | null; mailer: Mailer | null; baseURL: string; limit: RateLimit };

export function mailRoutes(db: Database, { config, mailer, baseURL, limit }: Uses): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/mail",
      name: "readMailState",
      tag,
      summary: "Read whether mail works",
      role: "admin",
      response: mailSchema,
      handle: async () => ({
        isConfigured: config !== null,
        from: config?.from.address ?? null,
        server: config && `${config.host}:${config.port}`,
        ...(await countMail(db)),
      }),
    }),

    route({
      method: "POST",
      path: "/api/v1/mail/test",
      name: "sendTestMail",
      tag,
      summary: "Send a test mail",
      details: "It is sent at once, and not tried again: the response says what the mail server has answered.",
      role: "admin",
      scope: "session",
      body: newTestSchema,
      noIdempotency: "read",
      response: testSchema,
      statuses: { 409: "This server sends no mail", 429: "Too many test mails" },
      async handle({ body, caller }) {
        if (!config || !mailer) throw mailIsOff();
        const to = parseAddress(body.to);
        if (to === null) throw invalid(`"to" must be one mail address.`, "to");
        const verdict = await limit.take(`test mail:${caller.id}`);
        if (!verdict.allowed) throw tooManyMails(verdict.retryAfterMs);
        const site = await readMailSite(db, baseURL);
        const { subject, paragraphs, footer } = mailTexts[site.language].test(site.name);
        const letter = { to, subject, ...renderMail(site, { paragraphs, footer: [{ text: footer }] }), headers: {} };
        const messageID = `<${randomBytes(16).toString("hex")}@${domainOf(config)}>`;
        const outcome = await mailer.send({ ...letter, messageID, date: new Date() });
        return { isSent: outcome.kind === "sent", reason: outcome.kind === "sent" ? null : outcome.reason };
      },
    }),
  ];
}

export const domainOf = ({ from }: MailConfig): string => from.address.slice(from.address.lastIndexOf("@") + 1);
