import { isUnusable, type Tree } from "../../src/platform/archives/tree.ts";
import type { Source } from "../../src/features/imports/item.ts";

/** Settings, keys and caches of programs, which their names hide from people. */
export const isHiddenFile = ({ path }: { path: string[] }) => path.some((name) => name.startsWith("."));

/** A source that leaves out the hidden files of its tree, and says how many. */
export function withoutHidden<Of extends Tree>(tree: Of, open: (visible: Of) => Source): Source {
  let count = 0;
  const source = open({
    ...tree,
    async *list() {
      count = 0;
      for await (const entry of tree.list())
        if (isUnusable(entry) || !isHiddenFile(entry)) yield entry;
        else if ("open" in entry) count++;
    },
  });
  return {
    ...source,
    async *items() {
      yield* source.items();
      const files = count === 1 ? "hidden file" : "hidden files";
      if (count > 0)
        yield { kind: "note", key: "hidden files", reason: `${count} ${files} left out; --hidden takes them` };
    },
  };
}
