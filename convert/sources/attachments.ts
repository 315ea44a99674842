import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { type FileItem, keyOf, type PostItem, toFile } from "./items.ts";

export type Attachments = ReturnType<typeof collectAttachments>;
type Use = { isPicture: boolean; isPublic: boolean; altText: string };

/** The files of a source that its posts use, as pictures or in links. */
export function collectAttachments() {
  const uses = new Map<string, Use>();
  const unused: Use = { isPicture: false, isPublic: false, altText: "" };
  let ofPost = new Set<string>();
  return {
    /** Returns the key of the file. */
    use(file: TreeFile, use: "picture" | "link", altText = ""): string {
      const key = keyOf(file);
      const before = uses.get(key) ?? unused;
      const isPicture = before.isPicture || use === "picture";
      uses.set(key, { ...before, isPicture, altText: before.altText || altText });
      ofPost.add(key);
      return key;
    },
    /** Those used since the last call belong to this post. */
    endPost(post: Pick<PostItem, "publishedAt" | "visibility">): void {
      if (post.publishedAt != null && post.visibility === "public")
        for (const key of ofPost) uses.set(key, { ...(uses.get(key) ?? unused), isPublic: true });
      ofPost = new Set();
    },
    has: (file: TreeFile) => uses.has(keyOf(file)),
    /** A picture of a post is seen by those who see the post; one that only drafts and private posts use is private. */
    itemOf(file: TreeFile, path: string[], oldAddresses: string[]): FileItem {
      const { isPicture, isPublic, altText } = uses.get(keyOf(file)) ?? unused;
      return toFile(file, { path, isPublic, photo: isPicture ? { altText } : null, oldAddresses });
    },
  };
}
