import { cardPart, escape, fieldsOf, listOf, type Note, type Part, textOf } from "./cards.ts";

type Node = Record<string, unknown>;

/** Nodes that are nested deeper leave nothing: no editor writes them. */
const deepest = 100;
const formats = ["b", "i", "s", "u", "code", "sub", "sup", "mark"];

/** The document of Ghost's editor since version 5.40. */
export function lexicalParts(document: unknown, note: Note): Part[] {
  return listOf(fieldsOf(fieldsOf(document)["root"])["children"]).map((node) => partOf(fieldsOf(node)));

  function partOf(node: Node): Part {
    const html = textHTML(node, 0);
    return html === null ? cardPart(textOf(node["type"]), node, note) : { html };
  }

  function inner(node: Node, depth: number): string {
    if (depth > deepest) return "";
    return listOf(node["children"])
      .map((child) => {
        const html = textHTML(fieldsOf(child), depth + 1);
        if (html !== null) return html;
        const part = cardPart(textOf(fieldsOf(child)["type"]), fieldsOf(child), note);
        return "html" in part ? part.html : escape(part.markdown);
      })
      .join("");
  }

  /** Null for a card. */
  function textHTML(node: Node, depth: number): string | null {
    switch (node["type"]) {
      case "text":
      case "extended-text":
        return formatted(textOf(node["text"]), Number(node["format"]) || 0);
      case "linebreak":
        return "<br>";
      case "tab":
        return " ";
      case "zwnj":
        return "";
      case "paragraph":
        return `<p>${inner(node, depth)}</p>`;
      case "heading":
      case "extended-heading": {
        const tag = /^h[1-6]$/.exec(textOf(node["tag"]))?.[0] ?? "h2";
        return `<${tag}>${inner(node, depth)}</${tag}>`;
      }
      case "quote":
      case "extended-quote":
      case "aside":
        return `<blockquote>${inner(node, depth)}</blockquote>`;
      case "list": {
        const start = Number(node["start"]);
        const tag = node["listType"] === "number" ? "ol" : "ul";
        return `<${tag}${tag === "ol" && start > 1 ? ` start="${start}"` : ""}>${inner(node, depth)}</${tag}>`;
      }
      case "listitem": {
        const checked = node["checked"];
        const box = typeof checked === "boolean" ? `<input type="checkbox"${checked ? " checked" : ""}> ` : "";
        return `<li>${box}${inner(node, depth)}</li>`;
      }
      case "link":
      case "autolink":
      case "at-link":
        return `<a href="${escape(node["url"])}">${inner(node, depth)}</a>`;
      default:
        return null;
    }
  }
}

function formatted(text: string, format: number): string {
  return formats.reduce((html, tag, bit) => ((format >> bit) & 1 ? `<${tag}>${html}</${tag}>` : html), escape(text));
}
