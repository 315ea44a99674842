import { isUnusable, type Tree } from "../../src/platform/archives/tree.ts";
import { isHiddenFile } from "./files.ts";
import { type Item, note } from "./items.ts";

/** What a source has without the hidden files of its tree, and how many these are. */
export async function* withoutHidden<Of extends Tree>(
  tree: Of,
  list: (visible: Of) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let count = 0;
  yield* list({
    ...tree,
    async *list() {
      count = 0;
      for await (const entry of tree.list())
        if (isUnusable(entry) || !isHiddenFile(entry)) yield entry;
        else if ("open" in entry) count++;
    },
  });
  if (count > 0)
    yield note("hidden files", `${count} hidden ${count === 1 ? "file" : "files"} left out; --hidden takes them`);
}
