// Runs on the embedded engines only: what programs for WebDAV send is the same on all.
import { beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "webdav";
import { makeKey } from "./client.ts";
import { isLong } from "../kit/long.ts";
import { findProgram, needs, programPath } from "../kit/optional.ts";
import { useScratch } from "../kit/scratch.ts";
import { useServer } from "../kit/use-server.ts";
import { until } from "../kit/until.ts";

const api = "/api/v1";
const home = useScratch();
const server = useServer();
const owner = server.person("owner");
let key: string;

beforeAll(async () => {
  key = await makeKey(owner, "dav");
  // The daemon of davfs2 has a user of its own.
  chmodSync(home, 0o755);
});

const having = (program: string) => needs(program, findProgram(program) !== null);
const canMount = isLong && existsSync("/dev/fuse") && process.getuid?.() === 0;

async function run(words: string[], { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {}) {
  const child = Bun.spawn(words, {
    env: { ...process.env, PATH: programPath, HOME: home, ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, code, all: stdout + stderr };
}

const folder = (name: string, files: Record<string, string>) => {
  const path = join(home, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
};
const shown = async (path: string) => {
  const { body } = await owner.get(`${api}/files/dir${path}`);
  return (await owner.get(`${api}/files/${body.id}/content`)).body;
};
const isMounted = (path: string) => readFileSync("/proc/mounts", "utf8").includes(` ${path} `);

test("the client webdav of npm reads, writes, moves, locks and deletes", async () => {
  const dav = createClient(`${server.url}/dav/`, { username: "owner", password: key });
  await dav.createDirectory("/npm");
  expect(await dav.putFileContents("/npm/ä b.txt", "one")).toBe(true);
  expect(await dav.putFileContents("/npm/ä b.txt", "no", { overwrite: false })).toBe(false);
  await dav.moveFile("/npm/ä b.txt", "/npm/c.txt");
  await dav.copyFile("/npm/c.txt", "/npm/d.txt");
  const listed = (await dav.getDirectoryContents("/npm")) as { basename: string; size: number; etag: string }[];
  expect(listed.map(({ basename, size }) => [basename, size])).toEqual([
    ["c.txt", 3],
    ["d.txt", 3],
  ]);
  const { token } = await dav.lock("/npm/c.txt");
  expect(await dav.deleteFile("/npm/c.txt").catch(({ status }) => status)).toBe(423);
  await dav.unlock("/npm/c.txt", token);
  await dav.deleteFile("/npm/c.txt");
  expect([await dav.exists("/npm/c.txt"), await dav.getFileContents("/npm/d.txt", { format: "text" })]).toEqual([
    false,
    "one",
  ]);
});

having("rclone").describe("rclone", () => {
  let env: Record<string, string>;
  const rclone = (...words: string[]) => run(["rclone", ...words], { env });
  beforeAll(async () => {
    const { stdout } = await run(["rclone", "obscure", key]);
    env = {
      RCLONE_CONFIG: join(home, "rclone.conf"),
      RCLONE_CONFIG_SITE_TYPE: "webdav",
      RCLONE_CONFIG_SITE_URL: `${server.url}/dav/`,
      RCLONE_CONFIG_SITE_VENDOR: "other",
      RCLONE_CONFIG_SITE_USER: "owner",
      RCLONE_CONFIG_SITE_PASS: stdout.trim(),
    };
  });

  test("copies, synchronizes and checks a folder", async () => {
    const source = folder("source", { "a.txt": "a", "b c.txt": "b", "ü.txt": "ü" });
    folder("source/deep/er", { "d.txt": "d" });
    expect(await rclone("copy", source, "site:rclone")).toMatchObject({ code: 0 });
    expect(await rclone("check", "--download", source, "site:rclone")).toMatchObject({ code: 0 });
    rmSync(join(source, "a.txt"));
    writeFileSync(join(source, "b c.txt"), "changed");
    expect(await rclone("sync", source, "site:rclone")).toMatchObject({ code: 0 });
    const { stdout } = await rclone("lsf", "-R", "--files-only", "site:rclone");
    expect(stdout.split("\n").filter(Boolean).toSorted()).toEqual(["b c.txt", "deep/er/d.txt", "ü.txt"]);
    expect(await shown("/rclone/b c.txt")).toBe("changed");
  });

  (canMount ? having("fusermount").test : test.skip)("mounts the site", async () => {
    const point = folder("rclone-mount", {});
    const child = Bun.spawn(
      ["rclone", "mount", "site:", point, "--vfs-cache-mode", "writes", "--vfs-write-back", "0s"],
      {
        env: { ...process.env, HOME: home, ...env },
        stderr: "ignore",
      },
    );
    try {
      await until(() => isMounted(point) || child.exitCode !== null);
      expect((await run(["sh", "-c", `mkdir ${point}/mounted && echo written > ${point}/mounted/x.txt`])).code).toBe(0);
      await until(
        () => shown("/mounted/x.txt"),
        (text) => text === "written\n",
      );
    } finally {
      await run(["fusermount", "-u", point]);
      await child.exited;
    }
  });
});

having("cadaver").test("cadaver sends, lists, copies and gets", async () => {
  writeFileSync(join(home, ".netrc"), `machine 127.0.0.1\nlogin owner\npassword ${key}\n`, { mode: 0o600 });
  folder("cadaver", { "sent.txt": "by cadaver" });
  const input = [
    `lcd ${join(home, "cadaver")}`,
    "mkcol cadaver",
    "cd cadaver",
    "put sent.txt",
    "copy sent.txt again.txt",
    "move again.txt moved.txt",
    "lock moved.txt",
    "unlock moved.txt",
    "ls",
    "get moved.txt got.txt",
    "delete sent.txt",
    "quit",
    "",
  ].join("\n");
  const { all } = await run(["cadaver", `${server.url}/dav/`], { input });
  expect(all).not.toContain("failed");
  expect(readFileSync(join(home, "cadaver/got.txt"), "utf8")).toBe("by cadaver");
  const names = (await owner.get(`${api}/files?path=/cadaver`)).body.map(({ name }: any) => name);
  expect(names).toEqual(["moved.txt"]);
});

(canMount ? having("mount.davfs").test : test.skip)("davfs2 edits a file that the API shows", async () => {
  await owner.upload("notes.txt", "before\n", { path: "/davfs" });
  const { body: directory } = await owner.get(`${api}/files`);
  const { id } = directory.find(({ name }: any) => name === "davfs");
  const secrets = join(home, "secrets");
  const limited = await makeKey(owner, "dav", { directoryID: id });
  writeFileSync(secrets, `${server.url}/dav/ owner ${limited}\n`, { mode: 0o600 });
  const conf = join(home, "davfs2.conf");
  const cache = folder("davfs-cache", {});
  // With the default of 16 KiB, folders cannot be listed on recent kernels.
  writeFileSync(conf, `secrets ${secrets}\ndelay_upload 0\nask_auth 0\nbuf_size 256\ncache_dir ${cache}\n`);
  chmodSync(join(home, "davfs-cache"), 0o777);
  const point = folder("davfs-mount", {});
  const mounted = await run(["mount.davfs", `${server.url}/dav/`, point, "-o", `conf=${conf}`]);
  expect(mounted).toMatchObject({ code: 0 });
  try {
    const edited = await run([
      "sh",
      "-c",
      `ls ${point} | grep -x notes.txt && cat ${point}/notes.txt && echo after >> ${point}/notes.txt`,
    ]);
    expect(edited).toMatchObject({ code: 0, stdout: "notes.txt\nbefore\n" });
    await until(
      () => shown("/davfs/notes.txt"),
      (text) => text === "before\nafter\n",
    );
  } finally {
    await run(["umount", point]);
  }
});
