import { decode } from "../texts.ts";
import type { UploadFolder } from "./upload-folders.ts";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";

const sized = /-\d{1,5}x\d{1,5}(?=\.[a-z\d]{1,5}$)/i;
const scaled = /-scaled(?=\.[a-z\d]{1,5}$)/i;

/** The files of `wp-content/uploads`, wherever that lies in the sources. `site` is the number of the blog in a network, whose addresses have it. */
export function indexUploads(folders: Pick<UploadFolder, "files">[], site: string | null) {
  const byKey = new Map<string, TreeFile>();
  const addresses = new Map<string, string>();
  const repeated: TreeFile[] = [];
  for (const { files } of folders)
    for (const [key, file] of files)
      if (byKey.has(key)) repeated.push(file);
      else byKey.set(key, file);
  let sizes: Map<string, string[]> | null = null;
  function originalOf(key: string): string | null {
    const candidates = [key.replace(sized, ""), key.replace(sized, "-scaled")].flatMap((one) => [
      one.replace(scaled, ""),
      one,
    ]);
    return candidates.find((one) => byKey.has(one)) ?? (byKey.has(key) ? key : null);
  }
  const plain = (url: string) => url.replace(/[?#].*$/s, "");
  return {
    size: () => byKey.size,
    /** Files that have the name of another one, in another folder of uploads. */
    repeated,
    keyAt,
    /** The original of a picture, by an address under which any size of it was read; null if it is not there. */
    find(url: string): string | null {
      const path = addresses.get(plain(url)) ?? keyAt(url);
      return path === null ? null : originalOf(path);
    },
    get: (key: string) => byKey.get(key),
    /** A file was also read at this address, which does not name the folder. */
    addAddress: (url: string, key: string) => void addresses.set(plain(url), key),
    /** A file that lies elsewhere, as if it were there. */
    add(key: string, file: TreeFile): void {
      byKey.set(key, file);
      sizes = null;
    },
    /** The keys of smaller pictures that WordPress has made of this one. */
    sizesOf(key: string): string[] {
      sizes ??= Map.groupBy(byKey.keys(), (one) => originalOf(one) ?? "");
      return (sizes.get(key) ?? []).filter((one) => one !== key);
    },
    /** All that are no smaller pictures of others. */
    originals: () => [...byKey.keys()].filter((key) => originalOf(key) === key),
  };

  /** Where the file of an address lies below the folder of uploads; null for an address of something else. */
  function keyAt(url: string): string | null {
    const path = pathOf(url);
    return path !== null && site !== null && path.startsWith(`sites/${site}/`) ? path.slice(7 + site.length) : path;
  }
}

/** The path below the folder of uploads, of any address that has one. On wordpress.com it is the root of a host. */
function pathOf(url: string): string | null {
  const { pathname = "", hostname = "" } = URL.parse(url) ?? {};
  const path = decode(pathname);
  const start = path.lastIndexOf("/uploads/");
  if (start >= 0) return path.slice(start + "/uploads/".length);
  return hostname.endsWith(".files.wordpress.com") ? path.slice(1) : null;
}
