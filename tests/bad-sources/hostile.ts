// Archives that were made to stop a server. Written to a folder with: node bin/bun tests/bad-sources/hostile.ts FOLDER
import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ZipEntry, zipOf } from "./write-archives.ts";

export type HostileSource = {
  name: string;
  /** `size` is 1 for the whole one, and a part of it in `npm test`. */
  make(size: number): Buffer;
};

const packed = (name: string, data: string | Uint8Array): ZipEntry => ({ name, data, isDeflated: true });
const times = (count: number, size: number) => Math.max(1, Math.ceil(count * size));

/** The time of the search grows with the square of the length of the texts. */
function slowDatabase(): Uint8Array {
  using db = new Database(":memory:");
  db.run("CREATE TABLE base_albums (id TEXT, title TEXT)");
  db.run("CREATE TABLE size_variants (photo_id TEXT, short_path TEXT)");
  const zeros = "hex(zeroblob(5000000))";
  db.run("CREATE TABLE albums (id TEXT)");
  db.run("INSERT INTO albums (id) VALUES ('a1')");
  // Added last, it is not computed here.
  db.run(`ALTER TABLE albums ADD COLUMN slow INT AS (instr(${zeros} || ${zeros}, ${zeros} || '1'))`);
  return db.serialize();
}

const ghostOf = (posts: string) => `{"db":[{"meta":{"version":"5.0.0"},"data":{"posts":[${posts}],"tags":[]}}]}`;

function repeatedCard(size: number): string {
  const card = ["html", { html: `<p>${"x".repeat(50_000)}</p>` }];
  const sections = Array.from({ length: times(3000, size) }, () => [10, 0]);
  const mobiledoc = JSON.stringify({ markups: [], atoms: [], cards: [card], sections });
  return ghostOf(JSON.stringify({ id: "1", title: "Cards", slug: "cards", status: "published", mobiledoc }));
}

/** Each level names the one before nine times. */
function aliases(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) => {
    const inner = level === 0 ? '"lol"' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => inner).join(",")}]`;
  });
  return `---\ntitle: Aliases\n${lines.join("\n")}\n---\nText`;
}

function taggedPost(count: number): string {
  const tags = Array.from({ length: count }, (_, tag) => ({ id: `${tag}`, name: `Tag ${tag}` }));
  const data = {
    posts: [{ id: "1", title: "Tags", slug: "tags", status: "published", html: "<p>Text</p>" }],
    posts_tags: tags.map(({ id }) => ({ post_id: "1", tag_id: id })),
    tags,
  };
  return JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] });
}

const wordpress = (more: string, head = "") =>
  `<?xml version="1.0"?>${head}<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version><item><title>Deep</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded>${more}</content:encoded></item></channel></rss>`;

const entities = `<!DOCTYPE rss [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, level) => `<!ENTITY ${"abcdefghij"[level + 1]} "${`&${"abcdefghij"[level]};`.repeat(10)}">`).join("")}]>`;

function table(size: number): string {
  const rows = Array.from({ length: times(900_000, size) }, (_, row) => `IMG_${row}.jpg,yes`);
  return `imgName,favorite\n${rows.join("\n")}\n`;
}

function innerZip(depth: number): Buffer {
  let zip = zipOf([packed("a.txt", "x")]);
  for (let level = 0; level < depth; level++) zip = zipOf([packed("inner.zip", zip), packed("more.zip", zip)]);
  return zip;
}

export const hostileSources: HostileSource[] = [
  {
    name: "a database whose column takes for ever",
    make: () => zipOf([packed("database.sqlite", slowDatabase()), packed("uploads/original/1.jpg", "x")]),
  },
  {
    name: "five million posts in fifteen kilobytes",
    make: (size) => zipOf([packed("ghost.json", ghostOf(Array.from({ length: times(5e6, size) }, () => "{}").join()))]),
  },
  { name: "one card, named three thousand times", make: (size) => zipOf([packed("ghost.json", repeatedCard(size))]) },
  {
    name: "aliases of YAML, seven levels deep",
    make: (size) => zipOf([packed("hugo.toml", ""), packed("content/a.md", aliases(size < 1 ? 5 : 7))]),
  },
  {
    name: "a post with 300,000 tags",
    make: (size) => zipOf([packed("ghost.json", taggedPost(times(300_000, size)))]),
  },
  {
    name: "60,000 entries",
    make: (size) =>
      zipOf(Array.from({ length: times(60_000, size) }, (_, entry) => ({ name: `${entry % 300}/${entry}`, data: "" }))),
  },
  { name: "archives in archives", make: (size) => innerZip(size < 1 ? 4 : 12) },
  { name: "entities of XML", make: () => zipOf([packed("blog.xml", wordpress("&j;", entities))]) },
  {
    name: "a table of 900,000 rows",
    make: (size) => zipOf([packed("Photos/Photo Details.csv", table(size)), packed("Photos/a.jpg", "x")]),
  },
  {
    name: "HTML, 100,000 elements deep",
    make: (size) => zipOf([packed("blog.xml", wordpress(`<![CDATA[${"<div><b>".repeat(times(50_000, size))}]]>`))]),
  },
];

if (import.meta.main) {
  const [folder = ""] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const [index, { name, make }] of hostileSources.entries()) {
    const bytes = make(1);
    writeFileSync(join(folder, `${index + 1}.zip`), bytes);
    console.log(`${index + 1}.zip: ${name}, ${bytes.length} bytes`);
  }
}
