import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { bytesOf, quadrants, secretExif, withExif } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const server = useServer();
const people = server.people();

const api = "/api/v1";

/** What a synchronizing client compares: the record and its bytes. */
async function sync(who: Client, path: string) {
  const find = (body: any) =>
    body.file ?? body.cover?.file ?? body.photos?.[0]?.file ?? body[0]?.file ?? body[0] ?? body;
  const file = find((await who.get(path)).body);
  const headers: Record<string, string> = who.token ? { Authorization: `Bearer ${who.token}` } : {};
  const response = await fetch(who.url(file.url), { headers });
  const bytes = await response.bytes();
  return { file, bytes, etag: response.headers.get("etag"), vary: response.headers.get("vary") };
}

describe("size, sha256 and ETag", () => {
  testLong("refer to the bytes that the same caller downloads, in every response with the file", async () => {
    const { owner } = people;
    const picture = withExif(await bytesOf(quadrants(96, 64).jpeg()), secretExif());
    const { body: uploaded } = await owner.upload("picture.jpg", picture, { path: "/sync" });
    expect([uploaded.size, uploaded.sha256]).toEqual([picture.length, sha256Of(picture)]);
    const { body: photo } = await owner.post(`${api}/photos`, { title: "Photo", fileID: uploaded.id });
    const { body: album } = await owner.post(`${api}/albums`, { name: "Album" });
    await owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
    const { body: post } = await owner.post(`${api}/blog`, { title: "Post", content: "x", coverID: photo.id });

    const paths = [
      `${api}/files/${uploaded.id}`,
      `${api}/files?path=/sync`,
      `${api}/files/dir/sync/picture.jpg`,
      `${api}/photos/${photo.id}`,
      `${api}/photos`,
      `${api}/albums/${album.id}`,
      `${api}/blog/${post.id}`,
    ];
    const seen: Record<string, Set<string>> = {};
    for (const [name, who] of Object.entries(people)) {
      for (const path of paths) {
        const { file, bytes, etag, vary } = await sync(who, path);
        expect([name, path, file.size, file.sha256]).toEqual([name, path, bytes.length, sha256Of(bytes)]);
        expect([etag, vary]).toEqual([`"${file.sha256}"`, expect.stringContaining("Authorization")]);
        expect(Object.keys(file)).not.toContain("public");
        (seen[name] ??= new Set()).add(file.sha256);
      }
    }
    expect(seen.owner).toEqual(new Set([sha256Of(picture)]));
    expect(seen.admin).toEqual(seen.owner as Set<string>);
    expect(seen.guest).toEqual(seen.stranger as Set<string>);
    expect(seen.guest?.size).toBe(1);
    expect(seen.guest).not.toEqual(seen.owner as Set<string>);
  });

  test("only the ETag that the owner has read can be used to replace the content", async () => {
    const { owner, guest } = people;
    const picture = withExif(await bytesOf(quadrants(64, 48).jpeg()), secretExif());
    const { body: file } = await owner.upload("edited.jpg", picture);
    const replace = (etag: string, content: Uint8Array<ArrayBuffer>) =>
      owner.request("PUT", file.url, { body: content, headers: { "If-Match": etag } });
    const { etag: shownToGuest } = await sync(guest, `${api}/files/${file.id}`);
    const { etag } = await sync(owner, `${api}/files/${file.id}`);
    const next = await bytesOf(quadrants(48, 48).jpeg());
    expect((await replace(shownToGuest as string, next)).status).toBe(412);
    expect((await replace(etag as string, next)).status).toBe(200);
    const { file: now, bytes } = await sync(owner, `${api}/files/${file.id}`);
    expect([now.sha256, Buffer.compare(bytes, next)]).toEqual([sha256Of(next), 0]);
    expect((await replace(etag as string, picture)).status).toBe(412);
  });

  test("a file without private data is the same for everyone", async () => {
    const { body: file } = await people.owner.upload("plain.txt", "plain");
    for (const who of Object.values(people)) {
      expect((await who.get(`${api}/files/${file.id}`)).body.sha256).toBe(file.sha256);
    }
  });
});
