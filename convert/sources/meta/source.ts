import type { Tree, TreeFile } from "../../../src/platform/archives/tree.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { nextTurn } from "../../../src/platform/event-loop.ts";
import { type Item, keyOf, listFiles, refuse } from "../items.ts";
import type { SourceKind } from "../kind.ts";
import { createLibrary } from "./library.ts";

type Library = ReturnType<typeof createLibrary>;

/** How the export of a service differs from that of the other. */
type Service = {
  kind: "instagram" | "facebook";
  title: string;
  /** What only this service has, at the top or in one folder. */
  own: RegExp;
  /** Whether a file, without its extension, lists posts, pictures or albums. */
  hasRecords(path: string): boolean;
  /** Adds what a file lists, and returns how many of its entries cannot be read. */
  read(file: TreeFile, name: string, library: Library): Promise<number>;
  /** Called once, after all files. */
  finish?(library: Library): void;
};

const withoutExtension = (path: string) => path.replace(/\.(json|html)$/i, "");

/** The export that Instagram or Facebook makes in JSON, in one or several archives. */
export function metaKind(begin: () => Service): SourceKind {
  const { kind, title, own, hasRecords } = begin();
  const lists = (file: TreeFile, form: RegExp) => form.test(keyOf(file)) && hasRecords(withoutExtension(keyOf(file)));
  return {
    kind,
    title,
    alwaysHasPhotos: true,
    isTelling: (path) => own.test(path.join("/")),
    recognise: async (files) => files.some((file) => own.test(keyOf(file))),
    async nameOf(tree) {
      const { files } = await listFiles(tree);
      if (files.some((file) => lists(file, /\.json$/i))) return title;
      if (files.some((file) => lists(file, /\.html$/i)))
        throw invalid(
          `The export of ${title} is in HTML, from which posts cannot be read reliably: ask ${title} for it again, choose the format JSON, and import that.`,
        );
      throw invalid(`No part of the export of ${title} here lists any posts: give all of its archives to one command.`);
    },
    list: listItems,
  };

  async function* listItems(tree: Tree): AsyncGenerator<Item> {
    const { files, lines } = await listFiles(tree);
    const library = createLibrary(title, files);
    const service = begin();
    const read = new Set(files.filter((one) => lists(one, /\.json$/i)));
    for (const file of read) {
      await nextTurn();
      try {
        const unreadable = await service.read(file, withoutExtension(keyOf(file)), library);
        if (unreadable > 0) lines.push(refuse(keyOf(file), `${unreadable} of its entries cannot be read.`));
      } catch (error) {
        lines.push(refuse(keyOf(file), `It cannot be read: ${(error as Error).message.slice(0, 200)}`));
      }
    }
    service.finish?.(library);
    yield* lines;
    yield* library.items(read);
  }
}
