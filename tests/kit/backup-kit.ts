import { expect } from "bun:test";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realS3 } from "../../src/platform/blobs/s3-servers.test.ts";
import { engineEnv, isScaled } from "./engine.ts";
import { client } from "./client.ts";
import { password } from "./people.ts";
import { runVitrine, startVitrine } from "./process.ts";

type Environment = Record<string, string>;

/** A file on S3 takes a while, and other tests use the same store. */
const pauseMs = isScaled ? 100 : 0;

/** Settings of a new site, on the engines of this run. */
export async function makeSite(dataDir: string): Promise<Environment> {
  return {
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    ...(await engineEnv(dataDir)),
  };
}

export async function makeBucket() {
  const server = realS3();
  if (!server) throw new Error("TEST_S3_URL is not set.");
  const { bucket, endpoint, region, accessKeyID, secretAccessKey } = await server.freshBucket();
  const url = `s3://${bucket}?endpoint=${endpoint}&region=${region}`;
  return { url, AWS_ACCESS_KEY_ID: accessKeyID, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** Returns what was printed. */
export async function backup(words: string[], env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runVitrine(["backup", ...words], env);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

export async function listIDs(repo: string, env: Environment): Promise<string[]> {
  const manifests = JSON.parse(await backup(["list", "--from", repo, "--json"], env)) as { id: string }[];
  return manifests.map(({ id }) => id);
}

export async function signUp(server: { url: string }): Promise<string> {
  await client(server).post("/signup", { username: "writer", password });
  return (await client(server).post("/signin", { username: "writer", password })).body.token;
}

type Writing = { server: { url: string }; token: string; acknowledged: string[]; number: number };

/** A post and a file of each number; every third file is deleted again, with its bytes. */
export async function writeUntil(signal: AbortSignal, { server, token, acknowledged, number }: Writing): Promise<void> {
  const writer = client(server, token);
  for (let count = 0; !signal.aborted; count++) {
    await Bun.sleep(pauseMs);
    const title = `${number}-${count}`;
    const file = await writer.upload(`${title}.txt`, `bytes of ${title} ${crypto.randomUUID()}`);
    const post = await writer.post("/api/v1/blog", { title, content: "x" });
    expect([file.status, post.status]).toEqual([201, 201]);
    acknowledged.push(title);
    if (count % 3 === 0) {
      const { body } = await writer.delete(`/api/v1/files/${file.body.id}`);
      expect(body.message).toBeString();
      await writer.delete("/api/v1/trash");
    }
  }
}

export async function expectWhole(env: Environment): Promise<void> {
  const { code, stdout, stderr } = await runVitrine(["doctor", "--hash"], env);
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^The database is consistent\./) as string, ""]);
}

export async function readSite(env: Environment, token: string) {
  await using server = await startVitrine(env);
  const reader = client(server, token);
  const titles: string[] = [];
  for (let page = 1; titles.length === (page - 1) * 1000; page++) {
    const { status, body } = await reader.get(`/api/v1/blog?page=${page}&pageSize=1000`);
    expect(status).toBe(200);
    titles.push(...body.map((post: { title: string }) => post.title));
  }
  const files = await reader.get("/api/v1/files?pageSize=1000");
  return { titles, contents: files.body.length as number };
}

export function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

export const findFile = (directory: string, name: string) =>
  filesBelow(directory).find((path) => path.endsWith(`/${name}`)) ?? "";

export function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  rmSync(path);
  writeFileSync(path, bytes);
}

export function cut(path: string): void {
  const bytes = readFileSync(path);
  rmSync(path);
  writeFileSync(path, bytes);
  truncateSync(path, Math.floor(bytes.length / 2));
}

export function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
