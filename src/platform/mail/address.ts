const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const label = /^[A-Za-z0-9-]{1,63}$/;

/**
 * Exactly one mail address, in the form in which it is sent; null for anything else: lists, comments, names, quotes, addresses of
 * machines by number. A domain in another script becomes its ASCII form.
 */
export function parseAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, at);
  const domain = toASCII(trimmed.slice(at + 1));
  if (at < 1 || domain === null || local.length > 64 || local.length + domain.length > 253) return null;
  return local.split(".").every((part) => atom.test(part)) && isDomain(domain) ? `${local}@${domain}` : null;
}

/** Addresses with the same key are the same mailbox, as far as anybody but its own server knows. */
export const addressKey = (address: string): string => address.toLowerCase();

/** At least two labels, and no IP address. */
function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  const isLabel = (text: string) => label.test(text) && !text.startsWith("-") && !text.endsWith("-");
  return labels.length > 1 && labels.every(isLabel) && /[a-z]/i.test(labels.at(-1) ?? "");
}

function toASCII(domain: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]{1,253}$/u.test(domain)) return null;
  return /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : (URL.parse(`http://${domain}/`)?.hostname ?? null);
}

export type Sender = { name: string; address: string };

/** `photos@example.org`, or `Name <photos@example.org>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  const trimmed = text.trim();
  const start = trimmed.indexOf("<");
  const isNamed = start >= 0 && trimmed.endsWith(">");
  const name = isNamed ? unquote(trimmed.slice(0, start).trim()) : "";
  const address = parseAddress(isNamed ? trimmed.slice(start + 1, -1) : trimmed);
  return address === null || /["<>@,;\p{Cc}]/u.test(name) ? null : { name, address };
}

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
