import { invalid } from "../errors.ts";
import { readBytes } from "./body-bytes.ts";
import { refuseForeignPage } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";

const maxBytes = 262_144;
const maxFields = 100;

/** Whether the body was sent by the form of a page. */
export function isPageForm({ request }: Exchange): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
}

/**
 * The fields of a form of this site. A form of another site is refused even without a session: it could sign the visitor
 * in to an account of somebody else.
 */
export async function readPageForm(exchange: Exchange): Promise<Record<string, string>> {
  refuseForeignPage(exchange);
  if (!isPageForm(exchange)) throw invalid("The body must be a form: application/x-www-form-urlencoded.");
  const text = new TextDecoder().decode(await readBytes(exchange, maxBytes));
  const fields = [...new URLSearchParams(text)];
  if (fields.length > maxFields) throw invalid(`The form has more than ${maxFields} fields.`);
  // Browsers send line breaks as CR LF.
  return Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}
