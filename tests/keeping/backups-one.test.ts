// Runs on other engines only with TEST_LONG: backups.test.ts makes and restores backups on them.
import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../src/platform/version.ts";
import { backup, cut, expectWhole, filesBelow, findFile, flipByte, makeBucket, makeSite } from "../kit/backup-kit.ts";
import { isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { isLong, testLong } from "../kit/long.ts";
import { makeVersion, runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const api = "/api/v1";

/** The server makes no backups by itself: the newest is the one that a test has made. */
async function openSite({ repo = join(newDirectory(scratch), "backups"), ...env }: Record<string, string> = {}) {
  const site: Record<string, string> = { ...(await makeSite(newDirectory(scratch))), BACKUP_TO: repo, ...env };
  const tokens: string[] = [];
  {
    await using server = await startVitrine({ ...site, BACKUP_TO: "" });
    for (const username of ["chief", "writer"]) {
      await client(server).post("/signup", { username, password });
      tokens.push((await client(server).post("/signin", { username, password })).body.token as string);
    }
    expect((await runVitrine(["user", "role", "chief", "admin"], site)).code).toBe(0);
    const changed = await client(server, tokens[0]).put(`${api}/settings`, { backupEvery: "never" });
    expect(changed.status).toBe(200);
  }
  const server = await startVitrine(site);
  const [admin, writer] = [client(server, tokens[0]), client(server, tokens[1])];
  return { repo, site, server, admin, writer, guest: client(server) };
}

type Client = ReturnType<typeof client>;

/** A photo of a text file, in a directory. */
async function addPhoto(who: Client, title: string, path: string, more = {}) {
  const file = await who.upload(`${title}.txt`, `bytes of ${title}`, { path, ...more });
  const sent = { title, fileID: file.body.id, width: 3, height: 2, tags: ["tide"], ...more };
  const { body } = await who.post(`${api}/photos`, sent);
  return { id: body.id as number, fileID: file.body.id as number, createdAt: body.createdAt as string };
}

/** What the file held before, newest first. */
async function readVersions(who: Client, fileID: number): Promise<string[]> {
  const { body } = await who.get(`${api}/files/${fileID}/versions`);
  return Promise.all(body.map(async ({ url }: { url: string }) => (await who.get(url)).body));
}

async function destroy(who: Client, ...paths: string[]) {
  for (const path of paths) expect((await who.delete(`${api}${path}`)).status).toBe(200);
  expect((await who.delete(`${api}/trash`)).status).toBe(200);
}

describe("one record of a backup", () => {
  testLong("a photo that was permanently deleted comes back with its file and directories, as it was", async () => {
    const { repo, site, server, writer, guest } = await openSite();
    await using _server = server;
    const photo = await addPhoto(writer, "Harbour", "/sea/walls");
    const other = await addPhoto(writer, "Other", "/");
    const last = await addPhoto(writer, "Last", "/");
    const contents = `${api}/files/${photo.fileID}/content`;
    for (const body of ["second bytes", "bytes of Harbour"]) await writer.request("PUT", contents, { body });
    const earlier = ["second bytes", "bytes of Harbour"];
    expect(await readVersions(writer, photo.fileID)).toEqual(earlier);
    const { body: album } = await writer.post(`${api}/albums`, { name: "Coast" });
    const order = [other.id, photo.id, last.id];
    await writer.put(`${api}/albums/${album.id}/photos`, { photoIDs: order });
    const before = (await guest.get(`${api}/photos/${photo.id}`)).body;
    await backup(["create", "--to", repo], site);
    const { body: directory } = await writer.get(`${api}/files?path=/`);
    const sea = directory.find((entry: { name: string }) => entry.name === "sea");
    await destroy(writer, `/photos/${photo.id}`, `/files/${sea.id}`);
    expect((await guest.get(`${api}/photos/${photo.id}`)).status).toBe(404);

    const printed = await backup(["restore", "--from", repo, "--only", `photo:${photo.id}`], site);
    expect(printed).toStartWith(`photo ${photo.id} "Harbour" was restored.\n`);
    const after = await guest.get(`${api}/photos/${photo.id}`);
    expect([after.status, after.body.file.path]).toEqual([200, "/sea/walls"]);
    expect(after.body).toEqual(before);
    expect(await (await fetch(`${server.url}${after.body.file.url}`)).text()).toBe("bytes of Harbour");
    expect(await readVersions(writer, photo.fileID)).toEqual(earlier);
    const { body: inAlbum } = await guest.get(`${api}/albums/${album.id}`);
    expect([inAlbum.photoCount, inAlbum.photos.map(({ id }: { id: number }) => id)]).toEqual([3, order]);
    expect((await guest.get(`${api}/photos?albumID=${album.id}`)).body).toHaveLength(3);
    const { body: changes } = await writer.get(`${api}/activity?kind=album&recordID=${album.id}`);
    expect(changes[0]).toMatchObject({ action: "changed", actor: null, name: "Coast" });
    const listed = await guest.get(`${api}/photos?tag=tide`);
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([last.id, other.id, photo.id]);
    const found = await guest.get(`${api}/search?q=harbour&kind=photo`);
    expect(JSON.stringify(found.body)).toContain("Harbour");
    const { body: activity } = await writer.get(`${api}/activity?kind=photo&recordID=${photo.id}`);
    expect(activity[0]).toMatchObject({ action: "restored", actor: null, name: "Harbour" });

    // Again: nothing more happens.
    const again = await backup(["restore", "--from", repo, "--only", `photo:${photo.id}`], site);
    expect(again).toStartWith(`photo ${photo.id} "Harbour" is there already.\n`);
    expect((await guest.get(`${api}/photos`)).body).toHaveLength(3);
    await writer.delete(`${api}/photos/${photo.id}`);
    expect(await backup(["restore", "--from", repo, "--only", `photo:${photo.id}`], site)).toContain("is in the trash");
    expect((await guest.get(`${api}/photos/${photo.id}`)).status).toBe(404);
    await server[Symbol.asyncDispose]();
    await expectWhole(site);
  });

  // What is read from a backup is the same for all engines.
  test.skipIf(isScaled && !isLong)("what was private stays private, and nobody's becomes the admin's", async () => {
    const { repo, site, server, admin, writer, guest } = await openSite();
    await using _server = server;
    const photo = await addPhoto(writer, "Secret", "/", { visibility: "private" });
    // Only its directory hides it.
    const below = await writer.upload("below.txt", "below", { path: "/closed" });
    const { body: top } = await writer.get(`${api}/files?path=/`);
    const closed = top.find((entry: { name: string }) => entry.name === "closed");
    await writer.put(`${api}/files/${closed.id}`, { visibility: "private" });
    const linked = await addPhoto(writer, "Linked", "/", { visibility: "private" });
    const { body: outer } = await writer.post(`${api}/albums`, { name: "Outer", visibility: "private" });
    const { body: inner } = await writer.post(`${api}/albums`, {
      name: "Inner",
      parentID: outer.id,
      visibility: "private",
    });
    await writer.post(`${api}/albums/${inner.id}/photos`, { photoID: photo.id });
    const { body: me } = await writer.get(`${api}/me`);
    await backup(["create", "--to", repo], site);
    await writer.put(`${api}/files/${closed.id}`, { visibility: "public" });
    const { body: share } = await writer.post(`${api}/shares`, { kind: "photo", id: linked.id });
    const { body: albumShare } = await writer.post(`${api}/shares`, { kind: "album", id: outer.id });
    await destroy(writer, `/photos/${photo.id}`, `/files/${photo.fileID}`, `/files/${below.body.id}`);
    await destroy(writer, `/photos/${linked.id}`);

    // A link that was made after the backup does not show it.
    const other = await backup(["restore", "--from", repo, "--only", `photo:${linked.id}`], site);
    const [, newID] = /was restored as photo (\d+), because/.exec(other) ?? [];
    expect((await writer.get(`${api}/photos/${newID}`)).body).toMatchObject({ title: "Linked", visibility: "private" });
    const byLink = { headers: { "X-Share-Token": share.token as string } };
    for (const id of [linked.id, newID])
      expect((await fetch(`${server.url}${api}/photos/${id}`, byLink)).status).toBe(404);

    await backup(["restore", "--from", repo, "--only", `file:${below.body.id}`], site);
    expect((await guest.get(`${api}/files/${below.body.id}/content`)).status).toBe(404);
    expect((await writer.get(`${api}/files?path=/closed`)).body[0]).toMatchObject({ visibility: "private" });

    // An album that can be seen by a link by now does not show a private photo again.
    await backup(["restore", "--from", repo, "--only", `photo:${photo.id}`], site);
    expect((await writer.get(`${api}/photos/${photo.id}`)).body.title).toBe("Secret");
    const byAlbumLink = { headers: { "X-Share-Token": albumShare.token as string } };
    const readByLink = async (path: string) => (await fetch(`${server.url}${api}/${path}`, byAlbumLink)).status;
    expect([await readByLink(`albums/${inner.id}`), await readByLink(`photos/${photo.id}`)]).toEqual([200, 404]);
    await destroy(writer, `/albums/${inner.id}`);
    await backup(["restore", "--from", repo, "--only", `album:${inner.id}`], site);
    const back = (await writer.get(`${api}/albums/${inner.id}`)).body;
    expect([back.parentID, back.photos.length]).toEqual([null, 1]);
    expect([await readByLink(`albums/${inner.id}`), await readByLink(`photos/${photo.id}`)]).toEqual([404, 404]);
    await writer.post(`${api}/shares`, { kind: "directory", id: closed.id });
    await destroy(writer, `/files/${below.body.id}`, `/photos/${photo.id}`, `/files/${photo.fileID}`);
    const shown = await runVitrine(["backup", "restore", "--from", repo, "--only", `file:${below.body.id}`], site);
    expect([shown.code, shown.stderr]).toEqual([
      1,
      "vitrine: A share link that is newer than the backup would show it: revoke that link first.\n",
    ]);

    expect((await runVitrine(["user", "remove", "writer", "--give-to", "chief", "--yes"], site)).code).toBe(
      isScaled ? 0 : 1,
    );
    if (!isScaled) expect((await admin.delete(`${api}/users/${me.id}?giveTo=1`)).status).toBeLessThan(300);
    await backup(["restore", "--from", repo, "--only", `photo:${photo.id}`], site);
    expect((await guest.get(`${api}/photos/${photo.id}`)).status).toBe(404);
    const { body } = await admin.get(`${api}/photos/${photo.id}`);
    expect([body.visibility, body.ownerID, body.file.visibility]).toEqual(["private", 1, "private"]);
    await server[Symbol.asyncDispose]();
    await expectWhole(site);
  });

  test.skipIf(!isLong)(
    "albums bring their photos, posts their comments, directories their files; a damaged byte stops it",
    async () => {
      const { repo, site, server, admin, writer, guest } = await openSite();
      await using _server = server;
      const one = await addPhoto(writer, "One", "/trip");
      const two = await addPhoto(writer, "Two", "/trip");
      const { body: earlier } = await writer.get(`${api}/files/${two.fileID}`);
      await writer.request("PUT", `${api}/files/${two.fileID}/content`, { body: "bytes of Two, later" });
      const { body: album } = await writer.post(`${api}/albums`, { name: "Trip" });
      for (const { id } of [two, one]) await writer.post(`${api}/albums/${album.id}/photos`, { photoID: id });
      const { body: post } = await writer.post(`${api}/blog`, { title: "Log", content: "first", coverID: one.id });
      await writer.put(`${api}/blog/${post.id}`, { content: "second" });
      await writer.post(`${api}/comments`, { content: "Well said", blogPostID: post.id });
      await backup(["create", "--to", repo], site);
      await destroy(writer, `/albums/${album.id}`, `/blog/${post.id}`, `/photos/${one.id}`, `/photos/${two.id}`);
      await destroy(writer, `/files/${one.fileID}`);
      // Takes the slug.
      await writer.post(`${api}/blog`, { title: "Log", content: "another" });

      await backup(["restore", "--from", repo, "--only", `album:${album.id}`], site);
      const restored = (await guest.get(`${api}/albums/${album.id}`)).body;
      expect(restored.photos.map(({ id }: { id: number }) => id)).toEqual([two.id, one.id]);
      expect(restored.photoCount).toBe(2);
      await backup(["restore", "--from", repo, "--only", `post:${post.id}`], site);
      const back = (await guest.get(`${api}/blog/${post.id}`)).body;
      expect([back.content, back.slug, back.coverID]).toEqual(["second", "log-2", one.id]);
      const comments = await guest.get(`${api}/comments?blogPostID=${post.id}`);
      expect(comments.body.map(({ content }: { content: string }) => content)).toEqual(["Well said"]);
      expect((await writer.get(`${api}/blog/${post.id}/revisions`)).body.length).toBeGreaterThan(0);

      // By its path, with all that is in it; a file whose bytes are damaged in the backup is not restored.
      const { body: top } = await writer.get(`${api}/files?path=/`);
      const trip = top.find((entry: { name: string }) => entry.name === "trip");
      const { body: inside } = await writer.get(`${api}/files?path=/trip`);
      await destroy(writer, `/photos/${one.id}`, `/photos/${two.id}`, `/files/${trip.id}`);
      // Each of the files would fit, and both are a byte too much: not even one comes back.
      const restoreTrip = (quota: number) =>
        runVitrine(["backup", "restore", "--from", repo, "--only", "/trip"], { ...site, QUOTA_BYTES: String(quota) });
      const tooMuch = /^vitrine: This would bring writer's storage to (\d+) bytes, over the limit of \d+\. /;
      const enough = Number(tooMuch.exec((await restoreTrip(1)).stderr)?.[1]);
      const refused = await restoreTrip(enough - 1);
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringMatching(tooMuch) as string]);
      expect((await writer.get(`${api}/files?path=/trip`)).status).toBe(404);

      for (const { sha256 } of [inside[0], earlier]) flipByte(findFile(repo, sha256));
      const partly = await restoreTrip(enough);
      const { body: left } = await writer.get(`${api}/files?path=/trip`);
      const names = left.map(({ name }: { name: string }) => name);
      // On S3, the site itself has the bytes until the daily sweep.
      if (isScaled) expect([partly.code, names]).toEqual([0, ["One.txt", "Two.txt"]]);
      else expect([partly.code, names]).toEqual([1, ["Two.txt"]]);
      const damaged = ["One.txt", "Two.txt"].map((name) =>
        partly.stdout.includes(`"${name}" could not be restored: Its bytes`),
      );
      expect(damaged).toEqual([!isScaled, !isScaled]);
      expect(await readVersions(writer, two.fileID)).toHaveLength(isScaled ? 1 : 0);

      // By the API.
      const contents = await admin.get(`${api}/backups/contents?search=tw&kind=photo`);
      expect([contents.status, contents.body.total]).toEqual([200, 1]);
      expect(contents.body.records[0]).toMatchObject({ kind: "photo", id: two.id, name: "Two", state: "deleted" });
      // Its database is not read again.
      cut(findFile(repo, "database.sqlite.gz"));
      const kept = filesBelow(join(site.DATA_DIR ?? "", "spool")).find((path) => path.endsWith(".db")) ?? "";
      expect([kept, dirname(kept)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
      const done = await admin.post(`${api}/backups/restore`, { kind: "photo", id: two.id });
      expect([done.status, done.body]).toEqual([200, expect.objectContaining({ id: two.id, state: "restored" })]);
      expect((await guest.get(`${api}/photos/${two.id}`)).body.title).toBe("Two");
      const { body: activity } = await admin.get(`${api}/activity?kind=photo&recordID=${two.id}`);
      expect(activity[0]).toMatchObject({ action: "restored", actor: { username: "chief" } });
      const unknown = await admin.post(`${api}/backups/restore`, { kind: "photo", id: 4711 });
      expect([unknown.status, unknown.body.error]).toEqual([409, "The backup does not contain photo:4711."]);
      await server[Symbol.asyncDispose]();
      expect(existsSync(kept)).toBe(false);
      await expectWhole(site);
    },
  );

  test.skipIf(!isLong)(
    "comes from an encrypted place, in a bucket if there is one, and from an earlier version of the program",
    async () => {
      const { url: repo = join(newDirectory(scratch), "backups"), ...keys } = isScaled ? await makeBucket() : {};
      const { site, server, admin, writer } = await openSite({ repo, ...keys, BACKUP_PASSPHRASE: "tide at nine" });
      const photo = await addPhoto(writer, "Harbour", "/sea");
      await backup(["create", "--to", repo], site);
      await destroy(writer, `/photos/${photo.id}`, `/files/${photo.fileID}`);
      await server.close();

      const [major = 0, minor = 0] = version.split(".").map(Number);
      const migration = "UPDATE photos SET title = title || ' (upgraded)';";
      const directory = newDirectory(scratch);
      const program = makeVersion(directory, `${major}.${minor + 1}.0`, { "9001_titles.sql": migration });
      await using newer = await startVitrine(site, program);
      const chief = client(newer, admin.token);
      const { body: found } = await chief.get(`${api}/backups/contents?kind=photo`);
      expect(found.records).toMatchObject([{ id: photo.id, name: "Harbour (upgraded)", state: "deleted" }]);
      const { status, body } = await chief.post(`${api}/backups/restore`, { kind: "photo", id: photo.id });
      expect([status, body.state, body.otherRestored]).toEqual([200, "restored", 1]);
      const restored = (await chief.get(`${api}/photos/${photo.id}`)).body;
      expect([restored.title, restored.file.path]).toEqual(["Harbour (upgraded)", "/sea"]);
      expect((await chief.get(restored.file.url)).body).toBe("bytes of Harbour");
    },
  );
});
