import { type Attribute, davNamespace, type Element } from "./xml.ts";

export const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n';

/** Text and values of attributes. What XML cannot have at all, a name of a file may have. */
export const escapeXML = (text: string): string =>
  text
    .replace(/[&<>"\r]/g, (sign) => escapes[sign] ?? sign)
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

/** An element in the namespace `DAV:`. `inner` is XML. The root declares the prefix. */
export function element(name: string, inner: string, { isRoot = false } = {}): string {
  const declaration = isRoot ? ` xmlns:d="${davNamespace}"` : "";
  return inner === "" ? `<d:${name}${declaration}/>` : `<d:${name}${declaration}>${inner}</d:${name}>`;
}

/** An empty element of any namespace, inside an element of ours. */
export function emptyElement(namespace: string, name: string): string {
  if (namespace === davNamespace) return `<d:${name}/>`;
  return namespace === "" ? `<${name}/>` : `<x:${name} xmlns:x="${escapeXML(namespace)}"/>`;
}

/** How many characters may still be written, and what is thrown when there are more: a short name can stand for a long namespace. */
type Room = { left: number; refuse(): Error };

function take(room: Room, text: string): string {
  room.left -= text.length;
  if (room.left < 0) throw room.refuse();
  return text;
}

/** An element as XML that means the same wherever it stands in a document without a default namespace. */
export function writeElement({ namespace, name, attributes, children }: Element, room: Room, inherited = ""): string {
  const tag = take(room, namespace === "" ? name : `x:${name}`);
  const own = namespace === "" || namespace === inherited ? "" : ` xmlns:x="${escapeXML(namespace)}"`;
  const start =
    take(room, `<${tag}${own}`) + attributes.map((one, index) => take(room, writeAttribute(one, index))).join("");
  const inner = writeChildren(children, room, namespace === "" ? inherited : namespace);
  return inner === "" ? `${start}/>` : `${start}>${inner}</${tag}>`;
}

const writeChildren = (children: Element["children"], room: Room, inherited: string): string =>
  children
    .map((child) => (typeof child === "string" ? take(room, escapeXML(child)) : writeElement(child, room, inherited)))
    .join("");

/** What an element holds, as XML. */
export const writeInner = ({ children }: Element, room: Room): string => writeChildren(children, room, "");

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

function writeAttribute({ namespace, name, value }: Attribute, index: number): string {
  const assigned = `${name}="${escapeXML(value)}"`;
  if (namespace === "") return ` ${assigned}`;
  if (namespace === xmlNamespace) return ` xml:${assigned}`;
  return ` xmlns:a${index}="${escapeXML(namespace)}" a${index}:${assigned}`;
}
