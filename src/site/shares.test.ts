import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, client, createPeople, png, startServer, type TestServer } from "../../tests/kit.ts";

const api = "/api/v1";
const secret = "a long secret";
let server: TestServer;
let guest: Client;
let owner: Client;
let stranger: Client;

beforeAll(async () => {
  server = await startServer();
  ({ guest, owner, stranger } = await createPeople(server));
});
afterAll(() => server.close());

const made = async (path: string, body: object, who = owner) => {
  const { status, body: record } = await who.post(api + path, body);
  expect([status, record.error]).toEqual([201, undefined]);
  return record;
};

const share = async (
  kind: string,
  id: number,
  more: object = {},
): Promise<{ id: number; token: string; at: string }> => {
  const link = await made("/shares", { kind, id, ...more });
  return { ...link, at: `/s/${link.token}` };
};

let pictures = 0;
const photo = async (title: string, more: object = {}, who = owner) => {
  const visibility = (more as { visibility?: string }).visibility ?? "private";
  const { body } = await who.upload(`${title}.png`, png(400, 300 + pictures++), { path: `/${who.userID}`, visibility });
  return made("/photos", { title, fileID: body.id, visibility: "private", ...more }, who);
};
const album = (name: string, more: object = {}) => made("/albums", { name, visibility: "private", ...more });
const attach = (albumID: number, photoID: number) => owner.post(`${api}/albums/${albumID}/photos`, { photoID });

const html = { Accept: "text/html" };
const fromHere = () => ({ "Content-Type": "application/x-www-form-urlencoded", Origin: server.url });

/** Sends the form of the password page, and returns the cookie that it sets. */
async function unlock(at: string, password: string, next = "") {
  const body = new URLSearchParams({ password, next }).toString();
  const answer = await guest.request<string>("POST", at, { body, headers: fromHere(), redirect: "manual" });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { ...answer, cookie };
}

const addresses = (body: string) =>
  [...body.matchAll(/(?:href|src|action|data-video)="([^"]+)"/g)]
    .map((match) => match[1] as string)
    .concat(
      [...body.matchAll(/srcset="([^"]+)"/g)].flatMap((match) =>
        (match[1] as string).split(", ").map((one) => one.split(" ")[0] as string),
      ),
    )
    .map((address) => address.replaceAll("&amp;", "&"));

describe("a share link in the browser", () => {
  test("shows a private photo with its pictures and its download", async () => {
    const { id } = await photo("Harbour at dusk");
    const { at } = await share("photo", id);
    const { status, body } = await guest.get<string>(at);
    expect(status).toBe(200);
    expect(body).toContain("Harbour at dusk");
    const media = addresses(body).filter((address) => address.includes("/api/"));
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
    const { id } = await photo("Quiet");
    const { at, token } = await share("photo", id);
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
    const { id } = await photo("Alone", { tags: ["sea"] });
    const { at } = await share("photo", id);
    const { body } = await guest.get<string>(at);
    const outside = addresses(body).filter(
      (address) => !address.startsWith(at) && !/^\/(assets|favicon|apple-touch|site\.web|icon|custom)|^#/.test(address),
    );
    expect(outside).toEqual([]);
  });

  test("ends for its pages at once, and tells nothing about links that do not work", async () => {
    const { id } = await photo("Gone");
    const link = await share("photo", id);
    const expired = await share("photo", id, { expiresAt: new Date(Date.now() + 300).toISOString() });
    expect((await guest.get(link.at)).status).toBe(200);
    await owner.delete(`${api}/shares/${link.id}`);
    await Bun.sleep(350);
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

  test("counts a visit to its page, its pictures and its API once", async () => {
    const { id } = await photo("Counted");
    const link = await share("photo", id);
    const { body } = await guest.get<string>(link.at);
    for (const address of addresses(body).filter((one) => one.includes("/image"))) await guest.get(address);
    await guest.get(`${api}/shared`, { "X-Share-Token": link.token });
    await guest.get(link.at);
    const deadline = Date.now() + 30_000;
    let uses = 0;
    while (uses === 0 && Date.now() < deadline) {
      await Bun.sleep(200);
      uses = (await owner.get(`${api}/shares/${link.id}`)).body.uses;
    }
    expect(uses).toBe(1);
  });
});

describe("a link to an album", () => {
  test("shows its albums and photos, and nothing beside them", async () => {
    const [top, inner, beside] = [await album("Lisbon"), await album("Alfama"), await album("Porto secrets")];
    await owner.put(`${api}/albums/${inner.id}`, { parentID: top.id });
    const [first, second, foreign] = [
      await photo("First tram"),
      await photo("Second tram"),
      await photo("Hidden tram"),
    ];
    const open = await photo("Open tram", { visibility: "public" });
    await attach(top.id, first.id);
    await attach(top.id, second.id);
    await attach(inner.id, first.id);
    await attach(beside.id, foreign.id);
    const { at } = await share("album", top.id);

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
    const above = await album("Above all", { visibility: "public" });
    const middle = await album("Middle", { parentID: above.id, visibility: "public" });
    const below = await album("Below", { parentID: middle.id });
    const { at } = await share("album", middle.id);
    expect((await guest.get<string>(at)).body).not.toContain("Above all");
    const inner = await guest.get<string>(`${at}/albums/${below.id}`);
    expect(inner.body).toContain("Middle");
    expect(inner.body).not.toContain("Above all");
    expect((await guest.get(`${at}/albums/${above.id}`)).status).toBe(404);
  });

  test("goes on by links", async () => {
    const many = await album("Many");
    const { body: file } = await owner.upload("one.png", png(60, 40), { path: "/many" });
    for (let number = 0; number < 60; number++) {
      const { id } = await made("/photos", { title: `Number ${number}`, fileID: file.id, visibility: "private" });
      await attach(many.id, id);
    }
    const { at } = await share("album", many.id);
    const { body } = await guest.get<string>(at);
    expect(body).toContain(`href="${at}?page=2"`);
    const second = await guest.get<string>(`${at}?page=2`);
    expect(second.body).toContain("Number 59");
    expect(second.body).not.toContain("Number 1&quot;");
    expect((await guest.get(`${at}?page=3`)).status).toBe(404);
  });

  test("without downloads and metadata shows neither", async () => {
    const { id } = await photo("Plain", { takenAt: "2001-02-03T04:05:06Z" });
    const top = await album("No downloads");
    await attach(top.id, id);
    const open = await share("album", top.id);
    expect((await guest.get<string>(`${open.at}/photos/${id}`)).body).toContain("2001");
    const { at } = await share("album", top.id, { showMetadata: false });
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
    const { at } = await share("directory", shared.id);
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
    const download = addresses(file.body).find((address) => address.endsWith("?download"));
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
    const { at } = await share("file", file.id);
    const { body } = await guest.get<string>(at);
    expect(body).toContain("Dear guest");
    expect(body).toContain(`href="${at}/api/v1/files/${file.id}/content?download"`);
  });
});

test("a link to a draft shows the post, and a cover that only the link reaches", async () => {
  const cover = await photo("Cover of the draft");
  const post = await made("/blog", {
    title: "A draft",
    content: "**Not yet** public",
    coverID: cover.id,
    publishedAt: null,
  });
  const { at } = await share("post", post.id);
  const { body } = await guest.get<string>(at);
  expect(body).toContain("A draft");
  expect(body).toContain("<strong>Not yet</strong>");
  const picture = addresses(body).find((address) => address.includes("/image"));
  expect(picture).toStartWith(`${at}/api/v1/photos/${cover.id}/image`);
  expect((await guest.get(picture as string)).status).toBe(200);
  expect((await guest.get(`${at}/photos/${cover.id}`)).status).toBe(200);
});

describe("the password of a link", () => {
  test("is asked for on every page, and proven by a cookie for that link alone", async () => {
    const top = await album("Locked <album>");
    const { id } = await photo("Locked photo");
    await attach(top.id, id);
    const { at, token } = await share("album", top.id, { password: secret });
    for (const path of ["", `/photos/${id}?album=${top.id}`, `/albums/${top.id}`, "/upload", "/photos/999"]) {
      const { status, body, headers } = await guest.get<string>(at + path);
      expect([path, status]).toEqual([path, 401]);
      expect(body).toContain('type="password"');
      expect(body).not.toContain("Locked");
      expect(headers.get("cache-control")).toBe("private, no-store");
    }
    const wrong = await unlock(at, "not the secret");
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain("This password is wrong.");
    expect(wrong.cookie).toBe("");

    const right = await unlock(at, secret, `/photos/${id}?album=${top.id}`);
    expect(right.status).toBe(303);
    expect(right.headers.get("location")).toBe(`${at}/photos/${id}?album=${top.id}`);
    const set = right.headers.get("set-cookie") ?? "";
    expect(set).toContain(`Path=/s/${token};`);
    expect(set).toContain("HttpOnly");
    expect(set).toContain("SameSite=Lax");
    expect(set).not.toContain(secret);
    const opened = await guest.get<string>(at, { Cookie: right.cookie });
    expect(opened.status).toBe(200);
    expect(opened.body).toContain("Locked &lt;album&gt;");
    const picture = addresses(opened.body).find((address) => address.includes("/image")) as string;
    expect((await guest.get(picture, { Cookie: right.cookie })).status).toBe(200);
    expect((await guest.get(picture)).status).toBe(404);
    // The cookie proves the password for the path of the link, not for the header of the API.
    const elsewhere = { Cookie: right.cookie, "X-Share-Token": token };
    expect((await guest.get(`${api}/shared`, elsewhere)).status).toBe(401);
    const withHeaders = { "X-Share-Token": token, "X-Share-Password": secret };
    expect((await guest.get(`${api}/shared`, withHeaders)).status).toBe(200);
  });

  test("ends with a change of the password, and is not that of another link", async () => {
    const top = await album("Twice locked");
    const [one, other] = [
      await share("album", top.id, { password: secret }),
      await share("album", top.id, { password: secret }),
    ];
    const { cookie } = await unlock(one.at, secret);
    expect((await guest.get(one.at, { Cookie: cookie })).status).toBe(200);
    expect((await guest.get(other.at, { Cookie: cookie })).status).toBe(401);
    await owner.put(`${api}/shares/${one.id}`, { password: "another secret" });
    expect((await guest.get(one.at, { Cookie: cookie })).status).toBe(401);
    const fresh = await unlock(one.at, "another secret");
    expect((await guest.get(one.at, { Cookie: fresh.cookie })).status).toBe(200);
    for (const forged of [
      "vitrine-link=",
      "vitrine-link=x",
      `vitrine-link=${"A".repeat(43)}`,
      `vitrine-link=${secret}`,
    ]) {
      expect((await guest.get(one.at, { Cookie: forged })).status).toBe(401);
    }
  });

  test("is limited as in the API, and the page says how long to wait", async () => {
    await using limited = await startServer();
    const { owner } = await createPeople(limited);
    const { body: top } = await owner.post(`${api}/albums`, { name: "Guessed" });
    const { body: link } = await owner.post(`${api}/shares`, { kind: "album", id: top.id, password: secret });
    const statuses: number[] = [];
    let last = "";
    for (let attempt = 0; attempt < 12; attempt++) {
      const answer = await client(limited).request<string>("POST", `/s/${link.token}`, {
        body: new URLSearchParams({ password: `guess ${attempt}` }).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: limited.url },
      });
      statuses.push(answer.status);
      last = answer.body;
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect(last).toContain("too many wrong passwords");
    expect(last).toContain('type="password"');
  });

  test("is not taken from another site, and leads nowhere else", async () => {
    const top = await album("Led astray");
    const { at } = await share("album", top.id, { password: secret });
    const body = new URLSearchParams({ password: secret }).toString();
    const headers = { ...fromHere(), Origin: "https://evil.example" };
    expect((await guest.request("POST", at, { body, headers, redirect: "manual" })).status).toBe(403);
    for (const next of [
      "//evil.example",
      "https://evil.example",
      "/\\evil",
      "/a\r\nSet-Cookie: x=1",
      "@evil.example",
    ]) {
      const { headers, status } = await unlock(at, secret, next);
      expect([next, status]).toEqual([next, 303]);
      expect(headers.get("location")).toStartWith(at);
      expect(new URL(headers.get("location") as string, server.url).origin).toBe(server.url);
    }
    expect((await unlock(`/s/${"B".repeat(43)}`, secret)).status).toBe(404);
  });

  test("makes a cookie for HTTPS alone where the site has HTTPS", async () => {
    await using secure = await startServer({ BASE_URL: "https://vitrine.example" });
    const { owner } = await createPeople(secure);
    const { body: top } = await owner.post(`${api}/albums`, { name: "Secure" });
    const { body: link } = await owner.post(`${api}/shares`, { kind: "album", id: top.id, password: secret });
    const { status, headers } = await client(secure).request("POST", `/s/${link.token}`, {
      body: new URLSearchParams({ password: secret }).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: "https://vitrine.example" },
      redirect: "manual",
    });
    expect(status).toBe(303);
    expect(headers.get("set-cookie")).toEndWith("; Secure");
  });
});

describe("pictures from guests", () => {
  const send = (
    at: string,
    name: string,
    content: Bun.BlobPart,
    fields: Record<string, string> = { guestName: "" },
  ) => {
    const form = new FormData();
    form.set("file", new File([content], name));
    for (const [key, value] of Object.entries(fields)) form.set(key, value);
    return guest.request<string>("POST", `${at}/upload`, {
      body: form,
      redirect: "manual",
      headers: { Origin: server.url },
    });
  };

  test("are sent with a plain form, wait for approval, and are shown by no page before", async () => {
    const top = await album("Wedding");
    const link = await share("album", top.id, { allowUpload: true });
    expect((await guest.get<string>(link.at)).body).toContain(`href="${link.at}/upload"`);
    const page = await guest.get<string>(`${link.at}/upload`);
    expect(page.body).toContain('enctype="multipart/form-data"');
    expect(page.body).toContain("once it is approved");
    const sent = await send(link.at, "dance.png", png(50, 40));
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toBe(`${link.at}/upload?sent`);
    expect((await guest.get<string>(`${link.at}/upload?sent`)).body).toContain("waits for approval");
    expect((await guest.get<string>(link.at)).body).not.toContain("dance");
    const waiting = (await owner.get(`${api}/shares/${link.id}/uploads`)).body;
    expect(waiting).toMatchObject([{ name: "dance.png", guestName: null }]);
    await send(link.at, "named.png", png(51, 40), { guestName: "Ada" });
    expect((await owner.get(`${api}/shares/${link.id}/uploads`)).body[1].guestName).toBe("Ada");
    await owner.post(`${api}/shares/${link.id}/uploads/${waiting[0].id}/approve`, {});
    expect((await guest.get<string>(link.at)).body).toContain("dance");
  });

  test("that are none are refused on the page with a reason", async () => {
    const top = await album("Strict");
    const { at } = await share("album", top.id, { allowUpload: true });
    const refused = await send(at, "page.html", "<script>alert(1)</script>");
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("Only pictures and videos");
    expect(refused.body).toContain('type="file"');
    expect((await send(at, "a/b.png", "x")).status).toBe(400);
  });

  test("are not accepted where the link does not allow them", async () => {
    const top = await album("Closed");
    const { at } = await share("album", top.id);
    expect((await guest.get<string>(at)).body).not.toContain("/upload");
    expect((await guest.get(`${at}/upload`)).status).toBe(404);
    expect((await send(at, "x.png", png(5, 5))).status).toBe(404);
  });

  test("are all that a link to a directory without downloads takes", async () => {
    await owner.upload("secret name.txt", "x", { path: "/drop box", visibility: "private" });
    const box = (await owner.get(`${api}/files`)).body.find(({ name }: { name: string }) => name === "drop box");
    const { at } = await share("directory", box.id, { allowUpload: true, allowDownload: false });
    const { status, body } = await guest.get<string>(at);
    expect(status).toBe(200);
    expect(body).toContain("drop box");
    expect(body).toContain('type="file"');
    expect(body).not.toContain("secret name");
    expect((await guest.get(`${at}/browse/secret%20name.txt`)).status).toBe(404);
    expect((await send(at, "x.png", png(6, 5))).status).toBe(303);
  });
});

test("a signed-in stranger sees through a link what a guest sees", async () => {
  const { id } = await photo("Shown to all");
  const { at } = await share("photo", id);
  const [asGuest, asStranger, asOwner] = await Promise.all([guest, stranger, owner].map((who) => who.get<string>(at)));
  expect(asStranger?.body).toBe(asGuest?.body as string);
  expect(asOwner?.body).toBe(asGuest?.body as string);
});
