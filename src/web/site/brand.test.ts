// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const server = useServer();
const people = server.people();
/** Ids of photos, by their names. */
const photos: Record<string, number> = {};

beforeAll(async () => {
  for (const [name, width, height] of [
    ["wide", 800, 200],
    ["square", 300, 300],
    ["cover", 1600, 900],
  ] as const) {
    const { body: file } = await people.owner.upload(`${name}.png`, png(width, height));
    const photo = { title: `A ${name} one`, altText: `Seen: ${name}`, fileID: file.id };
    photos[name] = (await people.owner.post(`${api}/photos`, photo)).body.id;
  }
});

const open = async (path: string, who: Client = people.guest) =>
  (await who.get<string>(path, { Accept: "text/html", "Accept-Language": "en" })).body;
const choose = (changes: object) => people.admin.put(`${api}/settings`, changes);
const headerOf = (page: string) => page.slice(page.indexOf("<header"), page.indexOf("</header>"));
const imageOf = (name: string) => `/api/v1/photos/${photos[name]}/image`;

describe("the logo and the cover of the site", () => {
  test("stand in the header and over the front page, in its card and in the feeds", async () => {
    expect(headerOf(await open("/blog"))).not.toContain("<img");
    await choose({ logoPhotoID: photos.wide, coverPhotoID: photos.cover, siteName: "Salt & Light" });
    const home = await open("/");
    expect(headerOf(home)).toContain(imageOf("wide"));
    // The logo has the name in it.
    expect(headerOf(home)).toContain('width="160" height="40" alt="Salt &amp; Light"');
    const hero = home.slice(home.indexOf('<header class="hero"'));
    expect(hero.slice(0, hero.indexOf("</header>"))).toMatch(
      /<img src="\/api\/v1\/photos\/\d+\/image[^>]* alt="Seen: cover" fetchpriority="high".*<h1 dir="auto">Salt &amp; Light<\/h1>/s,
    );
    expect(home).toMatch(new RegExp(`property="og:image" content="${server.url}${imageOf("cover")}`));
    expect(home).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    expect(await open("/blog")).not.toContain('class="hero"');
    expect(await open("/nothing")).toContain(imageOf("wide"));
    expect(await open("/feed.xml")).toContain(`<logo>${server.url}${imageOf("wide")}`);

    await choose({ logoPhotoID: photos.square, coverPhotoID: null });
    const square = await open("/");
    // What stands beside it says the same.
    expect(headerOf(square)).toMatch(/width="40" height="40" alt=""[^>]*><span>Salt &amp; Light<\/span>/);
    expect(square).toMatch(new RegExp(`property="og:image" content="${server.url}${imageOf("square")}`));
    expect(square).toContain('<meta name="twitter:card" content="summary"/>');
    const { body: share } = await people.owner.post(`${api}/shares`, { kind: "photo", id: photos.cover });
    expect(headerOf(await open(`/s/${share.token}`))).toContain(imageOf("square"));
  });

  test("are shown to nobody while the photo is private or deleted", async () => {
    await choose({ logoPhotoID: photos.wide, coverPhotoID: photos.cover });
    const expectNothing = async () => {
      for (const who of [people.guest, people.owner, people.admin]) {
        const home = await open("/", who);
        expect(headerOf(home)).not.toContain("<img");
        expect(home).not.toContain('class="hero"');
        expect(home).not.toContain("og:image");
      }
      expect(await open("/feed.xml")).toContain(`<logo>${server.url}/icon-512.png</logo>`);
      expect(await open("/studio/preview/gallery", people.admin)).not.toContain('class="hero"');
    };
    const both = [photos.wide, photos.cover].map((id) => `${api}/photos/${id}`);
    for (const path of both) await people.owner.put(path, { visibility: "private" });
    await expectNothing();
    for (const path of both) await people.owner.put(path, { visibility: "public" });
    expect(await open("/")).toContain('class="hero"');
    for (const path of both) await people.owner.delete(path);
    await expectNothing();
    expect((await people.admin.get(`${api}/settings`)).body).toMatchObject({ logoPhotoID: null, coverPhotoID: null });
  });

  test("are seen by admins in a preview before they are saved, with the accent colour", async () => {
    await choose({ logoPhotoID: null, coverPhotoID: null, accentColour: null });
    const look = `accentColour=%23112233&logoPhotoID=${photos.square}&coverPhotoID=${photos.square}`;
    const preview = await open(`/studio/preview/plain?${look}`, people.admin);
    expect(headerOf(preview)).toContain(imageOf("square"));
    expect(preview).toContain('class="hero"');
    const styles = /href="(\/custom\.css[^"]+)"/.exec(preview)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(await open(styles)).toContain("--accent:#112233");
    expect(await open("/custom.css")).not.toContain("--accent");
    await choose({ accentColour: "#334455" });
    expect(await open("/studio/preview/plain?accentColour=", people.admin)).not.toContain("/custom.css");
    expect((await people.guest.get(`/studio/preview/plain?${look}`)).status).toBe(404);
    const refused = `/studio/preview/plain?accentColour=red%7D&logoPhotoID=x`;
    expect((await people.admin.get(refused)).status).toBe(400);
  });
});
