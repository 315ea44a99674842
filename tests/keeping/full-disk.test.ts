// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { browserPath, openTab, sharedBrowser } from "../kit/browser.ts";
import { type Client, client, uncached } from "../kit/client.ts";
import { admin, password, signedIn } from "../kit/people.ts";
import type { TestServer } from "../kit/server.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { describeOnSmallDisk, takeTheRest, useSmallDisk } from "../kit/faults/small-disk.ts";
import { signIn } from "../studio/sign-in.ts";
import { until } from "../kit/until.ts";
import { sha256Of } from "../kit/sha256.ts";

/** A disk that fills, is emptied through the studio, and goes on. It is a small file system in memory. */

const mebibyte = 2 ** 20;
const api = "/api/v1";

describeOnSmallDisk("a disk that is full", () => {
  const disk = useSmallDisk(64);
  const env = { DATA_DIR: join(disk, "data") };
  let server: Awaited<ReturnType<typeof startVitrine>>;
  let chief: Client;
  let guest: Client;
  /** The files whose upload was acknowledged, and their SHA-256. */
  const acknowledged = new Map<number, string>();

  const start = async () => {
    server = await startVitrine(env);
    guest = client(server);
  };
  const asTestServer = () => ({ ...server, dataDir: env.DATA_DIR }) as unknown as TestServer;

  beforeAll(async () => {
    await start();
    chief = await admin(asTestServer(), "chief");
  });
  afterAll(() => server.close());

  const storedBytes = () => {
    const blobs = readdirSync(join(env.DATA_DIR, "blobs"), { recursive: true, withFileTypes: true });
    const files = blobs.filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  };
  const attention = async () => (await chief.get(`${api}/attention`)).body.disk;
  const isReady = async () => (await guest.get("/readyz")).status === 200;

  async function upload() {
    const bytes = crypto.getRandomValues(new Uint8Array(mebibyte));
    const answer = await chief.upload(`${crypto.randomUUID()}.bin`, bytes);
    if (answer.status === 201) acknowledged.set(answer.body.id, answer.body.sha256);
    return answer;
  }

  /** Returns the first refusal, and what the attention list had said until then. */
  async function fill() {
    const warnings = new Set<string>();
    for (let count = 0; count < 100; count++) {
      const answer = await upload();
      if (answer.status !== 201) return { answer, warnings };
      // The server looks at the disk every second.
      await Bun.sleep(150);
      warnings.add((await attention())?.trouble ?? "none");
    }
    throw new Error("the disk has not become full");
  }

  async function expectAllReadable() {
    for (const [id, sha256] of acknowledged) {
      const bytes = await (await fetch(chief.url(`${api}/files/${id}/content`))).bytes();
      expect(sha256Of(bytes)).toBe(sha256);
    }
  }

  test("is announced, refuses what would be stored with a sentence, and goes on with everything else", async () => {
    const { answer, warnings } = await fill();
    expect(acknowledged.size).toBeGreaterThan(20);
    expect([...warnings].slice(0, 2)).toEqual(["none", "low"]);
    expect([answer.status, answer.body.code]).toEqual([500, "full"]);
    expect(answer.body.error).toContain("empty the trash");

    takeTheRest(disk);
    const post = await chief.post(`${api}/blog`, { title: "Post", content: "…" });
    expect([post.status, post.body.code]).toEqual([500, "full"]);
    const share = await chief.post(`${api}/shares`, { kind: "file", id: [...acknowledged.keys()][0] });
    expect([share.status, share.body.code]).toEqual([507, "full"]);
    expect((await upload()).body.code).toBe("full");
    expect((await attention()).trouble).toBe("full");
    expect((await guest.get("/readyz")).body.error).toContain("full");
    expect((await guest.get("/readyz")).status).toBe(503);

    expect((await guest.get("/livez")).status).toBe(200);
    for (const path of ["/", "/search?q=bin", `${api}/files`, `${api}/photos`]) {
      expect((await guest.get(path, uncached)).status).toBe(200);
    }
    await expectAllReadable();
    expect((await signedIn(server, "chief")).token).toBeString();
    expect((await guest.post("/session", { username: "chief", password })).status).toBe(200);
  });

  test("is emptied through the studio, and takes files again", async () => {
    // Enough even if the other program has also got the reserve of the server, which was released while it wrote.
    const ids = [...acknowledged.keys()].slice(0, 20);
    const [first, second, ...others] = ids;
    expect((await chief.delete(`${api}/files/${first}`)).status).toBe(200);
    expect((await chief.post(`${api}/files/batch`, { ids: [second, ...others], trash: true })).body.changed).toBe(19);
    for (const id of ids) acknowledged.delete(id);
    expect((await upload()).body.code).toBe("full");

    const before = storedBytes();
    await emptyTrash();
    // The bytes are gone at once, and not by a later sweep.
    expect(before - storedBytes()).toBeGreaterThan(19 * mebibyte);
    await until(isReady);
    expect((await upload()).status).toBe(201);
    expect((await chief.post(`${api}/blog`, { title: "Post", content: "…" })).status).toBe(201);
    expect((await attention())?.trouble).not.toBe("full");
  });

  async function emptyTrash() {
    if (!browserPath) return expect((await chief.delete(`${api}/trash`)).status).toBe(200);
    await using tab = await openTab(await sharedBrowser(), server.url, { locale: "en", serviceWorkers: "block" });
    await signIn(tab, "chief");
    await tab.open("/studio/");
    await tab.page.getByRole("link", { name: "The server's disk is full" }).click();
    await tab.page.getByRole("button", { name: "Empty trash" }).click();
    await tab.page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await tab.page.getByText("The trash is empty").waitFor();
    expect(tab.complaints).toEqual([]);
    await until(
      () => chief.get(`${api}/trash`),
      ({ body }) => body.length === 0,
    );
  }

  test("keeps all that was acknowledged, also when the server is killed and started on it", async () => {
    await fill();
    takeTheRest(disk);
    // Lines of the log are buffered for a moment.
    await Bun.sleep(500);
    server.process.kill("SIGKILL");
    await server.process.exited;
    const log = await new Response(server.process.stderr).text();
    const lines = log.split("\n").filter((line) => line.includes("The disk of DATA_DIR is full"));
    // Once for each time that it was full, not for each request.
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(["error", "error"]);

    await start();
    chief = client(server, chief.token, chief.userID);
    expect(await isReady()).toBe(false);
    await expectAllReadable();
    expect((await upload()).body.code).toBe("full");
    const [id = 0] = acknowledged.keys();
    expect((await chief.delete(`${api}/files/${id}`)).status).toBe(200);
    acknowledged.delete(id);
    expect((await chief.delete(`${api}/trash`)).status).toBe(200);
    await server.close();

    const { code, stderr } = await runVitrine(["doctor", "--hash"], env);
    expect([code, stderr]).toEqual([0, ""]);
  });
});
