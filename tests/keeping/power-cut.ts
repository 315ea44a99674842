/**
 * Checks that acknowledged writes survive a power cut. The data directory is on an ext4 image. Under load, the server
 * is stopped and the image is copied: data that was not flushed is missing from the copy, as it would be from a disk.
 * Then a server is started on the copy, which must have everything that the first one acknowledged.
 *
 * Needs root, Linux and mkfs.ext4: `npm run test:power-cut`.
 */
import { copyFileSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { startVitrine } from "../kit/process.ts";

const rounds = Number(process.argv[2] ?? 10);
const scratch = mkdtempSync(join(tmpdir(), "vitrine-power-"));
const env = { JWT_SECRET: "a secret that is the same before and after" };
let lost = 0;
let checked = 0;

try {
  for (let round = 1; round <= rounds; round++) await cutPower(round);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${rounds} power cuts, ${checked} acknowledged writes, ${lost} lost`);
process.exit(lost > 0 || checked === 0 ? 1 : 0);

async function cutPower(round: number): Promise<void> {
  const image = join(scratch, `${round}.img`);
  const copy = join(scratch, `${round}-after.img`);
  await run("truncate", "-s", "256M", image);
  await run("mkfs.ext4", "-q", image);
  const acknowledged = { posts: new Set<string>(), files: new Map<number, string>() };

  await mounted(image, async (directory) => {
    const server = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
    const writer = await signUp(server);
    let stopped = false;
    const load = Array.from({ length: 6 }, (_, writerIndex) =>
      keepWriting(writer, acknowledged, writerIndex, () => stopped),
    );
    await Bun.sleep(500 + Math.random() * 1000);
    server.process.kill("SIGSTOP");
    stopped = true;
    copyFileSync(image, copy, constants.COPYFILE_FICLONE);
    server.process.kill("SIGKILL");
    await Promise.all([...load, server.process.exited]);
  });
  await mounted(copy, async (directory) => {
    await using server = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
    await verify(client(server), acknowledged);
  });
  rmSync(image);
  rmSync(copy);
}

type Acknowledged = { posts: Set<string>; files: Map<number, string> };

async function keepWriting(
  writer: Client,
  acknowledged: Acknowledged,
  writerIndex: number,
  isStopped: () => boolean,
): Promise<void> {
  try {
    while (!isStopped()) {
      if (writerIndex % 2 === 0) {
        const title = crypto.randomUUID();
        const { status } = await writer.post("/api/v1/blog", { title, content: "x".repeat(2000) });
        if (status === 201 && !isStopped()) acknowledged.posts.add(title);
      } else {
        const bytes = crypto.getRandomValues(new Uint8Array(20_000));
        const { status, body } = await writer.upload("a.bin", bytes, { path: `/writer ${writerIndex}` });
        const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
        if (status === 201 && !isStopped()) acknowledged.files.set(body.id, sha256);
      }
    }
  } catch {
    // The server was stopped, as intended.
  }
}

async function verify(reader: Client, { posts, files }: Acknowledged): Promise<void> {
  const titles = new Set<string>();
  for (let page = 1; ; page++) {
    const { body } = await reader.get(`/api/v1/blog?pageSize=1000&page=${page}`);
    for (const post of body) titles.add(post.title);
    if (body.length < 1000) break;
  }
  for (const title of posts) report(titles.has(title), `post ${title}`);
  for (const [id, sha256] of files) {
    const response = await fetch(reader.url(`/api/v1/files/${id}/content`));
    const found = new Bun.CryptoHasher("sha256").update(await response.arrayBuffer()).digest("hex");
    report(found === sha256, `file ${id}`);
  }
}

function report(isThere: boolean, what: string): void {
  checked++;
  if (isThere) return;
  lost++;
  console.error(`lost: ${what}`);
}

async function signUp(server: { url: string }): Promise<Client> {
  await client(server).post("/signup", { username: "writer", password });
  const { body } = await client(server).post("/signin", { username: "writer", password });
  return client(server, body.token);
}

/** A long commit interval, so that only explicit flushes reach the image. */
async function mounted(image: string, work: (directory: string) => Promise<void>): Promise<void> {
  const directory = `${image}.mnt`;
  mkdirSync(directory);
  await run("mount", "-o", "loop,commit=600", image, directory);
  try {
    await work(directory);
  } finally {
    await run("umount", directory);
  }
}

async function run(...words: string[]): Promise<void> {
  const code = await Bun.spawn(words, { stdout: "ignore", stderr: "inherit" }).exited;
  if (code !== 0) throw new Error(`${words.join(" ")} exited with ${code}`);
}
