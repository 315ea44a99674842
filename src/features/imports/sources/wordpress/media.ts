import type { TreeFile } from "../../../../platform/archives/tree.ts";

const sized = /-\d{1,5}x\d{1,5}(?=\.[a-z\d]{1,5}$)/i;
const scaled = /-scaled(?=\.[a-z\d]{1,5}$)/i;

/** The files of `wp-content/uploads`, wherever that lies in the sources. */
export type Uploads = {
  /** How many there are. */
  readonly size: number;
  /** The original of a picture, by an address under which any size of it was read; null if it is not there. */
  find(url: string): string | null;
  get(key: string): TreeFile | undefined;
  /** The keys of smaller pictures that WordPress has made of this one. */
  sizesOf(key: string): string[];
  /** All that are no smaller pictures of others. */
  originals(): string[];
};

export function indexUploads(files: TreeFile[]): Uploads {
  const byKey = new Map<string, TreeFile>();
  for (const file of files) {
    const key = keyOf(file.path);
    if (!byKey.has(key)) byKey.set(key, file);
  }
  const sizes = Map.groupBy(byKey.keys(), (key) => originalOf(key) ?? "");
  function originalOf(key: string): string | null {
    const candidates = [key.replace(sized, ""), key.replace(sized, "-scaled")].flatMap((one) => [
      one.replace(scaled, ""),
      one,
    ]);
    return candidates.find((one) => byKey.has(one)) ?? (byKey.has(key) ? key : null);
  }
  return {
    size: byKey.size,
    find(url) {
      const path = pathOf(url);
      return path === null ? null : originalOf(path);
    },
    get: (key) => byKey.get(key),
    sizesOf: (key) => (sizes.get(key) ?? []).filter((one) => one !== key),
    originals: () => [...byKey.keys()].filter((key) => originalOf(key) === key),
  };
}

/** Below the folder of uploads, if the path names it. */
function keyOf(path: string[]): string {
  const start = path.lastIndexOf("uploads");
  return path
    .slice(start + 1)
    .join("/")
    .normalize("NFC");
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
