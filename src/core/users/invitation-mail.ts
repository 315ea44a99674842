import { queueMail, toHeaderLine } from "../mail/outbox.ts";
import { readMailSite, renderMail } from "../mail/template.ts";
import { tooManyMails } from "../mail/problems.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";

/** `path` is that of the link. */
export type SendInvitation = (tx: Queries, to: string, caller: Caller, path: string) => Promise<void>;

const texts = {
  en: (site: string, inviter: string) => ({
    subject: `An invitation to ${site}`,
    paragraphs: [`${inviter} invites you to ${site}. With the link, you can create an account there.`],
    button: "Accept the invitation",
    notes: ["The link works once. If you do not know what this is about, ignore this mail."],
    footer: "Sent once, because an admin of the site has entered your address.",
  }),
  de: (site: string, inviter: string) => ({
    subject: `Eine Einladung zu ${site}`,
    paragraphs: [`${inviter} lädt Sie zu ${site} ein. Mit dem Link können Sie dort ein Konto anlegen.`],
    button: "Einladung annehmen",
    notes: ["Der Link gilt einmal. Wenn Sie nicht wissen, worum es geht, können Sie diese E-Mail ignorieren."],
    footer: "Einmal verschickt, weil die Verwaltung der Website Ihre Adresse angegeben hat.",
  }),
};

/** The link is not stored anywhere else: the mail is the only place where it can be read, until it was sent. */
export const createInvitationMail =
  (baseURL: string, limit: RateLimit): SendInvitation =>
  async (tx, to, { id, username }, path) => {
    const verdict = await limit.take(`invitations by mail:${id}`);
    if (!verdict.allowed) throw tooManyMails(verdict.retryAfterMs);
    const site = await readMailSite(tx, baseURL);
    const { subject, paragraphs, button, notes, footer } = texts[site.language](site.name, username);
    const action = { label: button, url: baseURL + path };
    const rendered = renderMail(site, { paragraphs, action, notes, footer: [{ text: footer }] });
    await queueMail(tx, { to, subject: toHeaderLine(subject), ...rendered });
  };
