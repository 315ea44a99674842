import { z } from "zod";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { readJSON, tryHead, usableIn } from "../files.ts";
import { nameOf } from "../items.ts";

/** Larger ones take more memory than a small machine has. */
const longestExport = 2 ** 28;

const id = z.union([z.string(), z.number()]).transform(String);
const text = z.string().nullish().catch(null);
const time = z.union([z.string(), z.number()]).nullish().catch(null);
const postRow = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  status: text,
  visibility: text,
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish().catch(null),
  feature_image: text,
  feature_image_alt: text,
  custom_excerpt: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  author_id: id.nullish().catch(null),
  published_at: time,
  created_at: time,
  updated_at: time,
});
const dataSchema = z.object({
  posts: z.array(z.unknown()).pipe(usableIn(postRow)),
  posts_meta: usableIn(z.object({ post_id: id, feature_image_alt: text })),
  tags: usableIn(z.object({ id, name: z.string(), slug: text, visibility: text })),
  posts_tags: usableIn(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish().catch(null) })),
  users: usableIn(z.object({ id, name: text, slug: text })),
  posts_authors: usableIn(z.object({ post_id: id, author_id: id, sort_order: z.number().nullish().catch(null) })),
  settings: usableIn(z.object({ key: z.string(), value: z.unknown() })),
  newsletters: usableIn(z.unknown()),
  products: usableIn(z.unknown()),
  members: usableIn(z.unknown()),
});

/** The data of an export, or of the first database of one that has several. */
const inFile = <Data extends z.ZodType>(data: Data): z.ZodType<{ data: z.output<Data> }> => {
  const file = z.object({ data });
  return z.union([z.object({ db: z.tuple([file], z.unknown()) }).transform(({ db }) => db[0]), file]) as never;
};
const whole = inFile(dataSchema);
const allPosts = inFile(z.object({ posts: z.array(z.unknown()) }));

export type GhostData = z.output<typeof dataSchema> & {
  /** How many of its posts are not as expected. */
  lost: number;
};
export type GhostPost = z.output<typeof postRow>;

const isJSON = (file: TreeFile) => /\.json$/i.test(nameOf(file));

/** The files that may be the export, by their first bytes. */
export async function findExports(files: TreeFile[]): Promise<TreeFile[]> {
  const found: TreeFile[] = [];
  const candidates = files.filter((file) => isJSON(file) && !file.path.includes("images"));
  // It stands above what the folder of Ghost has, such as the texts of themes.
  for (const file of candidates.toSorted((one, other) => one.path.length - other.path.length).slice(0, 50)) {
    const head = await tryHead(file, 4096);
    if (/^\ufeff?\s*\{\s*"(db|meta|data)"\s*:/.test(head) && /"(exported_on|version|posts)"\s*:/.test(head))
      found.push(file);
  }
  return found;
}

/** Null if it is none. */
export async function readExport(file: TreeFile): Promise<GhostData | null> {
  if (file.size > longestExport) return null;
  const content = await readJSON(file, longestExport);
  const data = whole.safeParse(content).data?.data;
  const posts = allPosts.safeParse(content).data?.data.posts ?? [];
  return data ? { ...data, lost: posts.length - data.posts.length } : null;
}
