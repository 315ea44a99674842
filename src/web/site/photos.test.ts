// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { themeNames } from "../../core/settings/settings.ts";

let fileID: number;

const server = useServer();
const people = server.people();
beforeAll(async () => {
  fileID = (await people.owner.upload("a.png", png(1500, 1000))).body.id;
});

const open = (who: Client, path: string, language = "en") =>
  who.get<string>(path, { Accept: "text/html", "Accept-Language": language });
const take = async (title: string, more: object = {}) =>
  (await people.owner.post("/api/v1/photos", { title, fileID, ...more })).body;
const titlesIn = (html: string) => [...html.matchAll(/data-caption="([^"]*)"/g)].map(([, title]) => title);
const linkIn = (html: string, rel: string) =>
  new RegExp(`<a[^>]*rel="${rel}"[^>]*href="([^"]*)"`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? null;

describe("the list of photos", () => {
  test("says that there are none", async () => {
    await using empty = await startServer();
    const response = await fetch(`${empty.url}/photos`, { headers: { "Accept-Language": "en" } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("There are no photos yet.");
  });

  test("has all public photos by date, newest first, with the months, and goes on by a link", async () => {
    const { guest, owner, admin } = people;
    for (let day = 1; day <= 50; day++) {
      const takenAt = new Date(Date.UTC(2021, 0, day)).toISOString();
      await take(`Day ${day}`, { takenAt });
    }
    await take("Undated");
    await take("Hidden <i>", { takenAt: "2021-02-10T00:00:00Z", visibility: "private" });

    const { status, body, headers } = await open(guest, "/photos");
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(body).not.toContain("style=");
    expect(titlesIn(body)).toEqual(Array.from({ length: 48 }, (_, index) => `Day ${50 - index}`));
    expect(body.match(/February 2021|January 2021/g)).toEqual(["February 2021", "January 2021"]);
    expect(body).toContain(`<link rel="canonical" href="${server.url}/photos"`);

    const rest = await open(guest, linkIn(body, "next") ?? "");
    expect(titlesIn(rest.body)).toEqual(["Day 2", "Day 1", "Undated"]);
    // The month of Day 2 began on the page before.
    expect(rest.body).not.toContain("January 2021");
    expect(rest.body).toContain("Without a date");
    expect(linkIn(rest.body, "next")).toBeNull();
    // The list is the same for everyone, as in the API.
    for (const who of [owner, admin]) expect((await open(who, "/photos")).body).not.toContain("Hidden");
  });

  test("can be reduced to a year or a month", async () => {
    await take("Old", { takenAt: "1999-12-31T23:59:59.999Z" });
    const { guest } = people;
    expect(titlesIn((await open(guest, "/photos?year=1999")).body)).toEqual(["Old"]);
    expect(titlesIn((await open(guest, "/photos?month=1999-12")).body)).toEqual(["Old"]);
    const february = (await open(guest, "/photos?month=2021-02")).body;
    expect(titlesIn(february)).toHaveLength(19);
    expect(february).toContain("Photos from February 2021");
    expect(february).toContain('href="?month=2021-01"');
    expect((await open(guest, "/photos?month=2000-01")).body).toContain(
      "There are no public photos from January 2000.",
    );
    for (const wrong of ["month=2021-13", "month=x", "year=21", "cursor=x", "month=2021-02&cursor=W10"])
      expect((await open(guest, `/photos?${wrong}`)).status).toBe(400);
    // A cursor that nobody was given, with a time that no date has.
    const strange = Buffer.from(JSON.stringify(["photos ", 1, 9e15])).toString("base64url");
    expect((await open(guest, `/photos?cursor=${strange}`)).status).toBe(200);
  });

  test("gives each picture its size, its widths, a text and a preview, and loads those in view first", async () => {
    const alt = await take("With a text", { altText: 'A "ferry" <leaves>', takenAt: "2030-01-01T00:00:00Z" });
    const { body } = await open(people.guest, "/photos");
    const images = body.match(/<img[^>]*>/g) ?? [];
    expect(images.length).toBe(48);
    const [first = "", ...others] = images;
    expect(first).toContain('alt="A &quot;ferry&quot; &lt;leaves&gt;"');
    expect(first).toContain('fetchpriority="high"');
    expect(first).not.toContain("loading");
    // Four photos of three by two are in view everywhere: as wide as they are shown on a desktop, and on a phone.
    expect(first).toContain('sizes="(min-width: 40em) 413px, 158px"');
    expect(others.map((image) => image.includes('loading="lazy"'))).toEqual(others.map((_, index) => index >= 3));
    expect(others.join("")).not.toContain("fetchpriority");
    for (const image of images) {
      expect(image).toMatch(/ width="1500" height="1000"/);
      expect(image).toMatch(/srcset="[^"]* 320w, [^"]* 640w, [^"]* 1280w, [^"]* 1500w"/);
      expect(image).toMatch(/ data-thumbhash="[^"]+"/);
    }
    expect(body).toContain(`<a class="r30" href="/photos/${alt.id}"`);
  });

  test("speaks the language of the visitor", async () => {
    const { body } = await open(people.guest, "/photos?year=1999", "de");
    expect(body).toContain("Fotos aus 1999");
    expect(body).toContain("Dezember 1999");
  });
});

describe("the page of a photo", () => {
  test("has its texts, camera, place, tags, albums and posts, and a download", async () => {
    const { owner, guest } = people;
    const picture = plain(1200, 800, "#456").withExif({
      IFD0: { Make: "FUJIFILM", Model: "X-T5" },
      IFD2: { FNumber: "56/10", ExposureTime: "1/250", FocalLength: "35/1", ISOSpeedRatings: "200" },
    });
    const { body: file } = await owner.upload("camera.jpg", await bytesOf(picture.jpeg()));
    const place = { latitude: 38.7071, longitude: -9.1355, name: "Lisboa" };
    const photo = await take("Harbour & <dusk>", {
      fileID: file.id,
      description: "First line.\n<b>Second</b>",
      takenAt: "2026-06-12T20:41:00Z",
      tags: ["sea & sky"],
      place,
      showLocation: true,
    });
    const { body: album } = await owner.post("/api/v1/albums", { name: "Journeys" });
    const { body: secret } = await owner.post("/api/v1/albums", { name: "Secret album", visibility: "private" });
    for (const { id } of [album, secret]) await owner.post(`/api/v1/albums/${id}/photos`, { photoID: photo.id });
    const embedding = { title: "A post", content: `![[photo:${photo.id}]]` };
    await owner.post("/api/v1/blog", embedding);
    await owner.post("/api/v1/blog", { ...embedding, title: "Secret post", visibility: "private" });

    const { status, body } = await open(guest, `/photos/${photo.id}`);
    expect(status).toBe(200);
    for (const part of [
      '<h1 class="p-name" dir="auto">Harbour &amp; &lt;dusk&gt;</h1>',
      "First line.\n&lt;b&gt;Second&lt;/b&gt;",
      "June 12, 2026",
      "FUJIFILM X-T5",
      "35 mm · ƒ/5.6 · 1/250 s · ISO 200",
      "Lisboa",
      'href="geo:38.7071,-9.1355"',
      'href="/tags/sea%20%26%20sky"',
      'href="/people/owner"',
      `href="/albums/${album.id}-journeys"`,
      'href="/blog/a-post"',
      `href="/api/v1/files/${file.id}/content?download"`,
      `<link rel="canonical" href="${server.url}/photos/${photo.id}"`,
    ])
      expect(body).toContain(part);
    expect(body).not.toContain("Secret");
    expect(body).toMatch(/<img[^>]*fetchpriority="high"/);
    for (const secretTitle of ["Secret album", "Secret post"])
      expect((await open(owner, `/photos/${photo.id}`)).body).toContain(secretTitle);

    // Without permission, neither the place nor the file.
    await owner.put(`/api/v1/photos/${photo.id}`, { showLocation: false, isFavourite: true });
    await owner.put(`/api/v1/files/${file.id}`, { visibility: "private" });
    const hidden = (await open(guest, `/photos/${photo.id}`)).body;
    for (const part of ["Lisboa", "geo:", "?download", "Favourite"]) expect(hidden).not.toContain(part);
    const own = (await open(owner, `/photos/${photo.id}`)).body;
    for (const part of ["Lisboa", "geo:", "?download", "Favourite"]) expect(own).toContain(part);
  });

  test("exists only for those who may see the photo", async () => {
    const { guest, stranger, owner, admin } = people;
    const photo = await take("Nobody knows", { visibility: "private" });
    for (const who of [guest, stranger]) {
      const { status, body } = await open(who, `/photos/${photo.id}`);
      expect(status).toBe(404);
      expect(body).not.toContain("Nobody knows");
    }
    for (const who of [owner, admin]) {
      const { status, body, headers } = await open(who, `/photos/${photo.id}`);
      expect(status).toBe(200);
      expect(body).toContain('<span class="chip">Private</span>');
      expect(body).not.toContain('rel="canonical"');
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(headers.get("cache-control")).toBe("private, no-store");
    }
    for (const wrong of ["0", "00", "99999999", "9".repeat(30), "x", "1x"])
      expect((await open(guest, `/photos/${wrong}`)).status).toBe(404);
    expect((await open(guest, `/photos/${photo.id - 1}?album=x`)).status).toBe(400);
  });

  test("leads to the neighbours in the list, and to those in the album if it was opened there", async () => {
    await using other = await startServer();
    const { owner, guest, admin } = await createPeople(other);
    const { body: file } = await owner.upload("a.png", png(60, 40));
    const ids: number[] = [];
    // The dates are in another order than the ids; the third and the last have none, the fifth is private.
    for (const [index, day] of [3, 1, null, 2, 4, null].entries()) {
      const takenAt = day === null ? null : `2026-01-0${day}T00:00:00Z`;
      const visibility = index === 4 ? "private" : "public";
      const sent = { title: `Photo ${index}`, fileID: file.id, takenAt, visibility };
      ids.push((await owner.post("/api/v1/photos", sent)).body.id);
    }
    const [first, second, third, fourth, hidden, last] = ids;
    const neighboursOf = async (id: number | undefined, query = "", who = guest) => {
      const { body } = await open(who, `/photos/${id}${query}`);
      return [linkIn(body, "prev"), linkIn(body, "next")];
    };
    const pages = [first, fourth, second, last, third].map((id) => `/photos/${id}`);
    for (const [index, id] of [first, fourth, second, last, third].entries())
      expect(await neighboursOf(id)).toEqual([pages[index - 1] ?? null, pages[index + 1] ?? null]);
    // The newest of all, which is not in the list itself.
    expect(await neighboursOf(hidden, "", owner)).toEqual([null, `/photos/${first}`]);

    const { body: album } = await owner.post("/api/v1/albums", { name: "Mixed" });
    await owner.put(`/api/v1/albums/${album.id}/photos`, { photoIDs: [second, hidden, first] });
    const within = `?album=${album.id}`;
    expect(await neighboursOf(second, within)).toEqual([null, `/photos/${first}${within}`]);
    expect(await neighboursOf(first, within)).toEqual([`/photos/${second}${within}`, null]);
    for (const who of [owner, admin])
      expect(await neighboursOf(second, within, who)).toEqual([null, `/photos/${hidden}${within}`]);
    expect((await open(guest, `/photos/${second}${within}`)).body).toContain(`href="/albums/${album.id}-mixed"`);
    // In an album that is private, does not exist or does not have the photo, the list counts.
    await owner.put(`/api/v1/albums/${album.id}`, { visibility: "private" });
    for (const query of [within, "?album=99"])
      expect(await neighboursOf(second, query)).toEqual([`/photos/${fourth}`, `/photos/${last}`]);
    expect(await neighboursOf(third, within, owner)).toEqual([`/photos/${last}`, null]);
  });

  test("shows a placeholder for a photo without a picture", async () => {
    const { body: file } = await people.owner.upload("notes.txt", "not a picture");
    const photo = await take("No picture", { fileID: file.id, width: 400, height: 300 });
    const { status, body } = await open(people.guest, `/photos/${photo.id}`);
    expect(status).toBe(200);
    expect(body).toContain('class="no-picture" role="img" aria-label="No picture"');
    expect(body).toContain("The picture of this photo cannot be shown.");
    expect(body).not.toContain("<img");
  });
});

test.each(themeNames)("the styles of the theme %s are small", async (theme) => {
  await people.admin.put("/api/v1/settings", { theme });
  const { body } = await open(people.guest, "/");
  const styles = [...body.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, url]) => url ?? "");
  expect(styles).toEqual([expect.stringMatching(new RegExp(`^/assets/${theme}-\\w+\\.css$`))]);
  const { body: text } = await people.guest.get<string>(styles[0] ?? "");
  expect(text.replaceAll(/@font-face\{[^}]*\}/g, "").length).toBeLessThan(20_000);
  // A theme without a serif does not load it.
  const fonts = [...body.matchAll(/<link rel="preload" href="\/assets\/(\w+)-latin-\w+\.woff2" as="font"/g)];
  expect(fonts.map(([, name]) => name)).toEqual(theme === "magazine" ? ["sans", "serif"] : ["sans"]);
});

test("fonts are hashed files that may be kept for ever, are sent as they are, and come with their licences", async () => {
  const { body } = await open(people.guest, "/");
  const font = /href="([^"]*\.woff2)"/.exec(body)?.[1] ?? "";
  const { status, headers } = await people.guest.request("GET", font, { headers: { "Accept-Encoding": "zstd, br" } });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("font/woff2");
  expect(headers.get("cache-control")).toContain("immutable");
  expect(headers.get("content-encoding")).toBeNull();
  expect((await people.guest.get<string>("/assets/font-licenses.txt")).body).toContain("SIL OPEN FONT LICENSE");
});

test("scripts are hashed files that may be kept for ever, and small without the lightbox", async () => {
  const { body } = await open(people.guest, "/photos");
  const script = /<script type="module" src="([^"]*)"/.exec(body)?.[1] ?? "";
  expect(script).toMatch(/^\/assets\/site-\w+\.js$/);
  const site = await people.guest.get<string>(script);
  expect(site.headers.get("cache-control")).toContain("immutable");
  expect(site.body.length).toBeLessThan(15_000);
  const lightbox = /import\("\.\/(lightbox-\w+\.js)"\)/.exec(site.body)?.[1] ?? "";
  const loaded = await people.guest.get<string>(`/assets/${lightbox}`);
  expect(loaded.status).toBe(200);
  expect(loaded.body).toContain("pswp");
  expect((await people.guest.get("/assets/site-00000000.js")).status).toBe(404);
});
