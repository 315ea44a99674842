import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { beforeAll, expect, test } from "bun:test";
import type { Client } from "../kit/client.ts";
import { readVideoFile } from "../kit/files/videos.ts";
import { bytesOf, quadrants, secretExif, withExif } from "../kit/files/pictures.ts";
import { useServer } from "../kit/use-server.ts";

// Whoever knows all but the place of a picture could try coordinates, and compare what they get with anything public that is
// derived from the original bytes. So nothing public may be.

let originals: Record<string, Uint8Array<ArrayBuffer>>;
let link: string;

const api = "/api/v1";

const server = useServer({ MEDIA_RATE_LIMIT_BURST: "5000", RATE_LIMIT_BURST: "5000" });
const people = server.people();
beforeAll(async () => {
  const { owner, stranger, admin } = people;
  const withPlace = async (width: number) => withExif(await bytesOf(quadrants(width, 40).jpeg()), secretExif());
  originals = {
    "cleaned.jpg": await withPlace(60),
    "hidden.jpg": await withPlace(700),
    "shared.jpg": await withPlace(66),
    "poster.jpg": await withPlace(68),
    "icon.jpg": await withPlace(640),
    "unknown.dng": crypto.getRandomValues(new Uint8Array(500)),
  };
  const upload = async (name: string, visibility: string, who = owner, path = "/pictures") =>
    (await who.upload(name, originals[name] as Uint8Array<ArrayBuffer>, { path, visibility })).body;
  const show = async (who: Client, file: any, more = {}) =>
    (await who.post(`${api}/photos`, { title: file.name, fileID: file.id, width: 1, height: 1, ...more })).body;

  const cleaned = await show(owner, await upload("cleaned.jpg", "public"));
  await show(owner, await upload("hidden.jpg", "private", owner, "/originals"));
  await show(stranger, await upload("hidden.jpg", "private", stranger, "/theirs"));
  await show(owner, await upload("unknown.dng", "public"));
  const shared = await show(owner, await upload("shared.jpg", "private", owner, "/originals"), {
    visibility: "private",
  });
  link = (await owner.post(`${api}/shares`, { kind: "photo", id: shared.id })).body.token;
  const { body: file } = await owner.upload("video.mp4", readVideoFile("plain.mp4"));
  const video = await show(owner, file);
  await owner.request("PUT", `${api}/photos/${video.id}/poster`, { body: originals["poster.jpg"] as Uint8Array });
  await admin.put(`${api}/settings`, { iconFileID: (await upload("icon.jpg", "public")).id });
  const album = (await owner.post(`${api}/albums`, { name: "Album" })).body;
  await owner.post(`${api}/albums/${album.id}/photos`, { photoID: cleaned.id });
  await owner.post(`${api}/blog`, { title: "Post", content: `![A](/photos/${cleaned.id})`, coverID: cleaned.id });
});

type Seen = { path: string; headers: [string, string][]; text: string; bytes: Uint8Array };

/** Everything that can be reached from the given paths. */
async function crawl(starts: string[], headers: Record<string, string> = {}): Promise<Seen[]> {
  const seen: Seen[] = [];
  const known = new Set(starts);
  const queue = [...starts];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const accept of ["text/html, application/json, image/jpeg;q=0.9, */*;q=0.1", "image/avif"]) {
      if (accept === "image/avif" && !path.includes("/image")) continue;
      const response = await fetch(server.url + path, { headers: { ...headers, Accept: accept }, redirect: "manual" });
      const bytes = await response.bytes();
      const isText = /text|json|xml|manifest/.test(response.headers.get("content-type") ?? "");
      const text = isText ? new TextDecoder().decode(bytes) : "";
      seen.push({ path, headers: [...response.headers], text, bytes });
      for (const found of linksIn(text)) {
        if (known.has(found) || known.size > 600) continue;
        known.add(found);
        queue.push(found);
      }
    }
  }
  return seen;
}

const linksIn = (text: string): string[] =>
  [...text.replaceAll("&amp;", "&").matchAll(/["' (>](?:https?:\/\/[^/"'<> ]+)?(\/[^"'<>\s)]*)/g)]
    .map(([, path = ""]) => path.replace(/#.*$/, "").replace(/[,]+$/, ""))
    .filter((path) =>
      /^\/(api\/v1\/|photos|albums|blog|browse|people|s\/|feed|sitemap|icon|favicon|apple|site)/.test(path),
    );

/** The parts of every usual hash of these bytes, in every usual encoding. */
function partsOf(bytes: Uint8Array): Set<string> {
  const parts = new Set<string>();
  for (const algorithm of ["sha256", "sha512", "sha1", "md5"]) {
    const digest = createHash(algorithm).update(bytes).digest();
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      const text = digest.toString(encoding);
      for (let start = 0; start + 8 <= text.length; start++) parts.add(text.slice(start, start + 8).toLowerCase());
    }
  }
  return parts;
}

function leaks(seen: Seen[], bytes: Uint8Array): string[] {
  const parts = partsOf(bytes);
  const digest = createHash("sha256").update(bytes).digest();
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(bytes));
  return seen.flatMap((one) => {
    const text = `${one.path} ${JSON.stringify(one.headers)} ${one.text}`.toLowerCase();
    for (let start = 0; start + 8 <= text.length; start++)
      if (parts.has(text.slice(start, start + 8))) return [`${one.path}: ${text.slice(start - 20, start + 30)}`];
    const body = Buffer.from(one.bytes);
    const isBinary = body.includes(digest.subarray(0, 8)) || (one.path.includes("zip") && body.includes(checksum));
    return isBinary ? [`${one.path}: in its bytes`] : [];
  });
}

const starts = async () => {
  const { body: files } = await people.guest.get(`${api}/files/dir/pictures`);
  const { body: photos } = await people.guest.get(`${api}/photos?pageSize=100`);
  const ids = photos.map(({ id }: any) => id);
  const pages = ["/", "/photos", "/albums", "/blog", "/browse", "/browse/pictures", "/people/owner", "/search?q=jpg"];
  const lists = ["photos", "blog", "albums", "files", "files/dir/pictures", "search?q=jpg", "photos/timeline"];
  return [
    ...pages,
    "/feed.xml",
    "/feed.json",
    "/photos/feed.xml",
    "/sitemap.xml",
    "/favicon.ico",
    "/icon-192.png",
    ...lists.map((list) => `${api}/${list}`),
    ...files.flatMap(({ id }: any) => [`${api}/files/${id}`, `${api}/files/${id}/content`]),
    ...ids.map((id: number) => `${api}/photos/${id}`),
    `${api}/files/zip?ids=${files.map(({ id }: any) => id).join(",")}`,
    `${api}/photos/zip?ids=${ids.join(",")}`,
  ];
};

test("nothing that a guest can read is derived from the original bytes of a picture with private data", async () => {
  const seen = await crawl(await starts());
  expect(seen.filter(({ path }) => path.includes("/image?")).length).toBeGreaterThan(10);
  const { body: files } = await people.guest.get(`${api}/files/dir/pictures`);
  expect(files.find(({ name }: any) => name === "unknown.dng").sha256).toBeNull();
  expect(seen.some(({ path, bytes }) => path.includes("/files/zip") && bytes.length > 1000)).toBe(true);
  for (const [name, bytes] of Object.entries(originals)) expect([name, leaks(seen, bytes)]).toEqual([name, []]);
});

test("nor is what a guest reads through a link", async () => {
  const headers = { "X-Share-Token": link };
  const { recordID } = (await people.guest.get(`${api}/shared`, headers)).body;
  const through = [`${api}/shared`, `${api}/photos/${recordID}`, `/s/${link}`, `/s/${link}${api}/photos/${recordID}`];
  const seen = await crawl(through, headers);
  expect(seen.filter(({ path }) => path.includes("/image")).length).toBeGreaterThan(1);
  expect(leaks(seen, originals["shared.jpg"] as Uint8Array)).toEqual([]);
});

test("the names of variants do not tell that two people have the same picture", async () => {
  const { body } = await people.guest.get(`${api}/photos?pageSize=100`);
  const same = body.filter(({ title }: any) => title === "hidden.jpg");
  expect(same.map(({ ownerID }: any) => ownerID).toSorted()).toEqual(
    [people.owner.userID, people.stranger.userID].toSorted(),
  );
  const names = await Promise.all(
    same.flatMap(({ variants }: any) =>
      variants.slice(0, 2).map(async ({ url }: any) => {
        const { headers } = await fetch(people.guest.url(url));
        return [new URL(url, "http://x").searchParams.get("v"), headers.get("etag")];
      }),
    ),
  );
  const [first, second] = [names.slice(0, 2), names.slice(2)].map((some) => new Set(some.flat()));
  expect(first?.isDisjointFrom(second ?? new Set())).toBe(true);
});
