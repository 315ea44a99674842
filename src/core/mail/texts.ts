import { toHeaderLine } from "./outbox.ts";
import type { MailLanguage } from "./template.ts";

type Words = { subject: string; paragraphs: string[]; footer: string };

type Texts = { test: (site: string) => Words };

export const mailTexts: Record<MailLanguage, Texts> = {
  en: {
    test: (site) => ({
      subject: toHeaderLine(`Test mail from ${site}`),
      paragraphs: ["Mail works.", "An admin has sent this mail to see whether the site can send any."],
      footer: "Sent once, by hand.",
    }),
  },
  de: {
    test: (site) => ({
      subject: toHeaderLine(`Testmail von ${site}`),
      paragraphs: [
        "E-Mail funktioniert.",
        "Jemand hat diese E-Mail in der Verwaltung verschickt, um zu sehen, ob die Website welche senden kann.",
      ],
      footer: "Einmal und von Hand verschickt.",
    }),
  },
};
