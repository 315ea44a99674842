import { html as template } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** HTML in which all interpolated values are escaped. */
export type Html = HtmlEscapedString;

/** Hono's tag with a narrower type: it returns a promise only for promises, and nothing on these pages is awaited. */
export const html = template as (strings: TemplateStringsArray, ...values: unknown[]) => Html;

/** Plain text of the document, in which `backticks` mark code. */
export function prose(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A value as a user types it into a field or a URL. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
