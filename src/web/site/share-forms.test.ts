// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { addressesIn, useShareSite } from "../../../tests/kit/share-site.ts";

const api = "/api/v1";
const secret = "a long secret";

const site = useShareSite();
const { server, guest, owner } = site;

const fromHere = () => ({ "Content-Type": "application/x-www-form-urlencoded", Origin: server.url });

/** Sends the form of the password page, and returns the cookie that it sets. */
async function unlock(at: string, password: string, next = "") {
  const body = new URLSearchParams({ password, next }).toString();
  const answer = await guest.request<string>("POST", at, { body, headers: fromHere(), redirect: "manual" });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { ...answer, cookie };
}

describe("the password of a link", () => {
  test("is asked for on every page, and proven by a cookie for that link alone", async () => {
    const top = await site.createAlbum("Locked <album>");
    const { id } = await site.createPhoto("Locked photo");
    await site.attach(top.id, id);
    const { at, token } = await site.share("album", top.id, { password: secret });
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
    const picture = addressesIn(opened.body).find((address) => address.includes("/image")) as string;
    expect((await guest.get(picture, { Cookie: right.cookie })).status).toBe(200);
    expect((await guest.get(picture)).status).toBe(404);
    // The cookie proves the password for the path of the link, not for the header of the API.
    const elsewhere = { Cookie: right.cookie, "X-Share-Token": token };
    expect((await guest.get(`${api}/shared`, elsewhere)).status).toBe(401);
    const withHeaders = { "X-Share-Token": token, "X-Share-Password": secret };
    expect((await guest.get(`${api}/shared`, withHeaders)).status).toBe(200);
  });

  test("ends with a change of the password, and is not that of another link", async () => {
    const top = await site.createAlbum("Twice locked");
    const [one, other] = [
      await site.share("album", top.id, { password: secret }),
      await site.share("album", top.id, { password: secret }),
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
    expect(last).toContain("Too many wrong passwords");
    expect(last).toContain('type="password"');
  });

  test("is not taken from another site, and leads nowhere else", async () => {
    const top = await site.createAlbum("Led astray");
    const { at } = await site.share("album", top.id, { password: secret });
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
    const top = await site.createAlbum("Wedding");
    const link = await site.share("album", top.id, { allowUpload: true });
    expect((await guest.get<string>(link.at)).body).toContain(`href="${link.at}/upload"`);
    const page = await guest.get<string>(`${link.at}/upload`);
    expect(page.body).toContain('enctype="multipart/form-data"');
    expect(page.body).toContain("once the owner has approved them");
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
    expect((await guest.get<string>(link.at)).body).toContain(`data-caption="Photo"`);
  });

  test("that are none are refused on the page with a reason", async () => {
    const top = await site.createAlbum("Strict");
    const { at } = await site.share("album", top.id, { allowUpload: true });
    const refused = await send(at, "page.html", "<script>alert(1)</script>");
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("Only pictures and videos");
    expect(refused.body).toContain('type="file"');
    expect((await send(at, "a/b.png", "x")).status).toBe(400);
  });

  test("are not accepted where the link does not allow them", async () => {
    const top = await site.createAlbum("Closed");
    const { at } = await site.share("album", top.id);
    expect((await guest.get<string>(at)).body).not.toContain("/upload");
    expect((await guest.get(`${at}/upload`)).status).toBe(404);
    expect((await send(at, "x.png", png(5, 5))).status).toBe(404);
  });

  test("are all that a link to a directory without downloads takes", async () => {
    await owner.upload("secret name.txt", "x", { path: "/drop box", visibility: "private" });
    const box = (await owner.get(`${api}/files`)).body.find(({ name }: { name: string }) => name === "drop box");
    const { at } = await site.share("directory", box.id, { allowUpload: true, allowDownload: false });
    const { status, body } = await guest.get<string>(at);
    expect(status).toBe(200);
    expect(body).toContain("drop box");
    expect(body).toContain('type="file"');
    expect(body).not.toContain("secret name");
    expect((await guest.get(`${at}/browse/secret%20name.txt`)).status).toBe(404);
    expect((await send(at, "x.png", png(6, 5))).status).toBe(303);
  });
});
