import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import { addTo, createCounts, nameOf } from "../items.ts";
import { decode } from "../texts.ts";
import type { Document } from "./document.ts";
import { textField } from "./fields.ts";
import type { Layout } from "./layouts.ts";

type Found = { document: Document } | { file: TreeFile };

export type Resolver = ReturnType<typeof createResolver>;

const keyOf = (path: string[]) => path.join("/").normalize("NFC");
/** A name may be the end of a path, with so many folders. */
const mostNames = 6;
/** Where the files of an address lie that begins at the top of the site. */
const tops: Record<Layout["program"], string[]> = {
  hugo: ["static", "assets", "content", ""],
  jekyll: [""],
  obsidian: [""],
  plain: ["", "static", "public", "content"],
};

/** Finds what addresses and names in a text mean. */
export function createResolver(
  files: { file: TreeFile; path: string[] }[],
  documents: Document[],
  { program, settings }: Layout,
) {
  const byPath = new Map<string, Found>(files.map(({ file, path }) => [keyOf(path), { file }]));
  const byName = new Map<string, Found>();
  const byAddress = new Map<string, Found>();
  for (const document of documents) {
    const found = { document };
    byPath.set(keyOf(document.path), found);
    for (const address of document.oldAddresses) byAddress.set(plainAddress(address), found);
  }
  // The shortest path wins, as it does in a vault.
  for (const [path, found] of [...byPath].toSorted(([one], [other]) => one.length - other.length)) {
    const names = path.toLowerCase().split("/");
    const name = names.at(-1) ?? "";
    for (let count = 1; count <= Math.min(names.length, mostNames); count++) {
      const end = names.slice(-count).join("/");
      for (const key of [end, end.replace(/\.md$/, "")]) if (!byName.has(key)) byName.set(key, found);
    }
    if ("document" in found && program === "jekyll") byName.set(name.replace(/\.[^.]*$/, ""), found);
  }
  const pictures = new Map<string, TreeFile[]>();
  for (const { file, path } of files)
    if (/\.(jpe?g|png|gif|webp|avif|heic)$/i.test(nameOf(file))) addTo(pictures, path.slice(0, -1).join("/"), file);
  const host = /^https?:\/\/[^/]{1,300}/i.exec(textField(settings, "baseURL", "baseurl", "url"))?.[0].toLowerCase();
  const slugs = createCounts();
  for (const { slug } of documents) slugs.add(slugOf(slug));
  return {
    find(name: string, from: Document): Found | null {
      const own = host && name.toLowerCase().startsWith(`${host}/`) ? name.slice(host.length) : name;
      if (/^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(own)) return null;
      const path = decode(own.replace(/[?#].*$/s, ""));
      if (path === "") return null;
      const exact = candidatesOf(path, from)
        .map((one) => byPath.get(one))
        .find(Boolean);
      const anywhere =
        program === "obsidian" || !path.includes("/") ? byName.get(path.toLowerCase().normalize("NFC")) : undefined;
      return exact ?? byAddress.get(plainAddress(path)) ?? anywhere ?? null;
    },
    linkTo(document: Document): string {
      const slug = slugOf(document.slug);
      const [old] = document.oldAddresses;
      if ((slugs.get(slug) > 1 || slug === "") && old?.startsWith("/")) return old;
      return `${document.isPage ? "" : "/blog"}/${encodeURIComponent(slug)}`;
    },
    picturesIn(folder: string, from: Document): TreeFile[] {
      const plain = folder.replace(/\/?\*.*$/s, "").replace(/^\/|\/$/g, "");
      const folders = [...tops[program], from.path.slice(0, -1).join("/")].map((top) =>
        [top, plain].filter(Boolean).join("/"),
      );
      return [...new Set(folders)].flatMap((one) => pictures.get(one) ?? []);
    },
  };

  function candidatesOf(path: string, from: Document): string[] {
    const folder = from.path.slice(0, -1);
    const name = (from.path.at(-1) ?? "").replace(/\.[^.]*$/, "");
    const bases = path.startsWith("/")
      ? tops[program].map((top) => top.split("/").filter(Boolean))
      : [folder, [...folder, name]];
    const others = path.startsWith("/") ? [] : tops[program].map((top) => top.split("/").filter(Boolean));
    return [...bases, ...others].flatMap((base) => {
      const joined = join(base, path);
      return joined === null ? [] : [joined, `${joined}.md`, `${joined}/index.md`, `${joined}.markdown`];
    });
  }
}

/** Null if it leads out of the source. */
function join(base: string[], path: string): string | null {
  const names = [...base];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") names.push(part);
    else if (names.pop() === undefined) return null;
  }
  return keyOf(names);
}

const plainAddress = (address: string): string =>
  decode(address)
    .toLowerCase()
    .replace(/^\/|\.html?$|\/$/g, "")
    .replace(/\/index$/, "");
