import { readBytes } from "../../platform/http/body-bytes.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { isStorable } from "../../platform/text.ts";
import { late } from "../../platform/once.ts";
import { Refusal } from "./refusal.ts";
import type { Element } from "./xml.ts";

const loadSaxes = late(() => import("saxes"));

const maxBytes = 2 ** 18;
const maxDepth = 32;
const maxElements = 4000;
const maxAttributes = 4000;
/** Of each name, and of each namespace, which the body says once and the response may repeat. */
const maxNameLength = 400;

/** The body of a request as XML, or null if it has none. A body with a DOCTYPE is refused, so there are no entities to expand. */
export async function readXML(exchange: Exchange): Promise<Element | null> {
  const { headers } = exchange.request;
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(413);
  const bytes = await readBytes(exchange, maxBytes);
  if (bytes.length === 0) return null;
  return parseXML(decode(bytes));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

async function parseXML(text: string): Promise<Element> {
  const { SaxesParser } = await loadSaxes();
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  const read: { root: Element | null } = { root: null };
  let elements = 0;
  let attributes = 0;
  const addText = (added: string) => void open.at(-1)?.children.push(added);
  parser.on("error", () => {
    throw malformed();
  });
  parser.on("doctype", () => {
    throw new Refusal(400, "The XML must not have a DOCTYPE.", { condition: "no-external-entities" });
  });
  parser.on("opentag", ({ uri, local, attributes: sent }) => {
    const own = Object.values(sent).filter(({ name, prefix }) => prefix !== "xmlns" && name !== "xmlns");
    attributes += own.length;
    if (++elements > maxElements || open.length >= maxDepth || attributes > maxAttributes) throw tooLarge(400);
    if ([{ uri, local }, ...own].some((one) => one.uri.length > maxNameLength || one.local.length > maxNameLength))
      throw new Refusal(400, `A name or a namespace in the XML has more than ${maxNameLength} characters.`);
    const element: Element = {
      namespace: uri,
      name: local,
      attributes: own.map((one) => ({ namespace: one.uri, name: one.local, value: one.value })),
      children: [],
    };
    if (open.length === 0) read.root = element;
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  if (!read.root || !isStorable(text)) throw malformed();
  return read.root;
}

const malformed = () => new Refusal(400, "The body is not well-formed XML in UTF-8.");
const tooLarge = (status: number) => new Refusal(status, "The XML is too large.");
