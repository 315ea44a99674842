// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { addressesIn, useShareSite } from "../../../tests/kit/share-site.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const api = "/api/v1";
const html = { Accept: "text/html" };

const site = useShareSite();
const { server, guest, owner, stranger } = site;

describe("a share link in the browser", () => {
  test("shows a private photo with its pictures and its download", async () => {
    const { id } = await site.createPhoto("Harbour at dusk");
    const { at } = await site.share("photo", id);
    const { status, body } = await guest.get<string>(at);
    expect(status).toBe(200);
    expect(body).toContain("Harbour at dusk");
    const media = addressesIn(body).filter((address) => address.includes("/api/"));
    expect(media.length).toBeGreaterThan(1);
    for (const address of media) {
      expect(address).toStartWith(`${at}/api/v1/`);
      const { status, headers } = await guest.get(address);
      expect([address, status, headers.get("cache-control")]).toEqual([address, 200, "private, no-store"]);
    }
    expect((await guest.get(`/photos/${id}`)).status).toBe(404);
    expect((await guest.get(`${api}/photos/${id}`)).status).toBe(404);
  });

  test("is for no cache, no search engine and no referrer, and its token is in no log", async () => {
    const { id } = await site.createPhoto("Quiet");
    const { at, token } = await site.share("photo", id);
    for (let time = 0; time < 4; time++) {
      const { headers, body } = await guest.get<string>(at);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(body).not.toContain('rel="canonical"');
    }
    await guest.get(`${at}/photos/${id}`);
    await guest.get(`${at}/nothing`, html);
    await guest.get(`${at}${api}/photos/${id}`);
    expect(server.logged()).toContain("/s/photos/");
    expect(server.logged()).not.toContain(token);
  });

  test("leads to no other part of the site", async () => {
    const { id } = await site.createPhoto("Alone", { tags: ["sea"] });
    const { at } = await site.share("photo", id);
    const { body } = await guest.get<string>(at);
    const outside = addressesIn(body).filter(
      (address) => !address.startsWith(at) && !/^\/(assets|favicon|apple-touch|site\.web|icon|custom)|^#/.test(address),
    );
    expect(outside).toEqual([]);
  });

  testLong("ends for its pages at once, and tells nothing about links that do not work", async () => {
    const { id } = await site.createPhoto("Gone");
    const link = await site.share("photo", id);
    const end = Date.now() + 3000;
    const expired = await site.share("photo", id, { expiresAt: new Date(end).toISOString() });
    expect((await guest.get(link.at)).status).toBe(200);
    await owner.delete(`${api}/shares/${link.id}`);
    await Bun.sleep(end + 50 - Date.now());
    const unknown = `/s/${"A".repeat(43)}`;
    const answers = await Promise.all([link.at, expired.at, unknown].map((at) => guest.get<string>(at, html)));
    const texts = answers.map(({ status, body }, index) => [
      status,
      body.replaceAll([link.at, expired.at, unknown][index] as string, "/s/…"),
    ]);
    expect(texts[0]?.[0]).toBe(404);
    expect(texts[1]).toEqual(texts[0] as [number, string]);
    expect(texts[2]).toEqual(texts[0] as [number, string]);
    expect(answers[0]?.body).not.toContain("Gone");
    expect(answers[0]?.headers.get("referrer-policy")).toBe("no-referrer");
    for (const path of ["/s", "/s/short", `/s/photos/${id}`, `/s/${"A".repeat(43)}/../../photos`, "/s/upload"]) {
      expect([path, (await guest.get(path, html)).status]).toEqual([path, path.includes("..") ? 200 : 404]);
    }
  });

  testLong("counts a visit to its page, its pictures and its API once", async () => {
    const { id } = await site.createPhoto("Counted");
    const link = await site.share("photo", id);
    const { body } = await guest.get<string>(link.at);
    for (const address of addressesIn(body).filter((one) => one.includes("/image"))) await guest.get(address);
    await guest.get(`${api}/shared`, { "X-Share-Token": link.token });
    await guest.get(link.at);
    const { body: used } = await until(
      () => owner.get(`${api}/shares/${link.id}`),
      (read) => read.body.uses > 0,
    );
    expect(used.uses).toBe(1);
  });
});

describe("a link to an album", () => {
  test("shows its albums and photos, and nothing beside them", async () => {
    const [top, inner, beside] = [
      await site.createAlbum("Lisbon"),
      await site.createAlbum("Alfama"),
      await site.createAlbum("Porto secrets"),
    ];
    await owner.put(`${api}/albums/${inner.id}`, { parentID: top.id });
    const [first, second, foreign] = [
      await site.createPhoto("First tram"),
      await site.createPhoto("Second tram"),
      await site.createPhoto("Hidden tram"),
    ];
    const open = await site.createPhoto("Open tram", { visibility: "public" });
    await site.attach(top.id, first.id);
    await site.attach(top.id, second.id);
    await site.attach(inner.id, first.id);
    await site.attach(beside.id, foreign.id);
    const { at } = await site.share("album", top.id);

    const { body } = await guest.get<string>(at);
    expect(body).toContain("Lisbon");
    expect(body).toContain(`href="${at}/albums/${inner.id}-alfama"`);
    expect(body).toContain(`href="${at}/photos/${first.id}?album=${top.id}"`);
    expect(body).toContain(`href="${at}/api/v1/albums/${top.id}/zip"`);
    expect(body).not.toContain("Private");
    expect((await guest.get(`${at}/api/v1/albums/${top.id}/zip`)).status).toBe(200);

    const nested = await guest.get<string>(`${at}/albums/${inner.id}-alfama`);
    expect(nested.status).toBe(200);
    expect(nested.body).toContain("First tram");
    expect(nested.body).toContain("Lisbon");
    const page = await guest.get<string>(`${at}/photos/${first.id}?album=${top.id}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain(`href="${at}/photos/${second.id}?album=${top.id}"`);

    for (const path of [
      `/photos/${foreign.id}`,
      `/photos/${open.id}`,
      `/albums/${beside.id}`,
      `/photos/${first.id}?album=${beside.id}`,
      `/photos/0`,
      `/photos/99999999999999999999`,
      `/albums/1e3`,
      "/browse/anything",
      "/upload",
      "/openapi.json",
      "/photos",
    ]) {
      const { status, body } = await guest.get<string>(at + path, html);
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain("Hidden");
      expect(body).not.toContain("secrets");
    }
    expect((await guest.get(`${at}${api}/photos/${foreign.id}`)).status).toBe(404);
    expect((await guest.get(`${at}${api}/photos/${foreign.id}/image?w=320`)).status).toBe(404);
  });

  test("shows only the link's part of a tree of public albums", async () => {
    const above = await site.createAlbum("Above all", { visibility: "public" });
    const middle = await site.createAlbum("Middle", { parentID: above.id, visibility: "public" });
    const below = await site.createAlbum("Below", { parentID: middle.id });
    const { at } = await site.share("album", middle.id);
    expect((await guest.get<string>(at)).body).not.toContain("Above all");
    const inner = await guest.get<string>(`${at}/albums/${below.id}`);
    expect(inner.body).toContain("Middle");
    expect(inner.body).not.toContain("Above all");
    expect((await guest.get(`${at}/albums/${above.id}`)).status).toBe(404);
  });

  test("goes on by links", async () => {
    const many = await site.createAlbum("Many");
    const { body: file } = await owner.upload("one.png", png(60, 40), { path: "/many" });
    for (let number = 0; number < 60; number++) {
      const { id } = await site.create("/photos", {
        title: `Number ${number}`,
        fileID: file.id,
        visibility: "private",
      });
      await site.attach(many.id, id);
    }
    const { at } = await site.share("album", many.id);
    const { body } = await guest.get<string>(at);
    const next = /rel="next" href="([^"]*)"/.exec(body)?.[1] ?? "";
    expect(next).toStartWith(`${at}?cursor=`);
    const second = await guest.get<string>(next);
    expect(second.body).toContain("Number 59");
    expect(second.body).not.toContain("Number 1&quot;");
    expect(second.body).toContain(`rel="prev" href="${at}"`);
  });

  test("without downloads and metadata shows neither", async () => {
    const { id } = await site.createPhoto("Plain", { takenAt: "2001-02-03T04:05:06Z" });
    const top = await site.createAlbum("No downloads");
    await site.attach(top.id, id);
    const open = await site.share("album", top.id);
    expect((await guest.get<string>(`${open.at}/photos/${id}`)).body).toContain("2001");
    const { at } = await site.share("album", top.id, { showMetadata: false });
    const { body } = await guest.get<string>(at);
    expect(body).not.toContain("/zip");
    const page = await guest.get<string>(`${at}/photos/${id}`);
    expect(page.status).toBe(200);
    expect(page.body).not.toContain("2001");
    expect(page.body).not.toContain("/content");
  });
});

describe("a link to files", () => {
  test("shows a directory by the names below it, and nothing above or beside it", async () => {
    await owner.upload("in.txt", "inside text", { path: "/vault/shared/deep dir", visibility: "private" });
    await owner.upload("100% ü.txt", "odd", { path: "/vault/shared", visibility: "private" });
    await owner.upload("beside.txt", "beside text", { path: "/vault/other", visibility: "private" });
    const shared = (await owner.get(`${api}/files?path=/vault`)).body.find(
      ({ name }: { name: string }) => name === "shared",
    );
    const { at } = await site.share("directory", shared.id);
    const { status, body } = await guest.get<string>(at);
    expect(status).toBe(200);
    expect(body).not.toContain("vault");
    expect(body).toContain(`href="${at}/browse/deep%20dir"`);
    expect(body).toContain(`href="${at}/api/v1/files/${shared.id}/zip"`);
    const inner = await guest.get<string>(`${at}/browse/deep%20dir`);
    expect(inner.body).toContain(`href="${at}/browse/deep%20dir/in.txt"`);
    const file = await guest.get<string>(`${at}/browse/deep%20dir/in.txt`);
    expect(file.body).toContain("inside text");
    expect(file.body).not.toContain("vault");
    const download = addressesIn(file.body).find((address) => address.endsWith("?download"));
    expect((await guest.get(download as string)).body).toBe("inside text");
    expect((await guest.get(`${at}/browse/100%25%20%C3%BC.txt`)).status).toBe(200);
    for (const path of ["other", "vault", "other/beside.txt", "..%2Fother", "deep%20dir%2Fin.txt", "%2e%2e/other"]) {
      expect([path, (await guest.get(`${at}/browse/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await guest.get(`${at}/api/v1/files/${shared.id}/zip`)).status).toBe(200);
    const files = (await owner.get(`${api}/files?path=/vault/other`)).body;
    expect((await guest.get(`${at}/api/v1/files/${files[0].id}/content`)).status).toBe(404);
  });

  test("shows a single file", async () => {
    const { body: file } = await owner.upload("letter.txt", "Dear guest", { visibility: "private" });
    const { at } = await site.share("file", file.id);
    const { body } = await guest.get<string>(at);
    expect(body).toContain("Dear guest");
    expect(body).toContain(`href="${at}/api/v1/files/${file.id}/content?download"`);
  });
});

test("a link to a draft shows the post, and a cover that only the link reaches", async () => {
  const cover = await site.createPhoto("Cover of the draft");
  const post = await site.create("/blog", {
    title: "A draft",
    content: "**Not yet** public",
    coverID: cover.id,
    publishedAt: null,
  });
  const { at } = await site.share("post", post.id);
  const { body } = await guest.get<string>(at);
  expect(body).toContain("A draft");
  expect(body).toContain("<strong>Not yet</strong>");
  const picture = addressesIn(body).find((address) => address.includes("/image"));
  expect(picture).toStartWith(`${at}/api/v1/photos/${cover.id}/image`);
  expect((await guest.get(picture as string)).status).toBe(200);
  expect((await guest.get(`${at}/photos/${cover.id}`)).status).toBe(200);
});

test("a signed-in stranger sees through a link what a guest sees", async () => {
  const { id } = await site.createPhoto("Shown to all");
  const { at } = await site.share("photo", id);
  const [asGuest, asStranger, asOwner] = await Promise.all([guest, stranger, owner].map((who) => who.get<string>(at)));
  expect(asStranger?.body).toBe(asGuest?.body as string);
  expect(asOwner?.body).toBe(asGuest?.body as string);
});
