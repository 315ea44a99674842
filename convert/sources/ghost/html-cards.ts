import {
  type Branch,
  type Change,
  findByClass,
  hasClass,
  newBranch,
  textIn,
} from "../../../src/platform/markdown/html-tree.ts";
import type { Note } from "./cards.ts";

const text = (branch: Branch | null): string => (branch ? textIn(branch).trim() : "");
const linkTo = (url: string, title: string) =>
  newBranch("p", undefined, [newBranch("a", new Map([["href", url]]), [title || url])]);
const paragraph = (content: string) => (content === "" ? [] : [newBranch("p", undefined, [content])]);
const hrefOf = (branch: Branch | null) => branch?.attributes.get("href") ?? "";

function findTag(branch: Branch, tag: string): Branch | null {
  for (const child of branch.children) {
    if (typeof child === "string") continue;
    const found = child.tag === tag ? child : findTag(child, tag);
    if (found) return found;
  }
  return null;
}

/** What Ghost writes around media: its player, and parts that only its own scripts use. */
const changes: Record<string, (card: Branch) => Branch["children"]> = {
  "kg-bookmark-card": (card) => [
    linkTo(hrefOf(findTag(card, "a")), text(findByClass(card, "kg-bookmark-title"))),
    ...paragraph(text(findByClass(card, "kg-bookmark-description"))),
    ...paragraph(text(findTag(card, "figcaption"))),
  ],
  "kg-callout-card": (card) => [
    newBranch("blockquote", undefined, [
      `${text(findByClass(card, "kg-callout-emoji"))} `,
      ...(findByClass(card, "kg-callout-text")?.children ?? []),
    ]),
  ],
  "kg-toggle-card": (card) => [
    newBranch("details", undefined, [
      newBranch("summary", undefined, [text(findByClass(card, "kg-toggle-heading-text"))]),
      ...(findByClass(card, "kg-toggle-content")?.children ?? []),
    ]),
  ],
  "kg-audio-card": (card) => {
    const audio = findTag(card, "audio");
    audio?.attributes.set("title", text(findByClass(card, "kg-audio-title")));
    return audio ? [audio] : [];
  },
  "kg-video-card": (card) => {
    const parts = [findTag(card, "video"), findTag(card, "figcaption")].filter((part) => part !== null);
    return [newBranch("figure", undefined, parts)];
  },
  "kg-file-card": (card) => [
    linkTo(
      hrefOf(findTag(card, "a")),
      text(findByClass(card, "kg-file-card-title")) || text(findByClass(card, "kg-file-card-filename")),
    ),
    ...paragraph(text(findByClass(card, "kg-file-card-caption"))),
  ],
};

/** Makes plain HTML of the cards in a post of Ghost. */
export function changeCards(note: Note): Change {
  return (branch) => {
    if (!hasClass(branch, "kg-card")) return undefined;
    if (hasClass(branch, "kg-signup-card")) {
      note('A card of the kind "signup" is not taken: it belongs to newsletters.');
      return [];
    }
    const name = Object.keys(changes).find((one) => hasClass(branch, one));
    return name ? changes[name]?.(branch) : undefined;
  };
}
