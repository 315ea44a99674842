import type { Queries } from "../../platform/database/database.ts";
import { type Mail, queueMail } from "../mail/outbox.ts";
import { readMailSite, renderMail } from "../mail/template.ts";
import { findAddress } from "./store.ts";
import { addressTexts } from "./texts.ts";

type Occasion = {
  name: keyof (typeof addressTexts)["en"];
  /** What its texts are made from, besides the name of the site. */
  words: string[];
  /** Where its button leads: a path of the site. */
  path?: string;
};

/** Sends mail about an account. Without `SMTP_URL`, it does nothing. */
export function createAccountMails({ mail, baseURL }: { mail: object | null; baseURL: string }) {
  async function send(
    tx: Queries,
    to: string,
    { name, words: [username = "", address = ""], path }: Occasion,
    more: Pick<Mail, "expiresAt"> = {},
  ): Promise<void> {
    if (!mail) return;
    const site = await readMailSite(tx, baseURL);
    const {
      subject,
      paragraphs,
      button,
      notes = [],
      footer,
    } = addressTexts[site.language][name](site.name, username, address);
    const action = button && path ? { action: { label: button, url: baseURL + path } } : {};
    const rendered = renderMail(site, { paragraphs, notes, ...action, footer: [{ text: footer }] });
    await queueMail(tx, { to, subject, ...rendered, ...more });
  }

  return {
    isOn: mail !== null,
    send,
    /** To the confirmed address of a person, if there is one. */
    async tell(tx: Queries, userID: number, occasion: Occasion): Promise<void> {
      const address = mail && (await findAddress(tx, userID));
      if (address) await send(tx, address, occasion);
    },
  };
}

export type AccountMails = ReturnType<typeof createAccountMails>;
