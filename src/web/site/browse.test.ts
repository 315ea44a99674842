// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { guest, owner, stranger } = server.people();
beforeAll(async () => {
  await owner.upload("notes.txt", "First line <script>alert(1)</script>", { path: "/letters/2026" });
  await owner.upload("plan.txt", "the secret plan", { path: "/letters/secret", visibility: "private" });
});

const pathOf = (...names: string[]) => `/browse${names.map((name) => `/${encodeURIComponent(name)}`).join("")}`;
const openAs = (who: Client, ...names: string[]) => who.get<string>(pathOf(...names));

describe("browsing", () => {
  test("leads from the root to a file by the names of the directories", async () => {
    const root = await openAs(guest);
    expect(root.status).toBe(200);
    expect(root.body).toContain('href="/browse/letters"');
    const letters = await openAs(guest, "letters");
    expect(letters.body).toContain('href="/browse/letters/2026"');
    expect(letters.body).toMatch(/href="\/api\/v1\/files\/\d+\/zip"/);
    const file = await openAs(guest, "letters", "2026", "notes.txt");
    expect(file.status).toBe(200);
    expect(file.body).toContain("First line &lt;script&gt;");
    expect(file.body).not.toContain("<script>alert");
    expect(file.body).toMatch(/href="\/api\/v1\/files\/\d+\/content\?download"/);
    expect(file.body).toContain('<a href="/browse/letters"');
  });

  test("shows directories first, and names one address for every spelling", async () => {
    await owner.upload("Aaa.txt", "text", { path: "/order" });
    await owner.post("/api/v1/directories", { name: "zzz", path: "/order" });
    const { body } = await openAs(guest, "ORDER");
    expect(body.indexOf("/order/zzz")).toBeGreaterThan(0);
    expect(body.indexOf("/order/zzz")).toBeLessThan(body.indexOf("/order/Aaa.txt"));
    expect(body).toMatch(/<link rel="canonical" href="[^"]*\/browse\/order"\/>/);
  });

  test("handles every character that a name can have", async () => {
    const names = [
      "100% sure?.txt",
      "%2e%2e%2f.txt",
      "a#b&c=d+e;.txt",
      "<img src=x onerror=alert(1)>.txt",
      `"quotes" 'and' \`ticks\`.txt`,
      "שלום עולם.txt",
      "evil\u202Egnp.txt",
      "..a",
      "… .. ",
      "🏞️ e\u0301.txt",
      "x".repeat(250),
      "C:",
    ];
    for (const name of names) await owner.upload(name, `content of ${name.length}`, { path: "/odd", name });
    const { body } = await openAs(guest, "odd");
    for (const name of names) {
      const href = pathOf("odd", name.normalize("NFC"));
      expect(body).toContain(`href="${href.replaceAll("'", "&#39;")}"`);
      const page = await guest.get<string>(href);
      expect([name, page.status]).toEqual([name, 200]);
      expect(page.body).not.toContain("<img src=x");
    }
  });

  test("has no page for a path that is none", async () => {
    const wrong = [
      "/browse/letters%2F2026",
      "/browse/letters%5C2026",
      "/browse//letters",
      "/browse/letters//2026",
      "/browse/%00",
      "/browse/%ff",
      "/browse/letters/2026/notes.txt/more",
      "/browse/nothing",
      `/browse/${"a/".repeat(100)}a`,
      `/browse/${"%F0%9F%8F%9E".repeat(500)}`,
    ];
    for (const path of wrong) expect([path, (await guest.get(path)).status]).toEqual([path, 404]);
  });

  test("shows nothing private to others, and the owner's own without a trace for search engines", async () => {
    for (const who of [guest, stranger]) {
      const listing = await openAs(who, "letters");
      expect(listing.body).not.toContain("secret");
      const hidden = await who.get("/browse/letters/secret");
      const missing = await who.get("/browse/letters/nothing");
      expect(hidden.status).toBe(404);
      expect({ ...hidden.body, requestID: "" }).toEqual({ ...missing.body, requestID: "" });
      expect((await openAs(who, "letters", "secret", "plan.txt")).status).toBe(404);
    }
    const own = await openAs(owner, "letters", "secret", "plan.txt");
    expect(own.status).toBe(200);
    expect(own.body).toContain("the secret plan");
    expect(own.headers.get("cache-control")).toBe("private, no-store");
    expect(own.headers.get("x-robots-tag")).toBe("noindex");
    expect(own.body).not.toContain('rel="canonical"');
    expect((await openAs(owner, "letters")).body).toContain("secret");
  });

  test("follows a change of visibility at once, also where the page was cached", async () => {
    const { body: file } = await owner.upload("soon.txt", "soon gone", { path: "/change" });
    const names = ["change", "soon.txt"];
    for (let time = 0; time < 3; time++) expect((await openAs(guest, ...names)).status).toBe(200);
    await owner.put(`/api/v1/files/${file.id}`, { visibility: "private" });
    expect((await openAs(guest, ...names)).status).toBe(404);
    expect((await openAs(guest, "change")).body).not.toContain("soon.txt");
  });

  test("goes on by links, and every file is on one page", async () => {
    const count = 230;
    for (let number = 1; number <= count; number++) {
      await owner.upload(`file ${number}.txt`, `${number}`, { path: "/many" });
    }
    const seen: string[] = [];
    let pages = 0;
    for (let next: string | undefined = "/browse/many"; next; pages++) {
      const { status, body }: { status: number; body: string } = await guest.get<string>(next);
      expect(status).toBe(200);
      seen.push(...[...body.matchAll(/<span dir="auto">(file \d+\.txt)<\/span>/g)].map((match) => match[1] as string));
      next = /<a [^>]*rel="next" href="([^"]+)"/.exec(body)?.[1];
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => `file ${index + 1}.txt`));
    expect((await guest.get("/browse/many?cursor=nonsense")).status).toBe(400);
    expect((await guest.get<string>("/browse/many?pageSize=1000")).body).not.toContain("file 101.txt");
  });

  test("shows pictures with their size, thumbnails of photos, and texts up to a limit", async () => {
    const { body: picture } = await owner.upload("plain.png", png(40, 30), { path: "/media" });
    await owner
      .upload("photo.png", png(400, 300), { path: "/media" })
      .then(({ body }) => owner.post("/api/v1/photos", { title: "Dusk", fileID: body.id }));
    await owner.upload("long.md", `# Title\n${"words and more\n".repeat(10_000)}`, { path: "/media" });
    await owner.upload("binary.txt", "a\0b", { path: "/media" });
    await owner.upload("page.html", "<script>alert(1)</script>", { path: "/media" });
    const listing = await openAs(guest, "media");
    expect(listing.body).toMatch(
      /<img class="file-thumbnail" src="\/api\/v1\/photos\/\d+\/image\?w=320[^"]*" width="320" height="240"/,
    );
    const plain = await openAs(guest, "media", "plain.png");
    expect(plain.body).toContain(`<img src="/api/v1/files/${picture.id}/content" width="40" height="30"`);
    const photo = await openAs(guest, "media", "photo.png");
    expect(photo.body).toMatch(/srcset="\/api\/v1\/photos\/\d+\/image\?w=320/);
    const long = await openAs(guest, "media", "long.md");
    expect(long.body.length).toBeLessThan(90_000);
    expect(long.body).toContain("beginning of the file");
    expect((await openAs(guest, "media", "binary.txt")).body).not.toContain("<pre");
    expect((await openAs(guest, "media", "page.html")).body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("does not show an original that only its owner can download", async () => {
    await owner.upload("raw.nef", "not really a picture", { path: "/withheld" });
    const shown = await openAs(guest, "withheld", "raw.nef");
    expect(shown.status).toBe(200);
    expect(shown.body).not.toContain("/content");
    expect((await openAs(owner, "withheld", "raw.nef")).body).toContain("/content?download");
  });

  test("is in the language of the visitor", async () => {
    const { body } = await guest.get<string>("/browse/letters", { "Accept-Language": "de" });
    expect(body).toContain("Als Zip herunterladen");
    expect((await guest.get<string>("/browse/letters")).body).toContain("Download as zip");
  });
});
