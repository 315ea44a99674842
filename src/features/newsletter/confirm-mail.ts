import { type Mail, toHeaderLine } from "../../core/mail/outbox.ts";

export type ConfirmTexts = { siteName: string; origin: string; language: "en" | "de" };

const texts = {
  en: {
    subject: (site: string) => `Confirm your subscription to ${site}`,
    lines: (site: string, link: string) => [
      `Somebody, hopefully you, wants to get new posts of ${site} by e-mail.`,
      `Open this page and press the button to confirm it:`,
      link,
      "The link is valid for two days. If it was not you, do nothing: you will get no further mail.",
    ],
  },
  de: {
    subject: (site: string) => `Bestätigen Sie Ihr Abonnement von ${site}`,
    lines: (site: string, link: string) => [
      `Jemand, hoffentlich Sie selbst, möchte neue Beiträge von ${site} per E-Mail bekommen.`,
      `Öffnen Sie diese Seite und bestätigen Sie es mit der Schaltfläche:`,
      link,
      "Der Link gilt zwei Tage. Wenn Sie das nicht waren, müssen Sie nichts tun: Es kommt keine weitere E-Mail.",
    ],
  },
};

/** The mail with the link that confirms a subscription. */
export function confirmMail(address: string, token: string, { siteName, origin, language }: ConfirmTexts): Mail {
  const t = texts[language];
  const name = toHeaderLine(siteName);
  const link = `${origin}/newsletter/confirm?token=${token}`;
  return { to: address, subject: t.subject(name), text: `${t.lines(name, link).join("\n\n")}\n` };
}
