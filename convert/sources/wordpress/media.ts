import type { UploadFolder } from "./upload-folders.ts";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";

const sized = /-\d{1,5}x\d{1,5}(?=\.[a-z\d]{1,5}$)/i;
const scaled = /-scaled(?=\.[a-z\d]{1,5}$)/i;

/** The files of `wp-content/uploads`, wherever that lies in the sources. */
export type Uploads = {
  /** How many there are. */
  readonly size: number;
  /** Files that have the name of another one, in another folder of uploads. */
  readonly repeated: readonly TreeFile[];
  /** Where the file of an address lies below the folder of uploads; null for an address of something else. */
  keyAt(url: string): string | null;
  /** The original of a picture, by an address under which any size of it was read; null if it is not there. */
  find(url: string): string | null;
  get(key: string): TreeFile | undefined;
  /** A file that lies elsewhere, as if it were there. */
  add(key: string, file: TreeFile): void;
  /** A file was also read at this address, which does not name the folder. */
  addAddress(url: string, key: string): void;
  /** The keys of smaller pictures that WordPress has made of this one. */
  sizesOf(key: string): string[];
  /** All that are no smaller pictures of others. */
  originals(): string[];
};

/** `site` is the number of the blog in a network, whose addresses have it. */
export function indexUploads(folders: Pick<UploadFolder, "files">[], site: string | null): Uploads {
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
  return {
    get size() {
      return byKey.size;
    },
    repeated,
    keyAt,
    find(url) {
      const path = addresses.get(url.replace(/[?#].*$/s, "")) ?? keyAt(url);
      return path === null ? null : originalOf(path);
    },
    get: (key) => byKey.get(key),
    addAddress: (url, key) => void addresses.set(url.replace(/[?#].*$/s, ""), key),
    add(key, file) {
      byKey.set(key, file);
      sizes = null;
    },
    sizesOf(key) {
      sizes ??= Map.groupBy(byKey.keys(), (one) => originalOf(one) ?? "");
      return (sizes.get(key) ?? []).filter((one) => one !== key);
    },
    originals: () => [...byKey.keys()].filter((key) => originalOf(key) === key),
  };

  function keyAt(url: string): string | null {
    const path = pathOf(url);
    return path !== null && site !== null && path.startsWith(`sites/${site}/`) ? path.slice(7 + site.length) : path;
  }
}

/** The path below the folder of uploads, of any address that has one. On wordpress.com it is the root of a host. */
function pathOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (!parsed) return null;
  try {
    const path = decodeURIComponent(parsed.pathname).normalize("NFC");
    const start = path.lastIndexOf("/uploads/");
    if (start >= 0) return path.slice(start + "/uploads/".length);
    return parsed.hostname.endsWith(".files.wordpress.com") ? path.slice(1) : null;
  } catch {
    return null;
  }
}
