// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

let photos: number[];

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { body: file } = await people.owner.upload("a.png", png(60, 40));
  photos = [];
  for (let number = 1; number <= 50; number++) {
    const sent = { title: `Photo ${number}`, fileID: file.id, visibility: number === 50 ? "private" : "public" };
    photos.push((await people.owner.post("/api/v1/photos", sent)).body.id);
  }
});

const open = (who: Client, path: string) =>
  who.request<string>("GET", path, {
    headers: { Accept: "text/html", "Accept-Language": "en" },
    redirect: "manual",
  });
const create = async (name: string, more: object = {}, photoIDs: number[] = []) => {
  const { body } = await people.owner.post("/api/v1/albums", { name, ...more });
  await people.owner.put(`/api/v1/albums/${body.id}/photos`, { photoIDs });
  return body.id as number;
};
const titlesIn = (html: string) => [...html.matchAll(/data-caption="([^"]*)"/g)].map(([, title]) => title);
const namesIn = (html: string) => [...html.matchAll(/<h2><a[^>]*>([^<]*)<\/a><\/h2>/g)].map(([, name]) => name);

test("a site without albums says so", async () => {
  const { body } = await open(people.guest, "/albums");
  expect(body).toContain("There are no albums yet.");
});

test("the list has the albums of the top level with covers and counts, and goes on by a link", async () => {
  const { guest, owner } = people;
  const journeys = await create("Journeys & more", {}, photos.slice(0, 3));
  await create("Nested", { parentID: journeys }, photos.slice(0, 1));
  await create("Empty nested", { parentID: journeys });
  await create("Secret", { visibility: "private" }, photos.slice(0, 3));
  // Nothing that a guest sees is in these.
  await create("Empty", {}, photos.slice(49));
  const outer = await create("Outer");
  await create("Secret in it", { parentID: outer, visibility: "private" }, photos.slice(0, 1));
  const { status, body } = await open(guest, "/albums");
  expect(status).toBe(200);
  expect(namesIn(body)).toEqual(["Journeys &amp; more"]);
  expect(body).toContain(`href="/albums/${journeys}-journeys-more"`);
  expect(body).toContain(`/api/v1/photos/${photos[0]}/image`);
  expect(body).toContain("3 photos · 1 album<");
  expect(body).not.toContain("Secret");
  for (const path of ["/", "/people/owner", "/sitemap.xml"]) {
    const shown = (await open(guest, path)).body;
    expect([path, shown.includes("ourneys"), shown.includes("mpty"), shown.includes("uter")]).toEqual([
      path,
      true,
      false,
      false,
    ]);
  }
  const empty = await open(guest, `/albums/${outer}-outer`);
  expect([empty.status, empty.body.includes('rel="canonical"')]).toEqual([200, false]);
  expect(empty.body).toContain("There are no photos in this album yet.");
  await create("Found", { parentID: outer }, photos.slice(0, 1));
  expect(namesIn((await open(guest, "/albums")).body)).toEqual(["Outer", "Journeys &amp; more"]);
  expect(namesIn((await open(owner, "/albums")).body)).toEqual(["Outer", "Empty", "Journeys &amp; more"]);
  await owner.post(`/api/v1/albums/${journeys}/move`, { before: outer });
  expect(namesIn((await open(guest, "/albums")).body)).toEqual(["Journeys &amp; more", "Outer"]);
  // The list is the same for everyone, as in the API.
  expect((await open(owner, "/albums")).body).not.toContain("Secret");

  for (let number = 1; number <= 23; number++) await create(`Album ${number}`, {}, photos.slice(0, 1));
  const first = (await open(guest, "/albums")).body;
  expect(namesIn(first)).toHaveLength(24);
  const next = /<a [^>]*rel="next" href="([^"]*)"/.exec(first)?.[1] ?? "";
  const second = (await open(guest, next)).body;
  expect(namesIn(second)).toEqual(["Outer"]);
  expect(second).not.toContain('rel="next"');
});

test("an album has its description, the albums in it, and its photos in its order, page by page", async () => {
  const { guest, owner } = people;
  const order = photos.toReversed();
  const description = "A week.\n<b>By train</b>";
  const id = await create("Lisbon 2026", { description }, order);
  const nested = await create("Sintra", { parentID: id }, photos.slice(0, 2));
  const deeper = await create("Castle", { parentID: nested });
  await create("Secret nested", { parentID: id, visibility: "private" });
  await owner.post("/api/v1/blog", { title: "About Lisbon", content: `![[album:${id}]]` });

  const { status, body } = await open(guest, `/albums/${id}-lisbon-2026`);
  expect(status).toBe(200);
  expect(titlesIn(body)).toEqual(Array.from({ length: 48 }, (_, index) => `Photo ${49 - index}`));
  for (const part of [
    "A week.\n&lt;b&gt;By train&lt;/b&gt;",
    "49 photos",
    `href="/photos/${photos[48]}?album=${id}"`,
    `href="/api/v1/albums/${id}/zip"`,
    `<link rel="canonical" href="${server.url}/albums/${id}-lisbon-2026"`,
    'href="/blog/about-lisbon"',
  ])
    expect(body).toContain(part);
  expect(namesIn(body)).toEqual(["Sintra"]);
  expect(body).not.toContain("Secret");

  const second = (await open(guest, linkIn(body, "next"))).body;
  expect(titlesIn(second)).toEqual(["Photo 1"]);
  expect(linkIn(second, "prev")).toBe(`/albums/${id}-lisbon-2026`);
  expect(second).not.toContain('rel="next"');
  expect(second).not.toContain('rel="canonical"');
  expect((await open(guest, `/albums/${id}-lisbon-2026?cursor=x`)).status).toBe(400);

  const own = (await open(owner, `/albums/${id}-lisbon-2026`)).body;
  expect(titlesIn(own)[0]).toBe("Photo 50");
  expect(own).toContain("50 photos");
  expect(namesIn(own)).toEqual(["Sintra", "Secret nested"]);

  const inner = (await open(guest, `/albums/${deeper}-castle`)).body;
  const breadcrumb = /class="breadcrumb".*?<\/nav>/s.exec(inner)?.[0] ?? "";
  expect([...breadcrumb.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    "/albums",
    `/albums/${id}-lisbon-2026`,
    `/albums/${nested}-sintra`,
  ]);
  // At a private album, the breadcrumb ends.
  await owner.put(`/api/v1/albums/${id}`, { visibility: "private" });
  const shorter = (await open(guest, `/albums/${deeper}-castle`)).body;
  expect(shorter).toContain("Sintra");
  expect(shorter).not.toContain("Lisbon");
  await owner.put(`/api/v1/albums/${nested}`, { visibility: "private" });
  const cut = (await open(guest, `/albums/${deeper}-castle`)).body;
  for (const name of ["Sintra", "Lisbon"]) expect(cut).not.toContain(name);
  expect((await open(owner, `/albums/${deeper}-castle`)).body).toContain("Lisbon 2026");
});

test("the pages of a long album lead to the next and back to the previous one, in the same order", async () => {
  const { guest, owner } = people;
  const id = await create("Long", {}, photos);
  const file = (await owner.upload("long.png", png(2, 2))).body;
  for (let number = 0; number < 60; number++) {
    const { id: photoID } = (await owner.post("/api/v1/photos", { title: `Long ${number}`, fileID: file.id })).body;
    await owner.post(`/api/v1/albums/${id}/photos`, { photoID });
  }
  const pages: unknown[][] = [];
  const addresses = [`/albums/${id}-long`];
  for (let address: string | undefined = addresses[0]; address; address = addresses.at(pages.length)) {
    const { body } = await open(guest, address);
    pages.push(titlesIn(body));
    expect(linkIn(body, "prev")).toBe(addresses[pages.length - 2] ?? "");
    if (linkIn(body, "next")) addresses.push(linkIn(body, "next"));
  }
  expect(pages.map((titles) => titles.length)).toEqual([48, 48, 13]);
  expect(new Set(pages.flat()).size).toBe(109);
});

test("a wrong or missing slug leads to the right one, except to an album that the visitor may not see", async () => {
  const { guest, stranger, owner, admin } = people;
  const id = await create("Größe – 東京");
  const right = `/albums/${id}-${encodeURIComponent("grosse-東京")}`;
  expect((await open(guest, right)).status).toBe(200);
  for (const wrong of [`${id}`, `${id}-`, `${id}-old-name`, `${id}-GROSSE`]) {
    const { status, headers } = await open(guest, `/albums/${wrong}?cursor=`);
    expect([status, headers.get("location")]).toEqual([308, `${right}?cursor=`]);
  }
  const nameless = await create("???");
  expect((await open(guest, `/albums/${nameless}`)).status).toBe(200);

  const secret = await create("Secret plans", { visibility: "private" });
  for (const who of [guest, stranger]) {
    for (const path of [`/albums/${secret}`, `/albums/${secret}-secret-plans`]) {
      const { status, body, headers } = await open(who, path);
      expect([status, headers.get("location")]).toEqual([404, null]);
      expect(body).not.toContain("Secret");
    }
  }
  for (const who of [owner, admin]) {
    const { status, headers, body } = await open(who, `/albums/${secret}-secret-plans`);
    expect(status).toBe(200);
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(body).toContain('<span class="chip">Private</span>');
  }
  for (const wrong of ["0", "00-x", "99999999-x", `${"9".repeat(30)}-x`, "x"])
    expect((await open(guest, `/albums/${wrong}`)).status).toBe(404);
});

/** The address of the link of this kind in the head of a page, or nothing. */
function linkIn(body: string, rel: "next" | "prev"): string {
  return new RegExp(`<link rel="${rel}" href="([^"]*)"`).exec(body)?.[1] ?? "";
}
