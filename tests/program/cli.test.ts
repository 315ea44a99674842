// Runs only with TEST_LONG: it starts the program once for each of seventy command lines.
// Runs on the embedded engines only: the command line is the same on all engines.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { finish, readAnyFile, readUntil, runVitrine, runWithout, spawnVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const site = async (): Promise<Record<string, string>> => {
  const dataDir = join(newDirectory(scratch), "site");
  return { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
};

const commands: [name: string, options: string[]][] = [
  ["serve", ["--port PORT", "--host HOST", "--data DIR"]],
  ["user add NAME", ["--role ROLE", "--create", "--data DIR"]],
  ["user list", ["--data DIR"]],
  ["user role NAME ROLE", ["--data DIR"]],
  ["user password NAME", ["--data DIR"]],
  ["user remove NAME", ["--give-to OTHER", "--with-everything", "--yes", "--data DIR"]],
  [
    "import SOURCE…",
    [
      "--to PATH",
      "--owner NAME",
      "--author THEIRS=OURS",
      "--photos",
      "--albums",
      "--people",
      "--stars",
      "--visibility WHO",
      "--hidden",
      "--as-folder",
      "--fetch",
      "--key-file FILE",
      "--files FOLDER",
      "--dry-run",
      "--json",
      "--undo ID",
      "--data DIR",
    ],
  ],
  ["rebuild posts", ["--data DIR"]],
  ["record backup", ["--data DIR"]],
  ["rebuild pictures", ["--data DIR"]],
  ["rebuild search", ["--data DIR"]],
  ["rebuild counts", ["--data DIR"]],
  ["doctor", ["--hash", "--fix", "--json", "--url URL", "--data DIR"]],
  ["migrate", ["--dry-run", "--no-snapshot", "--data DIR"]],
  ["rollback", ["--to NAME", "--list", "--yes", "--data DIR"]],
  [
    "migrate-engine",
    ["--to-database URL|sqlite", "--to-storage URL|disk", "--to-dir DIR", "--to-database-dir DIR", "--data DIR"],
  ],
  ["openapi", []],
  ["version", ["--check", "--from URL"]],
];
const wordsOf = (name: string) => name.split(" ").filter((word) => word !== word.toUpperCase());

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("vitrine %p lists every command", async (words) => {
    const { code, stdout, stderr } = await runVitrine(words, {});
    expect([code, stderr]).toEqual([0, ""]);
    for (const [name] of commands) expect(stdout).toContain(`\n  ${name} `);
  });

  test("--version prints the version", async () => {
    for (const word of ["--version", "-v"]) {
      expect((await runVitrine([word], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    }
  });

  test.each(commands)("vitrine %s --help explains its options, and does nothing else", async (name, options) => {
    const dataDir = join(scratch, "never");
    const { code, stdout, stderr } = await runVitrine([...wordsOf(name), "--help"], {
      DATA_DIR: dataDir,
      PORT: "wrong",
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toStartWith(`Usage: vitrine ${name}`);
    for (const option of options) expect(stdout).toContain(`\n  ${option} `);
    expect(stdout.match(/^  --/gm)?.length ?? 0).toBe(options.length);
    expect(existsSync(dataDir)).toBe(false);
  });

  test("vitrine user --help lists the commands for accounts", async () => {
    const { code, stdout } = await runVitrine(["user", "--help"], {});
    expect(code).toBe(0);
    expect(stdout.match(/^  user [\w-]+/gm)?.map(String)).toEqual(
      ["add", "list", "role", "password", "reset-factors", "password-link", "remove"].map((verb) => `  user ${verb}`),
    );
    expect(stdout).not.toContain("migrate");
  });
});

describe("an invalid command line", () => {
  test.each([
    ["nonsense", "Unknown command nonsense."],
    ["serve now", "Unexpected argument now after serve."],
    ["serve --prot 80", "Unknown option --prot for serve."],
    ["--wrong", "Unknown option --wrong for serve."],
    ["serve --port", "--port needs a value: PORT."],
    ["serve --port --host ::1", "--port needs a value: PORT."],
    ["user", "user needs one of add, list, role, password, reset-factors, password-link, remove."],
    ["user frobnicate ada", "Unknown command user frobnicate."],
    ["user add", "user add needs NAME."],
    ["user add a b", "Unexpected argument b after user add."],
    ["user add a --role wizard", "Unknown role wizard: use reader, author or admin."],
    ["user role a", "user role needs ROLE."],
    ["user role a king", "Unknown role king: use reader, author or admin."],
    ["user list --all", "Unknown option --all for user list."],
    ["rebuild", "rebuild needs one of posts, pictures, search, counts."],
    ["import", "import needs a SOURCE, or --undo ID."],
    ["migrate now", "Unexpected argument now after migrate."],
    ["migrate --dry-run=yes", "--dry-run takes no value."],
    ["migrate-engine --to-database sqlite", "migrate-engine needs --to-storage URL|disk."],
    ["doctor everything", "Unexpected argument everything after doctor."],
    ["openapi --json", "Unknown option --json for openapi."],
  ])(
    "vitrine %s: exits with 2, names the wrong word, prints the usage, and creates nothing",
    async (words, message) => {
      const dataDir = join(scratch, "never");
      const { code, stdout, stderr } = await runVitrine(words.split(" "), { DATA_DIR: dataDir });
      expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `vitrine: ${message}`]);
      expect(stderr).toContain("\n\nUsage: vitrine ");
      expect(existsSync(dataDir)).toBe(false);
    },
  );

  test("an option that overrides a variable is checked like the variable", async () => {
    const { code, stderr } = await runVitrine(["serve", "--port", "eighty"], { DATA_DIR: newDirectory(scratch) });
    expect([code, stderr]).toEqual([1, 'vitrine: PORT must be a whole number from 0 to 65535, not "eighty".\n']);
  });
});

describe("without a site", () => {
  test.each([
    ["user list"],
    ["user role ada admin"],
    ["user password ada"],
    ["user remove ada --yes"],
    ["user remove ada --give-to bob --yes"],
    ["user add ada"],
    ["import /tmp"],
    ["rebuild posts"],
    ["record backup"],
    ["rebuild pictures"],
    ["rebuild search"],
    ["rebuild counts"],
    ["doctor"],
    ["migrate"],
    ["migrate-engine --to-database sqlite --to-storage disk --to-dir /nowhere/at/all"],
  ])("vitrine %s prints one sentence, and creates nothing", async (words) => {
    const env = await site();
    const { code, stdout, stderr } = await runVitrine(words.split(" "), env, `${password}\n`);
    const way = words.startsWith("user add") ? "add --create to create one" : "start the server to create one";
    const choice = isScaled
      ? `this database: choose another DATABASE_URL`
      : `${env.DATA_DIR}: choose another directory with --data or DATA_DIR`;
    expect([code, stdout, stderr]).toEqual([1, "", `vitrine: There is no site in ${choice}, or ${way}.\n`]);
    expect(existsSync(env.DATA_DIR ?? "")).toBe(false);
    // The PostgreSQL database is still empty, too.
    expect((await runVitrine(["migrate", "--dry-run"], env)).stdout).toStartWith("schema.sql: ");
  });

  test.if(process.platform === "linux" && !isScaled)(
    "a directory that cannot be read is a different error",
    async () => {
      const dataDir = newDirectory(scratch);
      chmodSync(dataDir, 0);
      const { code, stderr } = await runWithout(readAnyFile, ["user", "list"], { DATA_DIR: dataDir });
      chmodSync(dataDir, 0o700);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^vitrine: DATA_DIR \S+ cannot be used: .*permission denied.*\n$/i),
      ]);
    },
  );

  test("user add --create creates it", async () => {
    const env = await site();
    const made = await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
    expect([made.code, made.stdout, made.stderr]).toEqual([0, "ada is now an admin.\n", ""]);
    await using server = await startVitrine(env);
    expect((await client(server).post("/signin", { username: "ada", password })).body.user.role).toBe("admin");
  });
});

describe("options", () => {
  test("--port, --host and --data override the variables", async () => {
    const [dataDir, other] = [newDirectory(scratch), newDirectory(scratch)];
    const words = ["--port", "0", "--host", "127.0.0.1", `--data=${dataDir}`];
    const child = spawnVitrine(["serve", ...words], { DATA_DIR: other, PORT: "1", HOST: "::1" });
    const announced = await readUntil(child.stdout, "Data is in");
    child.kill("SIGINT");
    await finish(child);
    expect(announced).toMatch(/^Vitrine is running at http:\/\/127\.0\.0\.1:\d{4,5}\n/);
    expect(announced).toContain(`Data is in ${dataDir}\n`);
    const listed = await runVitrine(["user", "list", "--data", dataDir], { DATA_DIR: other });
    expect([listed.code, listed.stdout]).toEqual([0, ""]);
    expect(existsSync(join(other, "vitrine.db"))).toBe(false);
  });
});

describe("accounts", () => {
  test("add, list, role, password", async () => {
    const env = await site();
    const run = (words: string, input = `${password}\n`) => runVitrine(words.split(" "), env, input);
    const outcome = async (words: string, input?: string) => {
      const { code, stdout, stderr } = await run(words, input);
      return [code, stdout + stderr];
    };
    expect(await outcome("user add Ada --role admin --create")).toEqual([0, "Ada is now an admin.\n"]);
    expect(await outcome("user add ADA")).toEqual([1, expect.stringMatching(/^vitrine: The username "ADA" is taken/)]);
    expect(await outcome("user add a/b")).toEqual([
      1,
      expect.stringMatching(/^vitrine: "username" may contain only letters/),
    ]);
    expect(await outcome("user add bob", "short\n")).toEqual([
      1,
      'vitrine: "password" must have at least 8 characters.\n',
    ]);
    expect(await outcome("user add bob", "")).toEqual([1, 'vitrine: "password" must not be empty.\n']);
    expect(await outcome("user role ada reader")).toEqual([
      1,
      "vitrine: Ada is the only admin: make someone else an admin first.\n",
    ]);
    expect(await outcome("user role ada admin")).toEqual([0, "Ada is now an admin.\n"]);
    expect(await outcome("user add cleo --role admin")).toEqual([0, "cleo is now an admin.\n"]);
    expect(await outcome("user role ada reader")).toEqual([0, "Ada is now a reader.\n"]);
    expect(await outcome("user role bob reader")).toEqual([1, "vitrine: There is no user bob.\n"]);
    expect(await outcome("user password bob")).toEqual([1, "vitrine: There is no user bob.\n"]);
    expect(await outcome("user remove bob --yes")).toEqual([1, "vitrine: There is no user bob.\n"]);
    expect(await outcome("user password ada")).toEqual([
      0,
      "Password changed for Ada; all sessions have been signed out, and all app keys removed.\n",
    ]);
    const { stdout } = await run("user list");
    expect(stdout).toMatch(/1 {2}reader .* Ada\n.* {2}admin .* cleo\n$/);
    expect(stdout).not.toContain("argon2");
  });

  test("changing a password while a server is running revokes the user's sessions there", async () => {
    const env = await site();
    await using server = await startVitrine(env);
    await runVitrine(["user", "add", "ada"], env, `${password}\n`);
    const { body } = await client(server).post("/signin", { username: "ada", password });
    const ada = client(server, body.token);
    expect((await ada.get("/api/v1/me")).body.role).toBe("author");
    await runVitrine(["user", "role", "ada", "admin"], env);
    expect((await ada.get("/api/v1/me")).body.role).toBe("admin");
    await runVitrine(["user", "password", "ada"], env, "another password\n");
    expect((await ada.get("/api/v1/me")).status).toBe(401);
  });
});

test("openapi prints the document that the server returns", async () => {
  await using server = await startVitrine(await site());
  const { stdout } = await runVitrine(["openapi"], {});
  expect(JSON.parse(stdout)).toEqual((await client(server).get("/openapi.json")).body);
});
