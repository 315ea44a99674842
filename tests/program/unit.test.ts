// Runs on the embedded engines only: it is about the rights of a process to files.
import { beforeAll, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../kit/backup-kit.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { readUntil } from "../kit/process.ts";
import { root } from "../kit/root.ts";
import { useScratch } from "../kit/scratch.ts";
import { main } from "../kit/spawn.ts";

/** The backup of docs/operate/deploy.md under the unit of deploy/, whose rules for files are emulated. */

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const programs = ["unshare", "mount", "setpriv"].map((name) => findProgram(name));
const canRemount = isRoot && !programs.includes(null) && Bun.spawnSync(["unshare", "--mount", "true"]).success;
const { describe: describeInUnit } = needs("mount points (root on Linux)", canRemount);

describeInUnit("deploy/vitrine.service and the backup of docs/operate/deploy.md", () => {
  const scratch = useScratch();
  /** Directories of the system are below this one. */
  const system = (path: string) => path.replaceAll(/(?<![\w.])\/(?=(etc|mnt|opt|var)\b)/g, `${scratch}/`);
  const unit = system(readFileSync(join(root, "deploy/vitrine.service"), "utf8"));
  const read = (name: string) => new RegExp(`^${name}=-?(.*)$`, "m").exec(unit)?.[1] ?? "";
  const user = 54_323;
  const dataDir = join(scratch, "var/lib", read("StateDirectory"));
  const vitrine = join(scratch, "opt/vitrine/bin/vitrine");

  beforeAll(() => {
    // As the system has it; other tests may have changed it in this process.
    const before = process.umask(0o022);
    for (const path of ["opt/vitrine/bin", "var/lib", "mnt/backup"])
      mkdirSync(join(scratch, path), { recursive: true });
    chmodSync(scratch, 0o755);
    writeFileSync(vitrine, `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`, { mode: 0o755 });
    // As systemd creates it.
    const isDynamic = read("DynamicUser") === "yes";
    const real = isDynamic ? join(scratch, "var/lib/private", read("StateDirectory")) : dataDir;
    if (isDynamic) mkdirSync(join(scratch, "var/lib/private"), { mode: 0o700 });
    mkdirSync(real, { mode: 0o700 });
    chownSync(real, user, user);
    if (isDynamic) symlinkSync(real, dataDir);
    process.umask(before);
  });

  async function run(words: string[]) {
    const env = { PATH: process.env.PATH ?? "" };
    const child = Bun.spawn(words, {
      cwd: scratch,
      env,
      stdin: new Blob(["a long password\n"]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([readUntil(child.stdout), readUntil(child.stderr), child.exited]);
    return { code, stdout, stderr };
  }

  /** What the unit says, for a command: the whole system is read-only but for its directories, and the user is its own. */
  function runInUnit(...words: string[]) {
    expect(read("ProtectSystem")).toBe("strict");
    const writable = [dataDir, ...read("ReadWritePaths").split(" ")].filter((path) => existsSync(path));
    const bind = (path: string, mode: string) =>
      `mount --bind '${path}' '${path}'\nmount -o remount,bind,${mode} '${path}'`;
    const script = [
      "mount -o remount,bind,ro /",
      // It may be on a file system of its own.
      bind(scratch, "ro"),
      ...writable.map((path) => bind(path, "rw")),
      `exec setpriv --reuid=${user} --regid=${user} --clear-groups "$@"`,
    ];
    return run(["unshare", "--mount", "sh", "-ec", script.join("\n"), "sh", vitrine, ...words, "--data", dataDir]);
  }

  test("are allowed: as root, and to the server itself", async () => {
    const made = await runInUnit("user", "add", "ada", "--role", "admin", "--create");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const document = readFileSync(join(root, "docs/operate/deploy.md"), "utf8");
    const [, commands = ""] = /^## Backup\n\n```sh\n([^]*?)^```$/m.exec(document) ?? [];
    const pasted = system(commands).replaceAll(/--(owner|group)=vitrine/g, `--$1=${user}`);
    const { code, stdout, stderr } = await run(["bash", "-euc", pasted]);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/is complete\.\n$/) as string,
    });
    const folder = join(scratch, "mnt/backup/vitrine");
    const before = filesBelow(folder).length;
    // As with BACKUP_TO.
    const own = await runInUnit("backup", "create", "--to", folder);
    expect([own.code, own.stderr]).toEqual([0, ""]);
    expect(filesBelow(folder).length).toBeGreaterThan(before);
    const elsewhere = await runInUnit("backup", "create", "--to", join(scratch, "mnt/other"));
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("EROFS") as string });
  });
});
