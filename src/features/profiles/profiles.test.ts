import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, uncached } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer();
const { guest, owner, stranger, admin } = server.people();
const ada = server.person("ada");
const api = "/api/v1";
const mine = `${api}/me/profile`;

const open = async (path: string, who: Client = guest) => {
  const { status, body } = await who.get(path, { ...uncached, "Accept-Language": "en" });
  return { status, text: typeof body === "string" ? body : JSON.stringify(body) };
};
const dataIn = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? "{}")["@graph"][0];

let adaID: number;
let portraitID: number;
let post: { id: number; slug: string };
const links = [
  { url: "https://social.example/@ada", label: "Mastodon" },
  { url: "mailto:ada@example.org", label: null },
];

beforeAll(async () => {
  adaID = (await ada.get(`${api}/me`)).body.id;
  const fileID = (await ada.upload("me.png", png(800, 600))).body.id;
  portraitID = (await ada.post(`${api}/photos`, { title: "Me", fileID, visibility: "private" })).body.id;
});

describe("a profile", () => {
  test("is empty at first, and is shown nowhere while its person has published nothing", async () => {
    expect((await ada.get(mine)).body).toEqual({
      displayName: null,
      about: "",
      links: [],
      portraitID: null,
      portrait: null,
    });
    const { status, body } = await ada.put(mine, {
      displayName: "Ada Lovelace",
      about: "Machines.",
      links,
      portraitID,
    });
    expect([status, body]).toEqual([
      200,
      { displayName: "Ada Lovelace", about: "Machines.", links, portraitID, portrait: null },
    ]);
    expect((await guest.get(`${api}/people/${adaID}`)).status).toBe(404);
    expect((await guest.get(`${api}/people/999999`)).status).toBe(404);
    expect((await open("/people/ada")).status).toBe(404);
    expect((await open("/sitemap-people-1.xml")).text).not.toContain("/people/ada");
  });

  test("is shown with posts, on the person's page, in feeds and in structured data", async () => {
    await ada.put(`${api}/photos/${portraitID}`, { visibility: "public" });
    post = (await ada.post(`${api}/blog`, { title: "Notes", content: "On the engine." })).body;
    const { body: person } = await guest.get(`${api}/people/${adaID}`);
    expect(person).toMatchObject({
      id: adaID,
      username: "ada",
      displayName: "Ada Lovelace",
      links,
      url: "/people/ada",
    });
    expect(person.portrait).toMatchObject({ photoID: portraitID });
    const image = `/api/v1/photos/${portraitID}/image`;

    for (const path of [`/blog/${post.slug}`, "/people/ada"]) {
      const { text } = await open(path);
      expect(text).toContain("Ada Lovelace");
      expect(text).toContain("Machines.");
      expect(text).toContain('<a href="https://social.example/@ada" rel="me noopener" dir="auto">Mastodon</a>');
      expect(text).toContain(">ada@example.org</a>");
      expect(text).toMatch(new RegExp(`<img class="avatar( u-photo)?" src="${image}`));
    }
    const author = dataIn((await open(`/blog/${post.slug}`)).text).author;
    expect(author).toMatchObject({ name: "Ada Lovelace", alternateName: "ada", sameAs: [links[0]?.url] });
    expect(author.image).toContain(image);
    expect(dataIn((await open("/people/ada")).text).mainEntity).toEqual(author);
    expect((await open("/people/ada")).text).toContain(`property="og:image" content="${server.url}${image}`);
    expect((await open("/feed.xml")).text).toContain("<name>Ada Lovelace</name>");
    const { items } = JSON.parse((await open("/feed.json")).text);
    expect(items[0].authors[0]).toMatchObject({ name: "Ada Lovelace", url: `${server.url}/people/ada` });
    expect(items[0].authors[0].avatar).toContain(image);
    // The base shapes stay as they are.
    expect(Object.keys((await ada.get(`${api}/me`)).body)).toEqual(["id", "username", "role", "createdAt"]);
  });

  test("loses its portrait everywhere when the photo becomes private or is deleted", async () => {
    await ada.put(mine, { displayName: "Ada Lovelace", portraitID });
    await ada.put(`${api}/photos/${portraitID}`, { visibility: "public" });
    const shown = (await ada.post(`${api}/blog`, { title: "More notes", content: "On the engine." })).body;
    const pages = [`/blog/${shown.slug}`, "/people/ada", "/feed.json", "/", `${api}/people/${adaID}`];
    const shows = async () => {
      const texts = await Promise.all(pages.map(async (path) => (await open(path)).text));
      return texts.some((text) => text.includes(`/photos/${portraitID}/image`));
    };
    const photo = `${api}/photos/${portraitID}`;
    expect(await shows()).toBe(true);
    await ada.put(photo, { visibility: "private" });
    expect(await shows()).toBe(false);
    // Not even to those who could see the photo: a page is the same for everyone.
    expect((await open("/people/ada", ada)).text).not.toContain(`/photos/${portraitID}/image`);
    expect((await open("/people/ada")).text).toContain('<span class="avatar" aria-hidden="true">AL</span>');
    expect((await ada.get(mine)).body).toMatchObject({ portraitID, portrait: null });
    await ada.put(photo, { visibility: "public" });
    expect(await shows()).toBe(true);
    await ada.delete(photo);
    expect(await shows()).toBe(false);
    expect((await ada.get(mine)).body).toMatchObject({ portraitID: null, portrait: null });
  });

  test("takes only what it may", async () => {
    const foreign = (
      await owner.post(`${api}/photos`, {
        title: "Theirs",
        fileID: (await owner.upload("x.png", png(9, 9))).body.id,
      })
    ).body.id;
    const link = (url: string) => ({ links: [{ url }] });
    for (const refused of [
      { portraitID: foreign },
      { portraitID: 999_999 },
      { displayName: "stranger" },
      { displayName: "Strang\u0435r" },
      { displayName: " " },
      { displayName: "A\u202Eb" },
      { about: "x".repeat(501) },
      link("javascript:alert(1)"),
      link("https://ada:secret@example.org/"),
      link("/local"),
      link("https://"),
      { links: Array.from({ length: 9 }, () => links[0]) },
      {},
    ])
      expect([refused, (await ada.put(mine, refused)).status]).toEqual([refused, 400]);
    expect((await stranger.get(mine)).body.displayName).toBeNull();
  });

  test("goes with the account", async () => {
    await stranger.put(mine, { displayName: "Gone Soon", about: "zebrafinch" });
    await stranger.post(`${api}/blog`, { title: "Kept", content: "…" });
    expect((await open("/blog")).text).toContain("Gone Soon");
    const id = (await stranger.get(`${api}/me`)).body.id;
    const heir = (await admin.get(`${api}/me`)).body.id;
    await admin.delete(`${api}/users/${id}?giveTo=${heir}`);
    await until(
      () => admin.get(`${api}/users/${id}`),
      ({ status }) => status === 404,
    );
    expect((await open("/blog")).text).not.toContain("Gone Soon");
    expect((await guest.get(`${api}/people/${id}`)).status).toBe(404);
  });
});
