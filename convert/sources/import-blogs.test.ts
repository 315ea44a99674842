// Runs only with TEST_LONG: the importers of one source each are in npm test, and this moves two whole sites.
// Runs on the embedded engines only: the machine that writes posts is tested with all of them in move-posts.test.ts.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { client } from "../../tests/kit/client.ts";
import { password, signedIn } from "../../tests/kit/people.ts";
import { bytesOf, quadrants } from "../../tests/kit/files/pictures.ts";
import { runVitrine, startVitrine } from "../../tests/kit/process.ts";
import { newDirectory, useScratch } from "../../tests/kit/scratch.ts";

const scratch = useScratch();

function write(name: string, content: string | Uint8Array): string {
  const path = join(scratch, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const html = `<p>The <b>last</b> ferry leaves at <em>ten</em>, see <a href="__GHOST_URL__/second/">what followed</a>.</p>
<figure class="kg-card kg-image-card kg-card-hascaption"><img src="__GHOST_URL__/content/images/2019/05/pier.jpg" alt="The pier at night"><figcaption>Waiting, <i>always</i></figcaption></figure>
<h2>What to take</h2><ul><li>A coat<ul><li>a warm one</li></ul></li><li>*Nothing* else</li></ul>
<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind the <b>gap</b></div></div>
<table><thead><tr><th>Day</th><th>Ferries</th></tr></thead><tbody><tr><td>Monday</td><td>4</td></tr></tbody></table>
<pre><code class="language-js">const ferries = 4;</code></pre>
<script>document.title = "taken over"</script><img src="x" onerror="alert(1)">`;

const ghost = {
  db: [
    {
      meta: { exported_on: 1, version: "5.80.0" },
      data: {
        posts: [
          ["1", "The last ferry", "the-last-ferry", { html, feature_image: "__GHOST_URL__/content/images/cover.jpg" }],
          ["2", "Second", "second", { html: "<p>It was the last.</p>" }],
          ["3", "For members", "members", { html: '<img src="/content/images/secret.jpg">', visibility: "members" }],
        ].map(([id, title, slug, more]) => ({
          id,
          title,
          slug,
          status: "published",
          visibility: "public",
          published_at: "2019-05-12T09:30:00.000Z",
          ...(more as object),
        })),
        users: [{ id: "1", name: "Grace H.", slug: "grace" }],
        posts_authors: [{ post_id: "1", author_id: "1", sort_order: 0 }],
        tags: [{ id: "1", name: "Sea", slug: "sea" }],
        posts_tags: [{ post_id: "1", tag_id: "1" }],
      },
    },
  ],
};

test("a blog of Ghost and a site of Hugo become posts with pictures, whose old addresses lead to them", async () => {
  const env = { DATA_DIR: newDirectory(scratch) };
  await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
  const [picture, cover, secret] = await Promise.all(
    [300, 310, 320].map((width) => bytesOf(quadrants(width, 200).jpeg())),
  );
  const exported = write("ghost.json", JSON.stringify(ghost));
  write("ghost/content/images/2019/05/pier.jpg", picture!);
  write("ghost/content/images/cover.jpg", cover!);
  write("ghost/content/images/secret.jpg", secret!);
  write("hugo/hugo.toml", 'baseURL = "https://old.example/"');
  write(
    "hugo/content/posts/trip/index.md",
    "+++\ntitle = 'A trip'\ndate = 2020-01-02\n+++\n![Boats](boats.png) [about](/about/)\n",
  );
  write("hugo/content/posts/trip/boats.png", await bytesOf(quadrants(330, 200).png()));
  write("hugo/content/about.md", "---\ntitle: About\n---\nText\n");

  await using server = await startVitrine(env);
  const first = await runVitrine(["import", exported, join(scratch, "ghost"), "--visibility", "public"], env);
  expect([first.stderr, first.stdout]).toEqual(["", expect.stringContaining("0 refused")]);
  const second = await runVitrine(["import", join(scratch, "hugo"), "--visibility", "public"], env);
  expect([second.stderr, second.stdout]).toEqual(["", expect.stringContaining("0 refused")]);

  const guest = client(server);
  const { body: posts } = await guest.get("/api/v1/blog");
  expect(posts.map(({ title }: { title: string }) => title).toSorted()).toEqual(["A trip", "Second", "The last ferry"]);
  const photos = (await guest.get("/api/v1/photos")).body as { id: number; altText: string; width: number }[];
  expect(photos.map(({ width }) => width).toSorted()).toEqual([300, 310, 330]);
  const ferry = posts.find(({ slug }: { slug: string }) => slug === "the-last-ferry");
  expect(ferry).toMatchObject({ tags: ["Sea"], coverID: photos.find(({ width }) => width === 310)?.id });

  const page = (await guest.get("/blog/the-last-ferry", { Accept: "text/html" })).body as string;
  for (const part of ["The pier at night", "Waiting, <em>always</em>", "*Nothing* else", "<td>Monday</td>", "Grace H."])
    expect(page).toContain(part);
  expect(page).not.toContain("taken over");
  expect(page).not.toContain("onerror");
  const trip = (await guest.get("/blog/trip", { Accept: "text/html" })).body as string;
  expect(trip).toContain('href="/about"');
  const leadsTo = async (path: string) =>
    (await guest.request("GET", path, { redirect: "manual" })).headers.get("location");
  expect(await Promise.all(["/the-last-ferry/", "/posts/trip/", "/tag/sea/", "/members/"].map(leadsTo))).toEqual([
    "/blog/the-last-ferry",
    "/blog/trip",
    "/tags/Sea",
    null,
  ]);

  const again = await runVitrine(["import", exported, join(scratch, "ghost"), "--visibility", "public"], env);
  expect(again.stdout).toContain("Import 3: 0 added");
  const ada = await signedIn(server, "ada");
  expect((await ada.get("/api/v1/photos?owner=me")).body).toHaveLength(4);
});
