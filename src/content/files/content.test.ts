import { beforeAll, describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { isScaled } from "../../../tests/kit/engine.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

let digits: any;
let etag: string;

const server = useServer();
const { guest } = server;
const { owner, stranger, admin } = server.people();
beforeAll(async () => {
  digits = (await owner.upload("digits.txt", "0123456789")).body;
  etag = `"${digits.sha256}"`;
});

const read = (headers: Record<string, string> = {}) => guest.get(digits.url, headers);

describe("the bytes of a file", () => {
  test("are sent with a length, a strong ETag, a type, nosniff and a name", async () => {
    const { status, body, headers } = await read();
    expect(status).toBe(200);
    expect(body).toBe("0123456789");
    expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(headers.get("content-length")).toBe("10");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toStartWith("inline");
    expect(headers.has("content-range")).toBe(false);
  });

  test("HEAD returns the same headers and no bytes", async () => {
    const [got, head] = [await read(), await guest.request("HEAD", digits.url)];
    expect(head.status).toBe(200);
    expect(head.body).toBe("");
    for (const name of ["etag", "content-length", "content-type", "content-disposition", "x-content-type-options"]) {
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    const part = await guest.request("HEAD", digits.url, { headers: { "If-None-Match": etag } });
    expect(part.status).toBe(304);
  });

  test("are for those who see the file and all directories above it", async () => {
    const file = (await owner.upload("deep.txt", "deep", { path: "/one/two/three" })).body;
    const top = (await owner.get("/api/v1/files?path=/")).body.find((entry: any) => entry.name === "one").id;
    const three = (await owner.get("/api/v1/files?path=/one/two")).body[0].id;
    const statuses = async () => {
      const found = [];
      for (const who of [guest, stranger, owner, admin]) {
        const { status } = await who.get(`/api/v1/files/${file.id}`);
        expect((await who.get(file.url)).status).toBe(status);
        found.push(status);
      }
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    for (const id of [file.id, three, top]) {
      await owner.put(`/api/v1/files/${id}`, { visibility: "private" });
      expect(await statuses()).toEqual([404, 404, 200, 200]);
      await owner.put(`/api/v1/files/${id}`, { visibility: "public" });
      expect(await statuses()).toEqual([200, 200, 200, 200]);
    }
    await owner.delete(`/api/v1/files/${top}`);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test("of a missing file or a directory are 404 in JSON", async () => {
    const directory = (await owner.post("/api/v1/directories", { name: "folder" })).body;
    for (const id of [999_999, directory.id]) {
      const { status, body } = await guest.get(`/api/v1/files/${id}/content`);
      expect(status).toBe(404);
      expect(body.error).toBeString();
    }
    expect((await guest.get("/api/v1/files/x/content")).status).toBe(400);
  });

  test.if(!isScaled)("that were cut short on the disk are never sent as if they were whole", async () => {
    const file = (await owner.upload("cut.bin", "x".repeat(1000))).body;
    truncateSync(join(server.dataDir, "blobs", file.sha256.slice(0, 2), file.sha256), 500);
    const missing = expect.stringContaining("missing from the storage or damaged");
    for (const headers of [{}, { Range: "bytes=0-9" }]) {
      const { status, body } = await guest.get(file.url, headers);
      expect([status, body.error]).toEqual([404, missing]);
    }
    expect((await guest.request("HEAD", file.url)).status).toBe(404);
  });

  test("get a new ETag when they are replaced", async () => {
    const file = (await owner.upload("versions.txt", "one")).body;
    const before = (await guest.get(file.url)).headers.get("etag") as string;
    await owner.upload("versions.txt", "two", { onConflict: "replace" });
    const after = await guest.get(file.url, { "If-None-Match": before });
    expect(after.status).toBe(200);
    expect(after.body).toBe("two");
    expect(after.headers.get("etag")).not.toBe(before);
  });
});

describe("conditional reads", () => {
  test("a client that already has these bytes gets 304 and no bytes", async () => {
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, body, headers } = await read({ "If-None-Match": value });
      expect([value, status]).toEqual([value, 304]);
      expect(body).toBe("");
      expect(headers.get("etag")).toBe(etag);
    }
  });

  test("a client that has other bytes gets all of them", async () => {
    for (const value of ['"other"', digits.sha256, ""]) {
      const { status, body } = await read({ "If-None-Match": value });
      expect([value, status, body]).toEqual([value, 200, "0123456789"]);
    }
  });

  test("If-None-Match takes precedence over a range", async () => {
    expect((await read({ "If-None-Match": etag, Range: "bytes=0-1" })).status).toBe(304);
  });
});

describe("ranges", () => {
  test.each([
    ["bytes=0-3", "0123", "0-3"],
    ["bytes=4-4", "4", "4-4"],
    ["bytes=7-", "789", "7-9"],
    ["bytes=-3", "789", "7-9"],
    ["bytes=-100", "0123456789", "0-9"],
    ["bytes=8-100", "89", "8-9"],
    ["bytes=0-", "0123456789", "0-9"],
  ])("%s is %s", async (range, part, place) => {
    const { status, body, headers } = await read({ Range: range });
    expect([status, body]).toEqual([206, part]);
    expect(headers.get("content-range")).toBe(`bytes ${place}/10`);
    expect(headers.get("content-length")).toBe(String(part.length));
    expect(headers.get("etag")).toBe(etag);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each(["bytes=10-", "bytes=10-20", "bytes=99-", "bytes=-0"])("%s is outside the file: 416", async (range) => {
    const { status, body, headers } = await read({ Range: range });
    expect(status).toBe(416);
    expect(headers.get("content-range")).toBe("bytes */10");
    expect(body.error).toBeString();
    expect(JSON.stringify(body)).not.toContain("0123");
  });

  test.each(["bytes=5-2", "bytes=a-b", "bytes=-", "bytes", "lines=0-3", "bytes=0-1,4-5"])(
    "%s is not a single range: the whole file is sent",
    async (range) => {
      const { status, body, headers } = await read({ Range: range });
      expect([status, body]).toEqual([200, "0123456789"]);
      expect(headers.has("content-range")).toBe(false);
    },
  );

  test("an empty file has no ranges", async () => {
    const empty = (await owner.upload("empty.txt", "")).body;
    expect((await guest.get(empty.url, { Range: "bytes=0-" })).status).toBe(416);
    expect((await guest.get(empty.url)).status).toBe(200);
  });

  test("If-Range returns the range if the ETag matches, and otherwise the whole file", async () => {
    expect((await read({ Range: "bytes=2-3", "If-Range": etag })).body).toBe("23");
    for (const other of ['"other"', `W/${etag}`, "Wed, 21 Oct 2015 07:28:00 GMT"]) {
      const { status, body } = await read({ Range: "bytes=2-3", "If-Range": other });
      expect([other, status, body]).toEqual([other, 200, "0123456789"]);
    }
  });

  test("the ranges of a large file add up to the whole", async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => (index * 31) % 251);
    const { url, size } = (await owner.upload("large.bin", bytes)).body;
    const parts: Uint8Array[] = [];
    for (let start = 0; start < size; start += 70_000) {
      const part = await fetch(server.url + url, { headers: { Range: `bytes=${start}-${start + 69_999}` } });
      expect(part.status).toBe(206);
      parts.push(new Uint8Array(await part.arrayBuffer()));
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });
});

describe("an uploaded file in the browser", () => {
  const html = "<script>alert(1)</script>";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  const xml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`;

  test.each([
    ["page.html", html],
    ["page.htm", html],
    ["PAGE.HTML", html],
    ["page.xhtml", xml],
    ["image.svg", svg],
    ["feed.xml", xml],
    ["style.xsl", xml],
    ["script.js", "alert(1)"],
    ["script.mjs", "alert(1)"],
    ["style.css", "* {}"],
    ["archive.mhtml", "MIME-Version: 1.0"],
    ["fake.png", html],
    ["fake.jpg", svg],
    ["no-extension", html],
  ])("%s is sent as a download and never executed", async (name, content) => {
    const file = (await owner.upload(name, content)).body;
    const { headers } = await guest.get(file.url);
    expect(headers.get("content-disposition")).toStartWith("attachment");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).not.toMatch(/javascript|css|image\/(png|jpeg)/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    const part = await guest.get(file.url, { Range: "bytes=0-3" });
    expect(part.headers.get("content-disposition")).toStartWith("attachment");
  });

  test("the type that a client sends is ignored", async () => {
    const body = new FormData();
    body.set("file", new File([html], "claimed.txt", { type: "text/html" }));
    const file = (await owner.request("POST", "/api/v1/files", { body })).body;
    expect(file.contentType).toBe("text/plain");
    expect((await guest.get(file.url)).headers.get("content-type")).toStartWith("text/plain");
  });

  test("an image is shown inline, whatever its name is", async () => {
    const file = (await owner.upload("picture.html", png(1, 1))).body;
    const { headers } = await guest.get(file.url);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-disposition")).toStartWith("inline");
  });

  test("?download sends every type as a download", async () => {
    for (const query of ["?download", "?download=1", "?download="]) {
      const { status, body, headers } = await guest.get(digits.url + query);
      expect([status, body]).toEqual([200, "0123456789"]);
      expect(headers.get("content-disposition")).toStartWith("attachment");
    }
  });

  test("the name of a download is encoded as in RFC 6266", async () => {
    for (const name of [
      "plain.txt",
      `Gr\u00fc\u00dfe "quoted" 100% (名前)'*.txt`,
      "semi;colon, comma.txt",
      "\u{1f600}.txt",
    ]) {
      const { id, url } = (await owner.upload("rfc6266.txt", "x")).body;
      await owner.put(`/api/v1/files/${id}`, { name });
      const header = (await guest.get(url)).headers.get("content-disposition") ?? "";
      const [, plain, encoded] =
        /^inline; filename="([^"\\]*)"; filename\*=UTF-8''([\w.%~!#$&+^`|-]+)$/.exec(header) ?? [];
      expect([name, plain]).toEqual([name, expect.stringMatching(/^[\x20-\x7e]+$/)]);
      expect(decodeURIComponent(encoded as string)).toBe(name);
    }
  });
});
