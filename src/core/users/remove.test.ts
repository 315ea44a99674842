// Runs on other engines only with TEST_LONG: the statements also run in own-removal.test.ts and removal.test.ts.
import { describe, expect, test } from "bun:test";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import { client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { bytesOf, quadrants, secretExif, withExif } from "../../../tests/kit/files/pictures.ts";
import { runVitrine, startVitrine } from "../../../tests/kit/process.ts";
import { until } from "../../../tests/kit/until.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { testLong } from "../../../tests/kit/long.ts";

const place = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Reykjavík"/></rdf:RDF></x:xmpmeta>`;
const scratch = useScratch();
const site = async (): Promise<Record<string, string>> => {
  const dataDir = newDirectory(scratch);
  return { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
};

describe("user remove", () => {
  test("revokes the sessions of an account without records, while the server is running, and frees its name", async () => {
    const env = await site();
    await using server = await startVitrine(env);
    const first = await person(server, "ada");
    const run = (...words: string[]) => runVitrine(["user", "remove", "ADA", ...words], env);
    const unasked = await run();
    expect([unasked.code, unasked.stderr.split("\n")[0]]).toEqual([
      2,
      "vitrine: user remove needs --yes if standard input is not a terminal.",
    ]);
    expect((await first.get("/api/v1/me")).status).toBe(200);
    const { code, stdout } = await run("--yes");
    expect([code, stdout]).toEqual([0, "ada was removed.\n"]);
    expect((await first.get("/api/v1/me")).status).toBe(401);
    expect((await client(server).post("/signin", { username: "ada", password })).status).toBe(401);
    const second = await person(server, "ada");
    expect(second.userID).toBeGreaterThan(first.userID);
  });

  testLong("gives the records to another account, and refuses without one", async () => {
    const env = await site();
    const before = await startVitrine(env);
    const [ada, bob] = [await person(before, "ada"), await person(before, "bob")];
    const picture = withExif(await bytesOf(quadrants(60, 40).jpeg().withXmp(place)), secretExif());
    const file = (await ada.upload("harbour.jpg", picture, { path: "/2026" })).body;
    const photo = (await ada.post("/api/v1/photos", { title: "Harbour", fileID: file.id })).body;
    await ada.upload("note.txt", "one");
    await ada.upload("note.txt", "two", { onConflict: "replace" });
    const post = (await ada.post("/api/v1/blog", { title: "Lisbon", content: "Late." })).body;
    await ada.post("/api/v1/comments", { content: "First!", blogPostID: post.id });
    const album = (await ada.post("/api/v1/albums", { name: "Best" })).body;
    await ada.delete(`/api/v1/albums/${album.id}`);
    const remark = (await bob.post("/api/v1/comments", { content: "Spam.", blogPostID: post.id })).body;
    await ada.delete(`/api/v1/comments/${remark.id}`);
    if (!isScaled) {
      const { code, stderr } = await runVitrine(["user", "remove", "ada", "--give-to", "bob", "--yes"], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("is in use by another server: stop that one")]);
    }
    const refused = await runVitrine(["user", "remove", "ada", "--yes"], env);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "vitrine: ada has records (albums: 1, comments: 1, file versions: 1, files: 3, photos: 1, posts: 1, trash: 2): give them to another account with --give-to OTHER, or delete them with --with-everything.\n",
    ]);
    const self = await runVitrine(["user", "remove", "ada", "--give-to", "Ada", "--yes"], env);
    expect(self.code).toBe(1);
    await before.close();

    const removed = await runVitrine(["user", "remove", "ada", "--give-to", "bob", "--yes"], env);
    expect([removed.code, removed.stdout, removed.stderr]).toEqual([0, "ada was removed.\n", ""]);
    const server = await startVitrine(env);
    const heir = client(server, bob.token);
    const read = async (path: string) => (await heir.get(path)).body;
    expect((await read(`/api/v1/photos/${photo.id}`)).ownerID).toBe(bob.userID);
    expect((await read(`/api/v1/files/dir/2026`))[0]).toMatchObject({ ownerID: bob.userID, sha256: file.sha256 });
    expect((await read(`/api/v1/comments?blogPostID=${post.id}`))[0].author.username).toBe("bob");
    expect((await read("/api/v1/trash")).map(({ name }: any) => name).toSorted()).toEqual(["Best", "Spam."]);
    expect((await heir.put(`/api/v1/blog/${post.id}`, { title: "Lisboa" })).status).toBe(200);
    // Only the new owner can search the private words, after they have been indexed again.
    const find = async () => (await read("/api/v1/search?q=reykjavik")).map(({ id }: any) => id);
    expect(await until(find, ({ length }) => length > 0)).toEqual([photo.id]);
    expect((await client(server).get("/api/v1/search?q=reykjavik")).body).toEqual([]);
    await server.close();

    // The only account, with everything.
    const erased = await runVitrine(["user", "remove", "bob", "--with-everything", "--yes"], env);
    expect([erased.code, erased.stdout, erased.stderr]).toEqual([0, "bob was removed.\n", ""]);
    expect((await runVitrine(["user", "list"], env)).stdout).toBe("");
  });
});
