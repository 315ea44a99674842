// Runs only with TEST_LONG: it builds or starts the whole program several times.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import lock from "../../package-lock.json";
import { isLong } from "../kit/long.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { freePort, readUntil } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";

const scratch = useScratch();
const clone = join(scratch, "clone");

beforeAll(() => copyClone(clone));

/** What git clone has: nothing that is built or installed. */
function copyClone(target: string): void {
  const ignored = new Set([".git", "node_modules", "build", "dist", "release", "data", ".env", ".cache"]);
  cpSync(root, target, { recursive: true, filter: (path) => path === root || !ignored.has(basename(path)) });
}

/** The packages that npm installs without those for development. */
function installPackages(directory: string): void {
  type Package = { dev?: boolean };
  for (const [path, { dev }] of Object.entries(lock.packages as Record<string, Package>)) {
    const isNested = path.lastIndexOf("node_modules/") > 0;
    if (!path || dev || isNested || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(join(root, path), join(directory, path));
  }
}

/** What docs/operate/deploy.md tells people to paste, in this section. */
function readCommands(section: string): string[] {
  const document = readFileSync(join(clone, "docs/operate/deploy.md"), "utf8");
  const [, text = ""] = new RegExp(`^${section}\\n([^]*?)(?=^#|\\s*$(?![^]))`, "m").exec(document) ?? [];
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** Directories of the system are below this one. */
const system = (text: string) => text.replaceAll(/(?<![\w.])\/(opt|etc|mnt|var)\//g, `${scratch}/$1/`);

/**
 * Stand-ins for what needs the network or systemd. What npm installs is in a package already, and a unit of systemd-run gets
 * the same directory.
 */
const standIns = `
set -e
npm() {
  case $1 in
    ci) ln -sfn ${root}node_modules node_modules ;;
    install) mkdir -p "$4/lib/node_modules/vitrine" "$4/bin"
      tar -xzf "$5" -C "$4/lib/node_modules/vitrine" --strip-components=1
      ln -s ../lib/node_modules/vitrine/bin/vitrine "$4/bin/vitrine" ;;
    *) command npm "$@" ;;
  esac
}
systemctl() { :; }
journalctl() { :; }
useradd() { :; }
install() { mkdir -p "$5"; }
systemd-run() { while [[ $1 == --* ]]; do shift; done; "$@"; }
`;

async function paste(commands: string, cwd = clone): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", HOME: scratch };
  const shell = Bun.spawn(["bash", "-c", standIns + system(commands)], { cwd, env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([readUntil(shell.stdout), readUntil(shell.stderr), shell.exited]);
  expect({ commands, code, stderr: code === 0 ? "" : stderr }).toEqual({ commands, code: 0, stderr: "" });
  return stdout;
}

/** Starts a server with this command line; it ends at the end of the scope. */
async function start(words: string[], env: Record<string, string>, cwd: string) {
  const port = String(await freePort());
  const child = Bun.spawn(words, {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env, PORT: port, DRAIN_SECONDS: "0", LOG_LEVEL: "warn" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const announced = await readUntil(child.stdout, "--role admin\n");
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url: `http://127.0.0.1:${port}`, announced, [Symbol.asyncDispose]: stop };
}

/** The page of the studio, as somebody who has signed in gets it. */
async function openStudio(server: { url: string }) {
  await client(server).post("/signup", { username: "ada", password });
  const { token } = (await client(server).post("/signin", { username: "ada", password })).body;
  const response = await fetch(`${server.url}/studio`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: response.status, text: await response.text() };
}

describe("docs/operate/deploy.md, followed literally", () => {
  // In a short run, the package is packed and started by tests/program/deploy.test.ts.
  test.if(isLong)("gives a server with a studio, whose commands work", async () => {
    const [make = "", install = ""] = readCommands("## As a package");
    await paste(make);
    // Only packages that are not for development are on the server.
    const prefix = join(scratch, "opt/vitrine");
    installPackages(join(prefix, "lib/node_modules/vitrine"));
    expect(await paste(install)).toContain("0.1.0\n");
    const [unit = ""] = readCommands("### systemd");
    mkdirSync(join(scratch, "etc/systemd/system"), { recursive: true });
    await paste(unit);

    const text = system(readFileSync(join(scratch, "etc/systemd/system/vitrine.service"), "utf8"));
    const read = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
    const [variable = "", dataDir = ""] = read("Environment").split("=");
    expect(existsSync(read("EnvironmentFile").slice(1))).toBe(true);
    mkdirSync(dataDir, { recursive: true });
    await using server = await start(read("ExecStart").split(" "), { [variable]: dataDir }, read("WorkingDirectory"));
    expect(server.announced).toContain(`Data is in ${dataDir}\n`);
    expect(server.announced).not.toContain("studio");
    expect(server.announced).toMatch(
      /command line: \S+ node \S+\/opt\/vitrine\/lib\/node_modules\/vitrine\/bin\/vitrine user add/,
    );
    const { status, text: page } = await openStudio(server);
    expect(status).toBe(200);
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(server.url + script)).status).toBe(200);
    const [list = "", check = ""] = readCommands("### Commands on the server");
    expect(await paste(list)).toContain("ada");
    expect(await paste(check)).toContain("The database is consistent.");
    const [backup = ""] = readCommands("## Backup");
    expect(await paste(backup)).toMatch(/^Backup \S+ is complete\.$/m);
  });
});

describe("a clone without development packages, in which nothing is built", () => {
  let directory: string;
  beforeAll(() => {
    directory = join(scratch, "production");
    copyClone(directory);
    installPackages(directory);
  });

  test("npm start and npm pack say in one sentence what to do", async () => {
    for (const words of [["start"], ["pack"]]) {
      const env = { PATH: process.env.PATH ?? "", HOME: scratch, DATA_DIR: join(scratch, "unused"), PORT: "0" };
      const child = Bun.spawn(["npm", ...words], { cwd: directory, env, stdout: "pipe", stderr: "pipe" });
      const [stdout, stderr, code] = await Promise.all([
        readUntil(child.stdout),
        readUntil(child.stderr),
        child.exited,
      ]);
      expect([words, code]).not.toEqual([words, 0]);
      expect((stdout + stderr).split("\n")).toContain(
        'vitrine: The web interface cannot be built, because that needs the development packages: run "npm ci" without --omit=dev, or install the package of a release (docs/operate/deploy.md).',
      );
    }
    expect(existsSync(join(scratch, "unused"))).toBe(false);
    expect(readdirSync(directory).filter((name) => name.endsWith(".tgz"))).toEqual([]);
  });

  test("a server that is started in another way says it and stops", async () => {
    const env = { PATH: process.env.PATH ?? "", DATA_DIR: join(scratch, "unused"), PORT: "0" };
    const words = ["node", join(directory, "bin/vitrine"), "serve"];
    const child = Bun.spawn(words, { cwd: scratch, env, stdout: "pipe", stderr: "pipe" });
    expect([await readUntil(child.stderr), await child.exited]).toEqual([
      `vitrine: The web interface is not built: run "npm ci && npm run build" in ${directory}/.\n`,
      1,
    ]);
    expect(existsSync(join(scratch, "unused"))).toBe(false);
  });

  test("an earlier build is used, with a sentence that it is older", async () => {
    const build = join(directory, "build/studio");
    cpSync(join(root, "build"), join(directory, "build"), { recursive: true });
    const description = JSON.parse(readFileSync(join(build, "build.json"), "utf8"));
    writeFileSync(join(build, "build.json"), JSON.stringify({ ...description, sources: "earlier" }));
    const env = { PATH: process.env.PATH ?? "", HOME: scratch };
    const child = Bun.spawn(["npm", "run", "--silent", "build"], { cwd: directory, env, stdout: "pipe" });
    expect(await readUntil(child.stdout)).toStartWith("The web interface is older than its sources.");
    expect(await child.exited).toBe(0);
  });
});
