import { type Mail, toHeaderLine } from "../../core/mail/outbox.ts";
import { type readMailSite, renderMail } from "../../core/mail/template.ts";

const texts = {
  en: {
    subject: (site: string) => `Confirm your subscription to ${site}`,
    about: (site: string) => `Somebody, hopefully you, wants to get new posts of ${site} by e-mail.`,
    action: "Confirm on this page",
    notes: "The link is valid for two days. If it was not you, do nothing: you will get no further mail.",
  },
  de: {
    subject: (site: string) => `Bestätigen Sie Ihr Abonnement von ${site}`,
    about: (site: string) => `Jemand, hoffentlich Sie selbst, möchte neue Beiträge von ${site} per E-Mail bekommen.`,
    action: "Auf dieser Seite bestätigen",
    notes: "Der Link gilt zwei Tage. Wenn Sie das nicht waren, müssen Sie nichts tun: Es kommt keine weitere E-Mail.",
  },
};

type Site = Awaited<ReturnType<typeof readMailSite>>;

/** The mail with the link that confirms a subscription. */
export function confirmMail(address: string, token: string, site: Site): Mail {
  const t = texts[site.language];
  const body = renderMail(site, {
    paragraphs: [t.about(site.name)],
    action: { label: t.action, url: `${site.baseURL}/newsletter/confirm?token=${token}` },
    notes: [t.notes],
    footer: [],
  });
  return { to: address, subject: toHeaderLine(t.subject(site.name)), ...body };
}
