import type { Item } from "../../../src/features/imports/item.ts";
import { isUnusable, type Tree, type TreeFile } from "../../../src/platform/archives/tree.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { nextTurn } from "../../../src/platform/event-loop.ts";
import type { SourceKind } from "../kind.ts";
import { createLibrary } from "./library.ts";

type Library = ReturnType<typeof createLibrary>;
type Line = Extract<Item, { kind: "refused" | "note" }>;

/** How the export of a service differs from that of the other. */
type Service = {
  kind: "instagram" | "facebook";
  title: string;
  /** What only this service has, at the top or in one folder. */
  isIts(path: string): boolean;
  /** Whether a file, without its extension, lists posts, pictures or albums. */
  hasRecords(path: string): boolean;
  /** Adds what a file lists, and returns a line for what cannot be taken. */
  read(file: TreeFile, path: string, library: Library): Promise<Line[]>;
  /** Called once, after all files. */
  finish?(library: Library): void;
};

const pathOf = ({ path }: TreeFile) => path.join("/");
const withoutExtension = (path: string) => path.replace(/\.(json|html)$/i, "");

/** The export that Instagram or Facebook makes in JSON, in one or several archives. */
export function metaKind(begin: () => Service): SourceKind {
  const { kind, title, isIts, hasRecords } = begin();
  const lists = (file: TreeFile, form: RegExp) => form.test(pathOf(file)) && hasRecords(withoutExtension(pathOf(file)));
  return {
    kind,
    title,
    alwaysHasPhotos: true,
    isTelling: (path) => isIts(path.join("/")),
    recognise: async (files) => files.some((file) => isIts(pathOf(file))),
    async nameOf(tree) {
      const files = await filesOf(tree, []);
      if (files.some((file) => lists(file, /\.json$/i))) return title;
      if (files.some((file) => lists(file, /\.html$/i)))
        throw invalid(
          `The export of ${title} is in HTML, from which posts cannot be read reliably: ask ${title} for it again, choose the format JSON, and import that.`,
        );
      throw invalid(`No part of the export of ${title} here lists any posts: give all of its archives to one command.`);
    },
    open: (tree, name) => ({ kind, name, items: () => listItems(tree) }),
  };

  async function* listItems(tree: Tree): AsyncGenerator<Item> {
    const lines: Line[] = [];
    const files = await filesOf(tree, lines);
    const library = createLibrary(title, files);
    const service = begin();
    const read = new Set<TreeFile>();
    for (const file of files.filter((one) => lists(one, /\.json$/i))) {
      await nextTurn();
      read.add(file);
      try {
        lines.push(...(await service.read(file, pathOf(file), library)));
      } catch (error) {
        lines.push({
          kind: "refused",
          key: pathOf(file),
          reason: `It cannot be read: ${(error as Error).message.slice(0, 200)}`,
        });
      }
    }
    service.finish?.(library);
    yield* lines;
    yield* library.items(read);
  }
}

async function filesOf(tree: Tree, lines: Line[]): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  for await (const entry of tree.list()) {
    if (isUnusable(entry))
      lines.push({ kind: entry.isNeedless ? "note" : "refused", key: entry.path, reason: entry.reason });
    else if (!("isDirectory" in entry)) files.push(entry);
  }
  return files;
}

/** A line for records that are not as they should be. */
export const unreadableIn = (path: string, count: number): Line[] =>
  count === 0 ? [] : [{ kind: "refused", key: path, reason: `${count} of its entries cannot be read.` }];
