import { Problem } from "../../platform/errors.ts";

export const mailIsOff = () => new Problem("conflict", "This server sends no mail: set SMTP_URL and restart it.");

export function tooManyMails(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many mails: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
