import type { Branch } from "./html-tree.ts";

export type Notes = {
  /** The number of the note that a link of the text leads to. */
  noteOf(link: Branch): number | null;
  isNote(branch: Branch): boolean;
  /** The notes that the text refers to, by their numbers. */
  listed(): [number, Branch][];
};

/** Notes are items of a list which links of the text lead to, and which lead back to the text. */
export function findNotes(tree: Branch): Notes {
  const items = new Map<string, Branch>();
  const links = new Map<string, Branch[]>();
  visit(tree, null);
  const numbers = new Map<Branch, number>();
  const references = new Map<Branch, number>();
  for (const [id, item] of items) {
    const found = links.get(id) ?? [];
    if (found.length === 0 || !removeWayBack(item)) continue;
    const number = numbers.size + 1;
    numbers.set(item, number);
    for (const link of found) references.set(link, number);
  }
  return {
    noteOf: (link) => references.get(link) ?? null,
    isNote: (branch) => numbers.has(branch),
    listed: () => [...numbers].map(([item, number]) => [number, item]),
  };

  function visit(branch: Branch, within: Branch | null): void {
    const { tag, attributes, children } = branch;
    const item = tag === "li" && within === null && attributes.get("id") ? branch : within;
    if (item === branch && !items.has(attributes.get("id") as string))
      items.set(attributes.get("id") as string, branch);
    const to = tag === "a" && item === null ? /^#(.+)$/.exec(attributes.get("href") ?? "")?.[1] : undefined;
    if (to && !links.get(to)?.push(branch)) links.set(to, [branch]);
    for (const child of children) if (typeof child !== "string") visit(child, item);
  }
}

/** Our site adds it itself. Returns whether there was one. */
function removeWayBack(branch: Branch): boolean {
  const isBack = (child: Branch | string) =>
    typeof child !== "string" && child.tag === "a" && (child.attributes.get("href") ?? "").startsWith("#");
  const count = branch.children.length;
  branch.children = branch.children.filter((child) => !isBack(child));
  const inner = branch.children.filter((child) => typeof child !== "string");
  return inner.map(removeWayBack).includes(true) || branch.children.length < count;
}
