import type { Config } from "../config.ts";
import { createMailer } from "../platform/mail/mailer.ts";
import { type Finding, warning } from "./doctor-finding.ts";

/** Connects to the mail server and signs in, without sending anything. Without `SMTP_URL`, there is nothing to look at. */
export async function checkMail({ mail }: Config): Promise<Finding[]> {
  if (!mail) return [];
  const mailer = createMailer(mail);
  const reason = await mailer.check();
  await mailer.close();
  const repair = "look at SMTP_URL, and at what the provider of the mail server says (docs/operate/mail.md)";
  return reason === null ? [] : [warning("mail", `the server ${mail.host} cannot be used: ${reason}`, repair)];
}
