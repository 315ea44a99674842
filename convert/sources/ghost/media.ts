import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { decode } from "../texts.ts";

export type GhostMedia = ReturnType<typeof indexMedia>;

const folders = new Set(["images", "media", "files"]);

/**
 * What lies in the `content` folder of Ghost, by its path below it. Ghost keeps the picture that was uploaded beside the one it
 * shows, with `_o` at the end of its name: that one is taken instead. Smaller copies lie in `size`.
 */
export function indexMedia(all: TreeFile[]) {
  const byPath = new Map<string, TreeFile>();
  const smaller: TreeFile[] = [];
  for (const file of all) {
    const names = pathInContent(file.path);
    const path = names?.join("/").normalize("NFC") ?? "";
    if (names?.[1] === "size") smaller.push(file);
    else if (names && !byPath.has(path)) byPath.set(path, file);
  }
  const files = [...byPath].flatMap(([path, file]) => {
    const shown = path.replace(/_o(\.[^./]*)$/, "$1");
    if (shown !== path && byPath.has(shown)) return [];
    const original = byPath.get(path.replace(/(\.[^./]*)$/, "_o$1"));
    if (original) smaller.push(file);
    return [{ file: original ?? file, path: path.split("/"), oldAddresses: [`/content/${path}`] }];
  });
  const found = new Map(files.map(({ file, path }) => [path.join("/"), file]));
  return {
    files,
    /** What Ghost has made of them. */
    smaller,
    /** The file that an address of the blog leads to. */
    find(url: string): TreeFile | null {
      const path = /\/content\/((?:images|media|files)\/[^?#]{1,1000})/.exec(url)?.[1];
      if (!path) return null;
      const plain = decode(path).replace(/^images\/size\/[^/]{1,50}\/(?:format\/[^/]{1,50}\/)?/, "images/");
      return found.get(plain) ?? found.get(plain.replace(/_o(\.[^./]*)$/, "$1")) ?? null;
    },
  };
}

function pathInContent(path: string[]): string[] | null {
  const content = path.lastIndexOf("content");
  const start = content >= 0 ? content + 1 : path.findIndex((name) => folders.has(name));
  return start >= 0 && folders.has(path[start] ?? "") && path.length > start + 1 ? path.slice(start) : null;
}
