import { late, once } from "../once.ts";
import type { Mailer } from "./letter.ts";
import type { MailConfig } from "./mail-config.ts";

const loadSmtp = late(() => import("./smtp.ts"));

/** The library is loaded with the first mail. */
export function createMailer(config: MailConfig): Mailer {
  const open = once(async () => (await loadSmtp()).openSmtp(config));
  let isUsed = false;
  const use = () => ((isUsed = true), open());
  return {
    send: async (letter) => (await use()).send(letter),
    check: async () => (await use()).check(),
    close: async () => (isUsed ? (await open()).close() : undefined),
  };
}
