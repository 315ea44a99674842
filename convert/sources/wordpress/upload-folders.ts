import type { TreeFile } from "../../../src/platform/archives/tree.ts";

/** A folder of uploads: that of a blog, or of one in a network (`uploads/sites/2`). */
export type UploadFolder = {
  path: string[];
  part: number | undefined;
  /** The number of the blog in its network; null if the path does not say it. */
  site: string | null;
  /** By their paths below it. */
  files: Map<string, TreeFile>;
};

/** A blog that looks for its uploads. */
export type Seeker = {
  site: string | null;
  /** Where the exports of the blog lie. */
  exports: TreeFile[];
  /** The paths of its media below the folder of uploads. */
  keys: string[];
};

export function findUploadFolders(files: TreeFile[]): UploadFolder[] {
  const folders = new Map<string, UploadFolder>();
  for (const file of files) {
    const { part } = file;
    const { path, site, key } = placeOf(file.path);
    const id = `${part ?? 0}/${path.join("/")}`;
    const folder = folders.get(id) ?? { path, part, site, files: new Map<string, TreeFile>() };
    folders.set(id, folder);
    if (!folder.files.has(key)) folder.files.set(key, file);
  }
  return [...folders.values()];
}

/** Older networks have `blogs.dir/2/files` instead. */
function placeOf(names: string[]): { path: string[]; site: string | null; key: string } {
  const start = names.lastIndexOf("uploads") + 1;
  const isSite = names[start] === "sites" && /^\d+$/.test(names[start + 1] ?? "");
  const old = start > 0 ? -1 : names.indexOf("blogs.dir");
  const end = old >= 0 ? old + 3 : isSite ? start + 2 : start;
  const site = old >= 0 ? (names[old + 1] ?? null) : isSite ? (names[start + 1] ?? null) : null;
  return { path: names.slice(0, end), site, key: names.slice(end).join("/").normalize("NFC") };
}

/** Which of the folders belong to each blog. A picture of one blog may have the same path as one of another. */
export function shareFolders(blogs: Seeker[], folders: UploadFolder[]): UploadFolder[][] {
  const fits = new Map(
    blogs.map((blog) => [blog, new Map(folders.map((folder) => [folder, countFound(blog, folder)]))]),
  );
  const fitOf = (blog: Seeker, folder: UploadFolder) => fits.get(blog)?.get(folder) ?? 0;
  const candidates = new Map(blogs.map((blog) => [blog, candidatesOf(blog)]));
  return blogs.map((blog) => {
    const possible = candidates.get(blog) ?? [];
    const own = possible.filter((folder) => bestFor(folder) === blog);
    // Blogs of an older network have one folder together.
    return own.length > 0 ? own : possible;
  });

  /** Those with its number; those without a number, if its media are only there. */
  function candidatesOf(blog: Seeker): UploadFolder[] {
    const own = folders.filter(({ site }) => site === blog.site);
    const plain = folders.filter(({ site }) => site === null);
    const hasMedia = (some: UploadFolder[]) => some.some((folder) => fitOf(blog, folder) > 0);
    return hasMedia(own) || !hasMedia(plain) ? own : plain;
  }

  /** The blog with most media in it; then that whose export is nearest; then the one that is named in the same order. */
  function bestFor(folder: UploadFolder): Seeker | undefined {
    const wanting = blogs.filter((blog) => candidates.get(blog)?.includes(folder));
    const alike = folders.filter((one) => wanting.every((blog) => candidates.get(blog)?.includes(one)));
    const place = alike.indexOf(folder);
    const ranks = new Map(
      wanting.map((blog, index) => [
        blog,
        [fitOf(blog, folder), nearness(blog, folder), Number(index === place)] as const,
      ]),
    );
    return wanting.toSorted((one, other) => compare(ranks.get(other), ranks.get(one)))[0];
  }
}

const compare = (one: readonly number[] = [], other: readonly number[] = []): number =>
  one.map((number, index) => number - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

const countFound = ({ keys }: Seeker, { files }: UploadFolder): number => keys.filter((key) => files.has(key)).length;

/** How many names of their paths are the same. */
function nearness({ exports }: Seeker, { path, part }: UploadFolder): number {
  const common = exports.map((file) => {
    if (file.part !== part) return 0;
    const different = path.findIndex((name, index) => file.path[index] !== name);
    return different < 0 ? path.length : different;
  });
  return Math.max(0, ...common);
}
