/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";

const address = /https?:\/\/[^\s<>"]+[^\s<>"'.,:;!?)\]}]/g;

/** Plain text with its paragraphs and lines. Web addresses are links. */
export function CommentText({ text }: { text: string }) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return (
    <div class="comment-text" dir="auto">
      {paragraphs.map((paragraph) => (
        <p>
          {paragraph.split("\n").flatMap((line, index) => [...(index > 0 ? [<br />] : []), ...linkAddresses(line)])}
        </p>
      ))}
    </div>
  );
}

function linkAddresses(line: string): Child[] {
  const parts: Child[] = [];
  let end = 0;
  for (const { 0: url, index } of line.matchAll(address)) {
    parts.push(
      line.slice(end, index),
      <a href={url} rel="nofollow ugc noopener">
        {url}
      </a>,
    );
    end = index + url.length;
  }
  return [...parts, line.slice(end)];
}
