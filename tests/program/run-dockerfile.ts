// Runs the steps of the Dockerfile and the image they make, without a container engine: root and Linux only.
//   node bin/bun tests/program/run-dockerfile.ts              copies node_modules instead of running npm ci
//   npm run test:image                                runs npm ci, too
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildImage, type Image, runOrThrow, toWords } from "./dockerfile.ts";
import { freePort } from "../kit/process.ts";

// As in a shell: a server that ran in the process before may have changed it, and the image runs as another user.
process.umask(0o022);

const password = "correct horse battery";
const picture = fileURLToPath(new URL("../../docs/harbour.jpg", import.meta.url));
const scratch = process.argv.slice(2).find((word) => !word.startsWith("--"));
const install = process.argv.includes("--install");

/** In mount points of its own, which end with it. */
function runInNamespace(): number {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-image-"));
  const self = [process.execPath, import.meta.path, directory, ...(install ? ["--install"] : [])];
  const { exitCode } = Bun.spawnSync(["unshare", "--mount", "--propagation=private", ...self], {
    stdout: "inherit",
    stderr: "inherit",
  });
  rmSync(directory, { recursive: true });
  return exitCode;
}

async function run(directory: string): Promise<void> {
  runOrThrow("mount", "-t", "tmpfs", "tmpfs", directory);
  const image = buildImage(directory, install);
  prepareToRun(image, directory);
  const env = { ...image.env, PORT: String(await freePort()), DRAIN_SECONDS: "0", LOG_LEVEL: "warn" };
  const container = { ...image, env };
  const url = `http://127.0.0.1:${env.PORT}`;

  await using first = await start(container);
  expectUnprivileged(first.pid);
  expectWrites(container, { "/app": false, "/etc": false, "/tmp": true, "/data": true });
  const command = container.command.slice(0, -1);
  expectCode(execute(container, [...command, "user", "add", "ada", "--role", "admin"], `${password}\n`), 0);
  await publishPhoto(url);
  const code = await first.stop();
  if (code !== 0) throw new Error(`${image.stopSignal} ended the server with ${code}.`);
  expectCode(execute(container, image.healthcheck), 1);

  await using second = await start(container);
  const photos = await expectOK<unknown[]>(fetch(`${url}/api/v1/photos`));
  if (photos.length !== 1) throw new Error("The volume did not keep the photo.");
  await second.stop();
  console.log("The steps of the Dockerfile work, and so does the image.");
}

/** As compose.yml does it: a root that cannot be written, a volume, and an empty /tmp. */
function prepareToRun({ root, volume }: Image, directory: string): void {
  runOrThrow("cp", "--archive", join(root, volume), join(directory, "volume"));
  runOrThrow("mount", "--bind", join(directory, "volume"), join(root, volume));
  runOrThrow("mount", "-t", "tmpfs", "tmpfs", join(root, "tmp"));
  runOrThrow("mount", "-o", "remount,ro", root);
}

/** The command line that runs a program as the image says, without any capability. */
function enter({ root, user, directory, env }: Image, words: string[]): string[] {
  const as = [
    "setpriv",
    `--reuid=${user}`,
    `--regid=${user}`,
    "--init-groups",
    "--no-new-privs",
    "--bounding-set=-all",
  ];
  const script = `cd ${directory} && exec "$@"`;
  return [
    "chroot",
    root,
    ...as,
    "env",
    "-i",
    "PATH=/usr/bin:/bin",
    ...toWords(env),
    "sh",
    "-c",
    script,
    "sh",
    ...words,
  ];
}

function execute(image: Image, words: string[], input = "") {
  return { words, ...Bun.spawnSync(enter(image, words), { stdin: Buffer.from(input), stderr: "pipe" }) };
}

async function start(image: Image) {
  const server = Bun.spawn(enter(image, image.command), { stdout: "ignore", stderr: "inherit" });
  const stop = async () => {
    server.kill(image.stopSignal);
    return server.exited;
  };
  const end = performance.now() + 60_000;
  while (execute(image, image.healthcheck).exitCode !== 0) {
    if (server.exitCode !== null || performance.now() > end) {
      server.kill("SIGKILL");
      throw new Error("The server did not become healthy.");
    }
    await Bun.sleep(200);
  }
  return { pid: server.pid, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

function expectUnprivileged(pid: number): void {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  const [, capabilities] = /^CapEff:\s+(\w+)/m.exec(status) ?? [];
  if (uid !== "10001" || !/^0+$/.test(capabilities ?? ""))
    throw new Error(`The server has rights: ${uid}, ${capabilities}.`);
}

function expectWrites(image: Image, directories: Record<string, boolean>): void {
  for (const [directory, isWritable] of Object.entries(directories)) {
    const { exitCode } = execute(image, ["sh", "-c", `touch ${directory}/probe && rm ${directory}/probe`]);
    if ((exitCode === 0) !== isWritable) throw new Error(`${directory} is ${isWritable ? "read-only" : "writable"}.`);
  }
}

/** An upload, and a variant of it, which takes a decoder process. */
async function publishPhoto(url: string): Promise<void> {
  const post = (path: string, body: unknown, token = "") =>
    fetch(url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const { token } = await expectOK<{ token: string }>(post("/signin", { username: "ada", password }));
  const form = new FormData();
  form.set("file", new File([readFileSync(picture)], "harbour.jpg"));
  const upload = fetch(`${url}/api/v1/files`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const file = await expectOK<{ id: number }>(upload);
  const photo = await expectOK<{ id: number }>(post("/api/v1/photos", { title: "Harbour", fileID: file.id }, token));
  const { status } = await fetch(`${url}/api/v1/photos/${photo.id}/image?w=320`);
  if (status !== 200) throw new Error(`The variant is ${status}.`);
}

async function expectOK<Body>(request: Promise<Response>): Promise<Body> {
  const response = await request;
  if (!response.ok) throw new Error(`${response.url} is ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

function expectCode({ words, exitCode, stdout, stderr }: ReturnType<typeof execute>, expected: number): void {
  if (exitCode !== expected)
    throw new Error(`${words.join(" ")} ended with ${exitCode}: ${stdout.toString()}${stderr.toString()}`);
}

if (scratch) await run(scratch);
else process.exitCode = runInNamespace();
