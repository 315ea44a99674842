import { html, type Html } from "../../../platform/markup.ts";

/** XML in which all interpolated values are escaped: the rules for HTML are enough for it. */
export const xml = html;
export type Xml = Html;

/** Characters that XML cannot contain in any form: most control characters, and halves of a pair. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export const withoutForbidden = (text: string): string => text.replace(forbidden, "");

export const xmlDeclaration = `<?xml version="1.0" encoding="utf-8"?>\n`;

export const printXML = (root: Xml): string => xmlDeclaration + withoutForbidden(root.toString());
