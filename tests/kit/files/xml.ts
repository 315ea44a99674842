/** An element of an XML document. Names are as written, with their prefixes. */
export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const name = "[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?";
const attribute = new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`, "y");
const opening = new RegExp(`<(${name})`, "y");
const closing = new RegExp(`</(${name})\\s*>`, "y");
const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Reads a document, and throws if it is not well-formed: a strict reader of what our documents use of XML. */
export function parseXML(document: string): Element {
  if (/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(document))
    throw new Error("A character is forbidden.");
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let position = /^<\?xml version="1\.0" encoding="utf-8"\?>\s*/.exec(document)?.[0].length ?? 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const found = pattern.exec(document);
    if (found) position = pattern.lastIndex;
    return found;
  };
  const fail = (reason: string): never => {
    throw new Error(`${reason} at "${document.slice(position, position + 60)}"`);
  };
  while (position < document.length) {
    const current = open.at(-1) as Element;
    const closed = read(closing);
    if (closed) {
      if (closed[1] !== current.name || open.length === 1) fail(`</${closed[1]}> closes <${current.name}>`);
      open.pop();
      continue;
    }
    const opened = read(opening);
    if (opened) {
      const element: Element = { name: opened[1] as string, attributes: {}, children: [], text: "" };
      for (let found = read(attribute); found; found = read(attribute)) {
        if (Object.hasOwn(element.attributes, found[1] as string)) fail(`${found[1]} stands twice`);
        element.attributes[found[1] as string] = decode(found[2] ?? found[3] ?? "");
      }
      const end = read(/\s*(\/?)>/y) ?? fail("A tag does not end");
      current.children.push(element);
      if (open.length === 1 && root.children.length > 1) fail("A second root");
      if (end[1] === "") open.push(element);
      checkPrefixes(element, open);
      continue;
    }
    const text = read(/[^<]+/y)?.[0] ?? fail("Neither a tag nor a text");
    if (open.length === 1 && text.trim() !== "") fail("Text outside the root");
    if (text.includes("]]>")) fail("]]> in a text");
    current.text += decode(text);
  }
  if (open.length > 1) fail(`<${open.at(-1)?.name}> is not closed`);
  return root.children[0] ?? fail("No root");
}

function checkPrefixes(element: Element, open: Element[]): void {
  const known = new Set(["xml", "xmlns"]);
  for (const { attributes } of [...open, element]) {
    for (const each of Object.keys(attributes)) if (each.startsWith("xmlns:")) known.add(each.slice(6));
  }
  for (const each of [element.name, ...Object.keys(element.attributes)]) {
    if (each.includes(":") && !known.has(each.split(":")[0] as string))
      throw new Error(`${each} has an unknown prefix.`);
  }
}

const decode = (text: string) =>
  text.replaceAll(/&([^;&]*;?)/g, (whole, reference: string) => {
    const number = /^#(\d+|x[\da-fA-F]+);$/.exec(reference)?.[1];
    if (number) return String.fromCodePoint(Number(number.startsWith("x") ? `0${number}` : number));
    return entities[reference.replace(/;$/, "")] ?? raise(`${whole} is not an entity.`);
  });

function raise(message: string): never {
  throw new Error(message);
}

/** All elements with this name below an element. */
export const elementsOf = (element: Element, wanted: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === wanted ? [child] : []), ...elementsOf(child, wanted)]);

/** The text of the first child with this name. */
export const textOf = (element: Element, wanted: string): string | undefined =>
  element.children.find((child) => child.name === wanted)?.text;
