import type { Visibility } from "../../src/core/records/visibility.ts";
import type { TreeFile } from "../../src/platform/archives/tree.ts";
import type { FileItem, PostItem } from "../../src/features/imports/item.ts";

type Use = { isPicture: boolean; isPublic: boolean };

/** The files of a source that its posts use, as pictures or in links. */
export type Attachments = {
  /** Returns the key of the file. */
  use(file: TreeFile, use: "picture" | "link", altText?: string): string;
  /** Those used since the last call belong to this post. */
  endPost(post: Pick<PostItem, "publishedAt" | "visibility">): void;
  has(file: TreeFile): boolean;
  /** A picture of a post is seen by those who see the post; one that only drafts and private posts use is private. */
  itemOf(file: TreeFile, path: string[], oldAddresses: string[]): FileItem;
};

export function collectAttachments(visibility: Visibility): Attachments {
  const uses = new Map<string, Use>();
  const altTexts = new Map<string, string>();
  const ofPost = new Map<string, "picture" | "link">();
  const keyOf = ({ path }: TreeFile) => path.join("/");
  return {
    use(file, use, altText = "") {
      const key = keyOf(file);
      if (altText !== "" && !altTexts.has(key)) altTexts.set(key, altText.slice(0, 1000));
      if (ofPost.get(key) !== "picture") ofPost.set(key, use);
      return key;
    },
    endPost(post) {
      const isPublic = post.publishedAt !== null && post.visibility === "public";
      for (const [key, use] of ofPost) {
        const before = uses.get(key);
        uses.set(key, {
          isPicture: use === "picture" || (before?.isPicture ?? false),
          isPublic: isPublic || (before?.isPublic ?? false),
        });
      }
      ofPost.clear();
    },
    has: (file) => uses.has(keyOf(file)),
    itemOf(file, path, oldAddresses) {
      const { isPicture = false, isPublic = false } = uses.get(keyOf(file)) ?? {};
      const seenBy = isPublic ? visibility : "private";
      const { size, modifiedAt, open } = file;
      const altText = altTexts.get(keyOf(file));
      return {
        kind: "file",
        key: keyOf(file),
        path,
        size,
        modifiedAt,
        open,
        visibility: seenBy,
        photo: isPicture ? { visibility: seenBy, ...(altText && { altText }) } : null,
        albums: [],
        oldAddresses,
      };
    },
  };
}
