import type { Reader } from "../../platform/database/database.ts";
import { type Html, html } from "../../platform/markup.ts";
import { readSettings } from "../settings/store.ts";

export type MailLanguage = "en" | "de";

/** What all mails of a site have in common. `baseURL` has no slash at its end. */
export type MailSite = { name: string; language: MailLanguage; accent: string; baseURL: string };

/** That of the themes. */
const usualAccent = "#0a6a55";

export async function readMailSite(db: Reader, baseURL: string): Promise<MailSite> {
  const { siteName, language, accentColour } = await readSettings(db, {});
  return {
    name: siteName,
    language: language.toLowerCase().split("-")[0] === "de" ? "de" : "en",
    accent: accentColour ?? usualAccent,
    baseURL,
  };
}

type MailBody = {
  paragraphs: string[];
  /** The one thing to do. Its address also stands in the text. */
  action?: { label: string; url: string };
  /** Below the action. */
  notes?: string[];
  /** In small letters at the end, with an address if there is one: how not to get such mails. */
  footer: { text: string; url?: string }[];
};

/** The two forms of a mail: plain text, and HTML with nothing in it that is loaded from anywhere. */
export function renderMail(site: MailSite, body: MailBody): { text: string; html: string } {
  const { paragraphs, action, notes = [], footer } = body;
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    ["-- ", site.name, ...footer.map((one) => (one.url ? `${one.text}: ${one.url}` : one.text))].join("\n"),
  ].join("\n\n");
  const button =
    action &&
    html`<p style="margin:24px 0"><a href="${action.url}" style="${buttonStyle(site)}">${action.label}</a></p>`;
  const address =
    action && html`<p style="margin:0 0 16px;font-size:13px;color:#666;word-break:break-all">${action.url}</p>`;
  const inner = html`${paragraphs.map(paragraph)}${button ?? ""}${address ?? ""}${notes.map(paragraph)}`;
  return { text: `${text}\n`, html: frameMail(site, inner, footer) };
}

const paragraph = (text: string): Html => html`<p style="margin:0 0 16px;white-space:pre-line">${text}</p>`;

/** A whole HTML mail around its content: the site's name above, the footer below. */
function frameMail(site: MailSite, inner: Html, footer: MailBody["footer"]): string {
  const small = footer.map(
    ({ text, url }) =>
      html`<p style="margin:0 0 6px">${url ? html`<a href="${url}" style="color:#666">${text}</a>` : text}</p>`,
  );
  const page = html`<!doctype html>
    <html lang="${site.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light" />
        <title>${site.name}</title>
      </head>
      <body style="margin:0;padding:0;background:#f4f4f2">
        <div
          style="max-width:600px;margin:0 auto;padding:24px 16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c1c1a"
        >
          <p style="margin:0 0 12px;font-weight:600">
            <a href="${site.baseURL}/" style="color:#1c1c1a;text-decoration:none">${site.name}</a>
          </p>
          <div style="background:#fff;border-top:3px solid ${site.accent};padding:24px;overflow-wrap:break-word">
            ${inner}
          </div>
          <div style="padding:16px 0;font-size:13px;color:#666">${small}</div>
        </div>
      </body>
    </html> `;
  return page.toString();
}

const buttonStyle = ({ accent }: MailSite): string =>
  `display:inline-block;padding:10px 18px;border-radius:4px;background:${accent};color:${inkOn(accent)};text-decoration:none;font-weight:600`;

/** Black or white, whichever can be read better on the colour. */
function inkOn(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#111111" : "#ffffff";
}
