// Runs on other engines only with TEST_LONG: the statements are those of the lists of files and albums.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { openZip } from "../../platform/archives/zip.ts";
import { sql } from "../../platform/database/sql.ts";
import { removeExpired } from "./store.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();
const path = "/api/v1/me/archive";

async function waitFor(who: Client): Promise<any> {
  return (
    await until(
      () => who.get(path),
      ({ body }) => body.status !== "waiting",
    )
  ).body;
}

async function contentOf(who: Client): Promise<Record<string, string>> {
  const response = await fetch(who.url(`${path}/content`), { headers: { Authorization: `Bearer ${who.token}` } });
  expect([response.status, response.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringContaining("attachment"),
  ]);
  await Bun.write(join(scratch, "a.zip"), response);
  await using zip = await openZip(join(scratch, "a.zip"));
  const found: Record<string, string> = {};
  for await (const entry of zip.list())
    if ("open" in entry)
      found[entry.path.slice(1).join("/")] = Buffer.concat(await Array.fromAsync(entry.open())).toString();
  return found;
}

test("a person gets an archive of their own data, and of nobody else's, for seven days", async () => {
  const dataDir = join(scratch, "data");
  const env = { DATA_DIR: dataDir, ...(await engineEnv(dataDir)) };
  await using server = await startVitrine(env);
  const ada = await person(server, "ada");
  const bob = await person(server, "bob");
  await ada.upload("secret.txt", "the secret of ada", { path: "/mine", visibility: "private" });
  await bob.upload("bob.txt", "the text of bob");
  const { body: post } = await ada.post("/api/v1/blog", { title: "Harbours", content: "The last *ferry*" });
  await bob.post("/api/v1/comments", { blogPostID: post.id, content: "bob says hello" });
  await ada.post("/api/v1/comments", { blogPostID: post.id, content: "ada answers" });

  expect((await ada.get(path)).body).toMatchObject({ status: "none", url: null });
  const asked = await ada.post(path);
  expect([asked.status, asked.body]).toEqual([
    201,
    expect.objectContaining({ status: "waiting", url: null, size: null, madeAt: null, error: null }),
  ]);
  // Whether the first is ready by now depends on the machine.
  const again = await ada.post(path);
  expect([201, 409]).toContain(again.status);
  const { status, url, size } = await waitFor(ada);
  expect([status, url, size > 100]).toEqual(["ready", `${path}/content`, true]);

  const found = await contentOf(ada);
  expect(found["files/mine/secret.txt"]).toBe("the secret of ada");
  expect(found["posts/harbours/index.md"]).toContain("The last *ferry*");
  const [session] = found["data/sessions.jsonl"]!.split("\n");
  expect(JSON.parse(session!)).toMatchObject({
    userID: ada.userID,
    createdAt: expect.any(String),
    address: expect.any(String),
  });
  expect(session).not.toContain("token");
  const everything = Object.values(found).join("\n");
  expect(everything).toContain("ada answers");
  expect(everything).not.toContain("the text of bob");
  expect(everything).not.toContain("bob says hello");

  for (const other of [bob, client(server)])
    expect((await other.get(`${path}/content`)).status).toBe(other === bob ? 404 : 401);
  const storage = (await ada.get("/api/v1/storage")).body;
  expect(JSON.stringify(storage)).not.toContain(String(size));

  // Seven days later it is gone.
  const site = { url: server.url, dataDir, schema: undefined } as Parameters<typeof withDatabase>[0];
  await withDatabase(site, async (db) => {
    await db.transaction((tx) => tx.run(sql`UPDATE archives SET expires_at = 1`));
    expect((await ada.get(path)).body.status).toBe("none");
    expect(await removeExpired(db)).toBe(1);
  });
  await ada.post(path);
  expect((await waitFor(ada)).status).toBe("ready");
  expect((await ada.delete(path)).status).toBe(200);
  expect((await ada.get(path)).body.status).toBe("none");
  expect((await ada.get(`${path}/content`)).status).toBe(404);
});

// The bytes are removed where the embedded engine stores them.
test.skipIf(isScaled)("the archive of somebody whose file the site has lost has all the rest", async () => {
  const dataDir = join(scratch, "lossy");
  await using server = await startVitrine({ DATA_DIR: dataDir });
  const cleo = await person(server, "cleo");
  await cleo.upload("kept.txt", "what is kept", { path: "/" });
  await cleo.upload("lost.txt", "what is lost", { path: "/" });
  const blobs = join(dataDir, "blobs");
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" }))
    if (statSync(join(blobs, name)).isFile() && readFileSync(join(blobs, name), "utf8") === "what is lost")
      rmSync(join(blobs, name));
  await cleo.post(path);
  expect((await waitFor(cleo)).status).toBe("ready");
  const found = await contentOf(cleo);
  expect([found["files/kept.txt"], found["files/lost.txt"]]).toEqual(["what is kept", undefined]);
  expect(JSON.parse(found["vitrine-export.json"]!).missing).toEqual(["files/lost.txt"]);
});
