// Runs only with TEST_LONG: it builds or starts the whole program several times.
// Runs on the embedded engines only: a release is made without a server.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describePackages } from "../../bin/sbom.ts";
import lock from "../../package-lock.json";
import { version } from "../../src/platform/version.ts";
import { buildForBrowsers } from "../kit/built.ts";
import { isLong } from "../kit/long.ts";
import { finish, runVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";
import { startReceiver } from "../kit/servers/webhook-receiver.ts";
import { sha256Of } from "../kit/sha256.ts";

const scratch = useScratch();
const clone = join(scratch, "clone");

async function run(words: string[]) {
  // Hooks and settings of this machine are not used.
  const env = { PATH: process.env.PATH ?? "", HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" };
  return finish(Bun.spawn(words, { cwd: clone, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" }));
}

const commit = (subject: string) =>
  run([
    "git",
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@example.org",
    "commit",
    "--quiet",
    "--all",
    "-m",
    subject,
  ]);

const release = (...words: string[]) => run(["npm", "run", "--silent", "release", "--", ...words]);

// Packs the program three times: a long run only.
describe.skipIf(!isLong)("npm run release", () => {
  /** A repository with one commit, because a release is made from one, and other tests pack this one. */
  beforeAll(async () => {
    buildForBrowsers();
    const ignored = new Set([".git", "node_modules", "dist", "release", "data", ".env"]);
    cpSync(root, clone, { recursive: true, filter: (path) => path === root || !ignored.has(basename(path)) });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    await run(["git", "init", "--quiet"]);
    writeFileSync(join(clone, ".git/info/exclude"), "node_modules\n");
    await run(["git", "add", "--all"]);
    await commit("first");
  });

  const trial = join(scratch, "trial");

  test("makes all files, and their checksums", async () => {
    const { code, stdout, stderr } = await release("--dry-run", "--without-executables", "--out", trial);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("npm publish");
    const names = [`vitrine-${version}-image.tar.gz`, `vitrine-${version}.cdx.json`, `vitrine-${version}.tgz`];
    expect(readdirSync(trial).toSorted()).toEqual(["NOTES.md", "SHA256SUMS", ...names]);
    const sums = readFileSync(join(trial, "SHA256SUMS"), "utf8").trim().split("\n");
    const hash = (name: string) => sha256Of(readFileSync(join(trial, name)));
    expect(sums).toEqual(["NOTES.md", ...names].map((name) => `${hash(name)}  ${name}`));
    const notes = readFileSync(join(trial, "NOTES.md"), "utf8");
    expect(notes).toStartWith("## Unreleased\n\n### ");
    expect(notes.match(/^## /gm)).toHaveLength(1);
  });

  test("refuses what is not committed, and a version without a section; the same sources give the same bytes", async () => {
    const refused = (sentence: string) => ({ code: 1, stdout: "", stderr: `vitrine: ${sentence}\n` });
    const section = `CHANGELOG.md has no section "## ${version} (DATE)": write it, or try it with --dry-run.`;
    expect(await release("--without-executables")).toEqual(refused(section));
    const changelog = `# Changelog\n\n## Unreleased\n\n## ${version} (2026-11-17)\n\n- The first one.\n`;
    writeFileSync(join(clone, "CHANGELOG.md"), changelog);
    const changes = "There are changes that are not committed: commit them, or try it with --dry-run.";
    expect(await release("--without-executables")).toEqual(refused(changes));
    await commit("second");
    const { code, stdout } = await release("--without-executables");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing has been published.")]);
    const directory = join(clone, "release", version);
    expect(readFileSync(join(directory, "NOTES.md"), "utf8")).toBe(`## ${version} (2026-11-17)\n\n- The first one.\n`);
    for (const name of [`vitrine-${version}.cdx.json`, `vitrine-${version}.tgz`]) {
      expect(readFileSync(join(directory, name)).equals(readFileSync(join(trial, name)))).toBe(true);
    }
    expect(await release("--without-executables")).toEqual(refused(`${directory} is not empty: remove it first.`));
  });
});

describe("the bill of materials", () => {
  const made = describePackages(lock, "vitrine", version);

  test("has the shape of CycloneDX 1.6, and every package of the lock file once", () => {
    expect(made).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    const locked = Object.entries(lock.packages as Record<string, { version?: string }>).slice(1);
    const expected = locked.map(([path, each]) => `${path.split("node_modules/").at(-1)}@${each.version}`);
    expect(made.components.map(({ name, version: each }) => `${name}@${each}`).toSorted()).toEqual(
      [...new Set(expected)].toSorted(),
    );
    for (const component of made.components) {
      expect(component.type).toBe("library");
      expect(component.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*$/);
      expect(component.scope).toMatch(/^(required|optional)$/);
      expect(component.hashes?.map(({ alg }) => alg)).toEqual(["SHA-512"]);
      expect(component.hashes?.[0]?.content).toMatch(/^[\da-f]{128}$/);
      expect(component["bom-ref"]).toBe(component.purl);
    }
  });

  test("says what needs what", () => {
    const refs = new Set(made.dependencies.map(({ ref }) => ref));
    expect(refs.size).toBe(made.components.length + 1);
    const needed = new Map(made.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    expect([...needed.values()].flat().filter((ref) => !refs.has(ref))).toEqual([]);
    expect(needed.get(`pkg:npm/vitrine@${version}`)).toContain("pkg:npm/sharp@0.35.5");
    // One in its own directory, and not the other version above it.
    const inner = lock.packages["node_modules/parse5/node_modules/entities"].version;
    expect(needed.get(`pkg:npm/parse5@${lock.packages["node_modules/parse5"].version}`)).toEqual([
      `pkg:npm/entities@${inner}`,
    ]);
  });
});

describe("vitrine version", () => {
  const [major = ""] = version.split(".");
  const newer = `${Number(major) + 1}.0.0`;
  const open = { WEBHOOK_ALLOW_PRIVATE: "true" };

  test("sends no request unless it is asked to", async () => {
    await using receiver = startReceiver();
    expect(await runVitrine(["version"], { ...open, RELEASES_URL: receiver.url })).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ["of GitHub", { tag_name: `v${newer}` }, `There is a newer release: ${newer}.`],
    ["of npm", { version: newer }, `There is a newer release: ${newer}.`],
    ["with this version", { tag_name: `v${version}` }, "There is no newer release."],
    ["with an older version", { tag_name: "v0.0.1" }, "There is no newer release."],
  ])("--check understands an answer %s", async (_, answer, sentence) => {
    await using receiver = startReceiver();
    receiver.responses.push(Response.json(answer));
    const { code, stdout } = await runVitrine(["version", "--check", "--from", `${receiver.url}/latest`], open);
    expect([code, stdout]).toEqual([0, `${version}\n${sentence}\n`]);
    const [{ path, body, headers } = { path: "", body: "", headers: new Headers() }] = receiver.received;
    expect([path, body, headers.get("user-agent"), headers.get("content-length")]).toEqual([
      "/latest",
      "",
      "vitrine",
      null,
    ]);
  });

  test("--check fails with a sentence if the answer is none, or the address may not be asked", async () => {
    await using receiver = startReceiver();
    const { host } = new URL(receiver.url);
    receiver.responses.push(
      new Response("", { status: 302, headers: { Location: "/" } }),
      Response.json({ tag_name: "\u001b" }),
    );
    const from = ["version", "--check", "--from", receiver.url];
    const answers = [await runVitrine(from, open), await runVitrine(from, open), await runVitrine(from, {})];
    answers.push(await runVitrine(["version", "--check"], open));
    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, `vitrine: RELEASES_URL could not be asked. ${host} has answered with the status 302.\n`],
      [1, `vitrine: RELEASES_URL could not be asked. ${host} has not answered with a release.\n`],
      [1, "vitrine: RELEASES_URL could not be asked. 127.0.0.1 is not a public address.\n"],
      [1, "vitrine: RELEASES_URL is not set: say with --from URL where releases are listed.\n"],
    ]);
    expect(receiver.received).toHaveLength(2);
  });
});
