// Runs on the embedded engines only: whom the files of a data directory belong to does not depend on the engines.
import { beforeAll, expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "../kit/long.ts";
import { password } from "../kit/people.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { type Finished, finish, readUntil, runVitrine, spawnVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const { describe: describeAsRoot } = needs(
  "root on Linux",
  process.getuid?.() === 0 && findProgram("setpriv") !== null,
);

/** Users without a name, as those of systemd are while their unit does not run. */
const [owner, other] = [54_321, 54_322];
const as = (user: number) => ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

describeAsRoot("commands that root runs on another user's site", () => {
  const scratch = useScratch();
  const dataDir = join(scratch, "data");
  const run = async (words: string[], before: string[] = [], input = ""): Promise<Finished> => {
    const child = spawnVitrine(words, { DATA_DIR: dataDir }, { before });
    void child.stdin.write(input);
    return finish(child);
  };
  /** Starts a server, and returns what it prints on stderr. It ends at once. */
  const start = async (before: string[]): Promise<{ announced: string; stderr: string }> => {
    const child = spawnVitrine(
      ["serve"],
      { DATA_DIR: dataDir, PORT: "0", DRAIN_SECONDS: "0", LOG_LEVEL: "warn" },
      { before },
    );
    const announced = await readUntil(child.stdout, "Data is in");
    child.kill("SIGINT");
    return { announced, stderr: (await finish(child)).stderr };
  };
  /** Everything in the data directory that does not belong to the owner. */
  const foreign = () =>
    readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter(
      (name) => statSync(join(dataDir, name)).uid !== owner,
    );

  beforeAll(async () => {
    chmodSync(scratch, 0o755);
    mkdirSync(dataDir);
    chownSync(dataDir, owner, owner);
    expect(await start(as(owner))).toEqual({ announced: expect.stringContaining("Data is in"), stderr: "" });
  });

  test("leave every file with its owner, so that the owner's server starts", async () => {
    const folder = join(scratch, "pictures");
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "note.txt"), "a note");
    chmodSync(join(folder, "note.txt"), 0o644);
    const commands = [
      ["user", "add", "ada", "--role", "admin"],
      ["import", folder],
      ["doctor", "--hash"],
      ["rebuild", "counts"],
      ["migrate"],
      ["record", "backup"],
    ];
    for (const words of commands) {
      const { code, stderr } = await run(words, [], `${password}\n`);
      expect([words.join(" "), code, stderr]).toEqual([words.join(" "), 0, ""]);
      expect([words.join(" "), ...foreign()]).toEqual([words.join(" ")]);
    }
    expect((await start(as(owner))).announced).toContain("Data is in");
  });

  test("include the server, which runs as the owner", async () => {
    const child = spawnVitrine(["serve"], { DATA_DIR: dataDir, PORT: "0", DRAIN_SECONDS: "0" });
    await readUntil(child.stdout, "Data is in");
    expect(statSync(`/proc/${child.pid}`).uid).toBe(owner);
    child.kill("SIGINT");
    await finish(child);
    expect(foreign()).toEqual([]);
  });

  test("follow the owner of the database in a directory that belongs to root and a group", async () => {
    const shared = join(scratch, "shared");
    cpSync(dataDir, shared, { recursive: true });
    for (const name of readdirSync(shared, { recursive: true, encoding: "utf8" })) {
      chownSync(join(shared, name), owner, owner);
    }
    chownSync(shared, 0, owner);
    chmodSync(shared, 0o770);
    expect((await runVitrine(["doctor"], { DATA_DIR: shared })).code).toBe(0);
    const names = readdirSync(shared, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => statSync(join(shared, name)).uid !== owner)).toEqual([]);
  });

  test("are refused in one sentence where the owner cannot reach the directory", async () => {
    const closed = join(scratch, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const hidden = join(closed, "data");
    cpSync(dataDir, hidden, { recursive: true });
    chownSync(hidden, owner, owner);
    chownSync(join(hidden, "vitrine.db"), owner, owner);
    const { code, stderr } = await runVitrine(["doctor"], { DATA_DIR: hidden });
    expect([code, stderr]).toEqual([
      1,
      `vitrine: ${hidden} belongs to the user ${owner}, who cannot use it from here: give that user the rights to the directories above it.\n`,
    ]);
  });
});

describeAsRoot("a site that this user may not use", () => {
  const scratch = useScratch();
  beforeAll(() => chmodSync(scratch, 0o755));

  const site = join(scratch, "site");
  beforeAll(async () => {
    mkdirSync(site, { mode: 0o700 });
    chownSync(site, owner, owner);
    const server = spawnVitrine(["serve"], { DATA_DIR: site, PORT: "0" }, { before: as(owner) });
    await readUntil(server.stdout, "Data is in");
    server.kill("SIGINT");
    await finish(server);
  });

  /** With the owners of its files. */
  const copyOfSite = (): string => {
    const dataDir = newDirectory(scratch);
    expect(Bun.spawnSync(["cp", "-a", `${site}/.`, dataDir]).success).toBe(true);
    return dataDir;
  };

  test.each(isLong ? ["serve", "doctor", "user list"] : ["serve"])(
    "%s says whose it is, in one sentence",
    async (words) => {
      const env = { DATA_DIR: site, PORT: "0" };
      const { code, stderr } = await finish(spawnVitrine(words.split(" "), env, { before: as(other) }));
      expect(code).toBe(1);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(
        `belongs to the user ${owner}: run this command as its owner (sudo --user='#${owner}' …)`,
      );
    },
  );

  test("what an earlier version has created as root is named, with the command that gives it back", async () => {
    const dataDir = copyOfSite();
    rmSync(join(dataDir, "incoming"), { recursive: true });
    mkdirSync(join(dataDir, "incoming/left"), { recursive: true, mode: 0o700 });
    chmodSync(join(dataDir, "incoming"), 0o700);
    const { code, stderr } = await finish(
      spawnVitrine(["serve"], { DATA_DIR: dataDir, PORT: "0" }, { before: as(owner) }),
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^vitrine: DATA_DIR ${dataDir} cannot be used: .*belongs to the user 0: .*sudo chown -R ${owner} ${dataDir}\\)\\.\\n$`,
        ),
      ),
    ]);
  });

  test.each(isLong ? ["vitrine.db", "lock", "format"] : ["vitrine.db"])(
    "%s without rights stops the start with one sentence",
    async (name) => {
      const dataDir = copyOfSite();
      chownSync(join(dataDir, name), 0, 0);
      chmodSync(join(dataDir, name), 0o600);
      const env = { DATA_DIR: dataDir, PORT: "0" };
      const { code, stderr } = await finish(spawnVitrine(["serve"], env, { before: as(owner) }));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine: .*cannot be (used|opened|written).*\n$/)]);
    },
  );
});
