import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import type { Document } from "./document.ts";
import type { Fields } from "./fields.ts";

/** What the syntax of a program needs of the source, for one text. */
export type Context = {
  document: Document;
  /** Those of the whole site. */
  settings: Fields;
  /** The address that leads to another text; null if the source has none of that name. */
  linkTo(name: string): string | null;
  /** A target for a picture or a link; null if the source has no such file. */
  referTo(name: string, use: "picture" | "link"): string | null;
  /** The pictures in a folder, or those whose path fits a pattern, seen from the text. */
  picturesIn(folder: string): TreeFile[];
  reference(file: TreeFile): string;
  /** Adds a line to the report. What is lost that should be there is "refused". */
  note(reason: string, kind?: "note" | "refused"): void;
};

/** A picture as a block of its own. */
export function pictureBlock(target: string, altText: string, caption: string): string {
  const picture = `![${altText.replace(/[[\]\\]/g, "\\$&")}](${target})`;
  if (caption === "") return picture;
  return `<figure>\n\n${picture}\n\n<figcaption>\n\n${caption}\n\n</figcaption>\n</figure>`;
}
