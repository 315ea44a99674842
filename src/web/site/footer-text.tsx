/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { isAddress } from "../../core/settings/menu.ts";

/** A link with a text, or a web address alone. The text and the address are short, so that no text takes long. */
const links = /\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)|https?:\/\/[^\s<>"]{0,500}[^\s<>"'.,:;!?)\]}]/g;

/** Plain text with its paragraphs, lines and links. Everything else in it is shown unchanged. */
export function FooterText({ text }: { text: string }) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return (
    <div class="footer-text" dir="auto">
      {paragraphs.map((paragraph) => (
        <p>{paragraph.split("\n").flatMap((line, index) => [...(index > 0 ? [<br />] : []), ...withLinks(line)])}</p>
      ))}
    </div>
  );
}

function withLinks(line: string): Child[] {
  const parts: Child[] = [];
  let end = 0;
  for (const { 0: found, 1: text = found, 2: address = found, index } of line.matchAll(links)) {
    if (!isAddress(address)) continue;
    parts.push(line.slice(end, index), <a href={address}>{text}</a>);
    end = index + found.length;
  }
  return [...parts, line.slice(end)];
}
