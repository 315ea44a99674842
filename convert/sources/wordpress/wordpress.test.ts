// Runs on the embedded engines only: it is about what WordPress exports, and the command line.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { startFake } from "../../../tests/kit/servers/fake-servers.ts";
import { runBeside } from "../../../tests/kit/server.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import type { Item } from "../../../src/features/imports/lines.ts";
import type { PostItem } from "../../format/lines.ts";
import { readItems } from "../../../tests/kit/trees.ts";
import { recognise } from "../kinds.ts";
import { openTrees } from "../../../src/platform/archives/open-trees.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const server = useServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
const { guest, admin } = server.people();
const api = "/api/v1";
const scratch = useScratch();

const host = "https://old.example";
const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

type Given = Record<string, string> & { more?: string };
function itemOf({ id = "1", type = "post", status = "publish", more = "", ...given }: Given): string {
  const fields = {
    title: given.title ?? `Post ${id}`,
    link: given.link ?? `${host}/2019/05/post-${id}/`,
    "dc:creator": given.creator ?? "alice",
    "content:encoded": given.content ?? "Text.",
    "excerpt:encoded": given.excerpt ?? "",
    "wp:post_id": id,
    "wp:post_date": "2019-05-12 11:30:00",
    "wp:post_date_gmt": given.date ?? "2019-05-12 09:30:00",
    "wp:post_modified_gmt": "2020-01-02 03:04:05",
    "wp:comment_status": "open",
    "wp:post_name": given.name ?? `post-${id}`,
    "wp:status": status,
    "wp:post_parent": given.parent ?? "0",
    "wp:post_type": type,
    "wp:post_password": given.password ?? "",
    ...(given.url && { "wp:attachment_url": given.url }),
  };
  const written = Object.entries(fields).map(([name, text]) => `<${name}>${cdata(text)}</${name}>`);
  return `<item>${written.join("\n")}${more}</item>`;
}
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`;
const comment = (
  id: number,
  { parent = 0, approved = "1", type = "comment", author = "Zoë", user = 0, text = "" } = {},
) => `
  <wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata(author)}</wp:comment_author>
  <wp:comment_author_email>${author}@example.org</wp:comment_author_email>
  <wp:comment_date_gmt>2019-06-0${id} 10:00:00</wp:comment_date_gmt><wp:comment_content>${cdata(text || `Comment ${id}`)}</wp:comment_content>
  <wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type>${type}</wp:comment_type>
  <wp:comment_parent>${parent}</wp:comment_parent><wp:comment_user_id>${user}</wp:comment_user_id></wp:comment>`;
const wxr = (items: string[], before = "") => `\ufeff<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress" -->${before}
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Old</title><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>${host}</wp:base_blog_url>
<wp:author><wp:author_id>3</wp:author_id><wp:author_login>alice</wp:author_login><wp:author_email>a@old.example</wp:author_email>
<wp:author_display_name>${cdata("Alice Liddell")}</wp:author_display_name></wp:author>
<wp:category><wp:category_nicename>sea</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata("Sea & Sun")}</wp:cat_name></wp:category>
<wp:category><wp:category_nicename>ports</wp:category_nicename><wp:category_parent>sea</wp:category_parent><wp:cat_name>Ports</wp:cat_name></wp:category>
${items.join("\n")}
</channel></rss>`;

const up = `${host}/wp-content/uploads/2019/05`;
const blocks = `<!-- wp:paragraph --><p>We went <strong>there</strong>, see <a href="${host}/2018/01/other/?x=1#top">this</a>.</p><!-- /wp:paragraph -->
<!-- wp:image {"id":11,"sizeSlug":"large"} --><figure class="wp-block-image"><a href="${up}/harbour.jpg"><img src="${up}/harbour-300x200.jpg" alt="The harbour" class="wp-image-11"/></a><figcaption>At <em>dusk</em></figcaption></figure><!-- /wp:image -->
<!-- wp:gallery {"linkTo":"none"} --><figure class="wp-block-gallery"><!-- wp:image {"id":12} --><figure><img src="${up}/b.jpg"/></figure><!-- /wp:image --><!-- wp:image {"id":11} --><figure><img src="${up}/harbour.jpg"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->
<!-- wp:block {"ref":90} /-->
<!-- wp:embed {"url":"https://video.example/1"} --><figure class="wp-block-embed"><div>https://video.example/1</div></figure><!-- /wp:embed -->`;
const classic = `First line
second line

[caption id="attachment_11" width="300"]<a href="${up}/harbour.jpg"><img src="${up}/harbour-300x200.jpg" alt="Harbour"></a> A caption[/caption]

[gallery] and [[gallery]] and [unknown x="1"]

<pre>keep

this</pre>
<img src="https://elsewhere.example/x.jpg" alt="Far">
[embed]https://video.example/2[/embed]`;

const items = [
  itemOf({
    id: "20",
    title: "Blocks &amp; more",
    content: blocks,
    link: `${host}/2019/05/blocks/`,
    name: "%c3%bcber-blocks",
    excerpt: "Short <b>text</b>",
    more:
      `<category domain="category" nicename="sea">${cdata("Sea &amp; Sun")}</category><category domain="post_tag" nicename="x">X</category>
       <category domain="category" nicename="uncategorized">Uncategorized</category>` +
      meta("_thumbnail_id", "12") +
      comment(2, { parent: 1, user: 3, author: "alice" }) +
      comment(1, { text: `See <a href="https://a.example/">here</a>.\n\nBye &amp; good luck` }) +
      comment(3, { parent: 2, approved: "0" }) +
      comment(4, { type: "pingback" }) +
      comment(5, { approved: "trash" }),
  }),
  itemOf({ id: "21", content: classic }),
  itemOf({ id: "22", type: "page", name: "about", link: `${host}/about/`, title: "About" }),
  itemOf({ id: "23", status: "draft", name: "", date: "0000-00-00 00:00:00", link: `${host}/?p=23` }),
  itemOf({ id: "24", status: "future", date: "2099-01-01 00:00:00" }),
  itemOf({ id: "25", status: "private", content: `<img src="${up}/secret.jpg">` }),
  itemOf({ id: "26", password: "x" }),
  itemOf({ id: "27", status: "trash" }),
  itemOf({ id: "30", type: "nav_menu_item" }),
  itemOf({ id: "31", type: "wp_block", content: "<p>Shared text</p>" }).replaceAll(cdata("31"), cdata("90")),
  itemOf({
    id: "11",
    type: "attachment",
    status: "inherit",
    title: "Harbour",
    url: `${up}/harbour-scaled.jpg`,
    parent: "21",
    link: `${host}/harbour-page/`,
    content: "Described",
    more: meta("_wp_attachment_image_alt", "A harbour at dusk"),
  }),
  itemOf({ id: "12", type: "attachment", status: "inherit", title: "B", url: `${up}/b.jpg`, parent: "20" }),
  itemOf({ id: "13", type: "attachment", status: "inherit", url: `${up}/secret.jpg`, parent: "25" }),
  itemOf({ id: "14", type: "attachment", status: "inherit", url: `${up}/gone.jpg`, parent: "0" }),
];

async function listItems(...paths: string[]): Promise<Item[]> {
  await using tree = await openTrees(paths, ["/nowhere"]);
  const kind = await recognise(tree);
  const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "public" as const };
  return readItems(kind, tree, wish);
}
const write = (name: string, text: string) => {
  writeFileSync(join(scratch, name), text);
  return join(scratch, name);
};
const postsOf = (all: Item[]) => all.filter((item): item is PostItem => item.kind === "post");
const refusedIn = (all: Item[]) =>
  all.filter((item) => item.kind === "refused").map(({ key, reason }) => [key, reason]);

describe("an export of WordPress", () => {
  testLong("comes along with its media, people, comments and addresses, and again adds nothing", async () => {
    const uploads = join(scratch, "wp-content/uploads/2019/05");
    mkdirSync(uploads, { recursive: true });
    for (const [index, name] of ["harbour", "b", "secret"].entries())
      writeFileSync(join(uploads, `${name}.jpg`), await bytesOf(quadrants(60 + 10 * index, 40).jpeg()));
    for (const name of ["harbour-300x200", "harbour-scaled"]) writeFileSync(join(uploads, `${name}.jpg`), "smaller");
    const first = write("one.xml", wxr(items.slice(0, 4)));
    const second = write("two.xml", wxr(items));
    const everyone = ["--visibility", "public"];
    const run = (...more: string[]) =>
      runBeside(server, ["import", first, second, join(scratch, "wp-content/uploads"), ...everyone, ...more]);
    expect((await run("--dry-run")).stdout).toContain("An import would have: 24 added");
    const { stdout, stderr } = await run();
    expect([stderr, stdout.split("\n")]).toEqual([
      "",
      [
        expect.stringMatching(/^Taken for an export of WordPress, with \d+ entries\. Everyone /),
        `Not imported: "${up}/gone.jpg": Its file is not in the folder of uploads.`,
        'Note: "comments: pingback": 1 of this kind are left out.',
        'Note: "comments: trash": 1 of this kind are left out.',
        'Note: "post (trash)": 1 of this kind: there is nothing like it here.',
        'Note: "nav_menu_item": 1 of this kind: there is nothing like it here.',
        'Note: "wp_block": 1 of this kind: their texts are in the posts that show them.',
        'Note: "repeated": 4 are in the export more than once, and taken once.',
        'Note: "smaller pictures": 2 that WordPress has made of others: texts show the originals.',
        expect.stringMatching(/^Import 1: 24 added .* 0 known already, 0 changed, 1 refused, 7 notes\.$/),
        "The server creates the photos: GET /api/v1/imports/1 shows the progress.",
        "",
      ],
    ]);
    expect((await run()).stdout).toContain("Import 2: 0 added (0.0 MB), 23 known already");
    await until(
      () => admin.get(`${api}/imports/1`),
      ({ body }) => body.status !== "running",
    );

    const { body: posts } = await guest.get(`${api}/blog`);
    expect(posts.map(({ slug }: { slug: string }) => slug)).toEqual(["post-21", "uber-blocks"]);
    const [plain, rich] = posts;
    const { body: photos } = await guest.get(`${api}/photos`);
    expect(photos.map(({ title }: { title: string }) => title).toSorted()).toEqual(["B", "Harbour"]);
    const [b, harbour] = photos.toSorted((one: any, other: any) => one.title.localeCompare(other.title));
    expect(harbour).toMatchObject({ altText: "A harbour at dusk", description: "Described", width: 60 });
    const { body: albums } = await guest.get(`${api}/albums`);
    const album = albums.find(({ name }: { name: string }) => name === "Blocks & more");
    expect((await guest.get(`${api}/albums/${album.id}`)).body.photos.map(({ id }: any) => id)).toEqual([
      b.id,
      harbour.id,
    ]);
    expect(rich).toMatchObject({
      title: "Blocks & more",
      excerpt: "Short text",
      tags: ["Sea & Sun", "X"],
      coverID: b.id,
      publishedAt: "2019-05-12T09:30:00.000Z",
      updatedAt: "2020-01-02T03:04:05.000Z",
    });
    expect(rich.content).toContain("We went **there**, see [this](/2018/01/other/?x=1#top).");
    expect(rich.content).toContain(`![[photo:${harbour.id}]]\n\n<figcaption>\n\nAt *dusk*`);
    expect(rich.content).toContain(`![[album:${album.id}]]\n\nShared text`);
    expect(rich.content).toContain("https://video.example/1");
    expect(plain.content).toStartWith("First line\\\nsecond line\n\n<figure>");
    expect(plain.content).toContain('\\[gallery\\] and \\[unknown x="1"\\]');
    expect(plain.content).toContain("```\nkeep\n\nthis\n```");
    expect(plain.content).toContain("![Far](https://elsewhere.example/x.jpg)");

    const { body: comments } = await admin.get(`${api}/comments?blogPostID=${rich.id}`);
    expect(comments.map((one: any) => [one.content, one.author.username, one.parentID === null, one.status])).toEqual([
      ["See here (https://a.example/).\n\nBye & good luck", "Zoë", true, "visible"],
      ["Comment 2", "alice", false, "visible"],
      ["Comment 3", "Zoë", false, "waiting"],
    ]);
    const { body: own } = await admin.get(`${api}/blog?visibility=all&cursor=`);
    const found = Object.fromEntries(
      own.map((one: any) => [one.title, [one.visibility, one.publishedAt?.slice(0, 4)]]),
    );
    expect(found).toMatchObject({
      "Post 23": ["public", undefined],
      "Post 24": ["public", "2099"],
      "Post 25": ["private", "2019"],
      "Post 26": ["private", "2019"],
    });
    const locations = async (...paths: string[]) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, headers } = await guest.request("GET", path, { redirect: "manual" });
          return status === 301 ? decodeURIComponent(headers.get("location") ?? "") : status;
        }),
      );
    expect(
      await locations(
        "/2019/05/blocks/",
        "/?p=20",
        "/category/sea",
        "/category/sea/ports",
        "/feed/",
        "/2019/05/post-25",
        "/?page_id=22",
      ),
    ).toEqual(["/blog/uber-blocks", "/blog/uber-blocks", "/tags/Sea & Sun", 404, "/blog/feed.xml", 404, "/about"]);
    const media = await locations(
      "/wp-content/uploads/2019/05/harbour-300x200.jpg",
      "/wp-content/uploads/2019/05/secret.jpg",
    );
    expect(media).toEqual([harbour.file.url, 404]);
  });

  test("that is damaged, hostile or without its media gives what it has", async () => {
    const whole = wxr(items);
    const cut = await listItems(write("cut.xml", whole.slice(0, whole.indexOf("Post 24"))));
    expect(postsOf(cut).map(({ key }) => key)).toEqual(["20", "21", "22", "23"].map((id) => `old.example ${id}`));
    expect(refusedIn(cut)[0]?.[1]).toStartWith("It is damaged or cut off");
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;
    expect(refusedIn(await listItems(write("bomb.xml", wxr(items, bomb))))).toEqual([
      ["bomb.xml", "It has a document type, which nothing needs here."],
    ]);
    const odd = wxr([itemOf({ id: "1", title: "A\u0001B", content: "x\u0000y &nbsp; ]]> z" }), "<x>".repeat(100)]);
    const oddities = await listItems(write("odd.xml", odd));
    expect(postsOf(oddities)).toMatchObject([{ title: "AB", content: "xy \u00a0 \\]\\]> z" }]);
    const latin = Buffer.from(
      wxr([itemOf({ title: "Café" })])
        .slice(1)
        .replace("UTF-8", "ISO-8859-1"),
      "latin1",
    );
    writeFileSync(join(scratch, "latin.xml"), latin);
    expect(postsOf(await listItems(join(scratch, "latin.xml")))).toMatchObject([{ title: "Café" }]);
    const alone = await listItems(write("alone.xml", whole));
    expect(refusedIn(alone)).toContainEqual([
      "wp-content/uploads",
      "4 files are missing: name the folder wp-content/uploads as a further source, or have them read from the old site (--fetch).",
    ]);
    expect(postsOf(alone)[0]?.content).toContain(`![](${up}/b.jpg)`);
  });

  test("brings along its media from the old site, if the owner wants that, and asks for none twice", async () => {
    const pictures = new Map<string, Uint8Array>();
    for (const name of ["a.jpg", "b.jpg", "shown.jpg"])
      pictures.set(`/wp-content/uploads/${name}`, await bytesOf(quadrants(90 + pictures.size, 60).jpeg()));
    let cuts = 1;
    await using old = await startFake(({ path }) => {
      if (path === "/cdn/b") return { status: 302, headers: { Location: "/wp-content/uploads/b.jpg" } };
      if (path.endsWith("page.jpg")) return { headers: { "Content-Type": "text/html" }, body: "Nothing here" };
      const body = pictures.get(path);
      if (!body) return { status: 404 };
      return path.endsWith("a.jpg") && cuts-- > 0 ? { body, cutAfter: 100 } : { body };
    });
    const files = `${old.url}/wp-content/uploads`;
    const media = (id: string, url: string, more = "") =>
      itemOf({ id, type: "attachment", status: "inherit", url, parent: "40", more });
    const content = `<img src="${files}/a-60x40.jpg"> <img src="${files}/gone.jpg" alt="Gone"> <img src="/wp-content/uploads/shown.jpg"> <a href="${files}/page.jpg">page</a>`;
    const fetched = wxr([
      itemOf({ id: "40", title: "Fetched", name: "fetched", content, more: meta("_thumbnail_id", "42") }),
      media("41", `${files}/a.jpg`),
      media("42", `${old.url}/cdn/b`, meta("_wp_attached_file", "2020/b.jpg")),
      media("43", `${files}/gone.jpg`),
    ]).replaceAll(host, old.url);
    const exported = write("fetched.xml", fetched);
    await using tree = await openTrees([exported], ["/nowhere"]);
    const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "public" as const };
    const guarded = await readItems(await recognise(tree), tree, { ...wish, fetch: { allowPrivate: false } });
    for (const item of guarded)
      if (item.kind === "file")
        expect(await Array.fromAsync(item.open()).catch(String)).toContain("127.0.0.1 is not a public address.");
    expect(old.takeSeen()).toEqual([]);

    const { body: uploaded } = await admin.upload("fetched.xml", new TextEncoder().encode(fetched));
    const { body: begun } = await admin.post(`${api}/imports`, {
      fileIDs: [uploaded.id],
      fetch: true,
      to: "/Fetched",
      visibility: "public",
    });
    await until(
      () => admin.get(`${api}/imports/${begun.id}`),
      ({ body }) => body.phase !== "reading",
    );
    const { body: refused } = await admin.get(`${api}/imports/${begun.id}/items?outcome=refused`);
    expect(refused.map(({ reason }: { reason: string }) => reason.replace(/^\S+ /, "")).toSorted()).toEqual([
      "has a page there, and not the file.",
      "has responded with the status 404.",
    ]);
    expect(old.takeSeen()).toContain("GET /wp-content/uploads/a.jpg bytes=100-");
    const { body: tops } = await admin.get(`${api}/files`);
    const folder = tops.find(({ name }: { name: string }) => name === "Fetched");
    const { body: stored } = await admin.get(`${api}/files/${folder.id}/entries`);
    expect(stored).toMatchObject([
      { name: "2020" },
      { name: "a.jpg", size: pictures.get("/wp-content/uploads/a.jpg")?.length },
      { name: "shown.jpg", size: pictures.get("/wp-content/uploads/shown.jpg")?.length },
    ]);
    const { body: post } = await guest.get(`${api}/blog/by-slug?slug=fetched`);
    expect(post.content).toMatch(
      /^!\[\[photo:\d+\]\] !\[Gone\]\(<http.*gone\.jpg>\) !\[\[photo:\d+\]\] \[page\]\(<.*page\.jpg>\)$/,
    );
    expect(post.cover).not.toBeNull();

    const allowed = { WEBHOOK_ALLOW_PRIVATE: "true" };
    await runBeside(server, ["import", exported, "--fetch", "--to", "/Fetched", "--visibility", "public"], "", allowed);
    expect(old.takeSeen().toSorted()).toEqual(["GET /wp-content/uploads/gone.jpg", "GET /wp-content/uploads/page.jpg"]);
  });
});
