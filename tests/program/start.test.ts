// Runs on the embedded engines only: it is about the process of the server and its signals.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stopChecking } from "../kit/check-responses.ts";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import {
  finish,
  readAnyFile,
  readUntil,
  refusedByConfig,
  runVitrine,
  runWithout,
  spawnVitrine,
  startVitrine,
} from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { isLong, testLong } from "../kit/long.ts";

const scratch = useScratch();

/** Everything that a server prints between its start and its end. */
async function printed(env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  await using server = await startVitrine(env);
  await server.close();
  const { stdout, stderr } = await finish(server.process);
  return { stdout: server.announced + stdout, stderr };
}

/** This program by its path, where no other way finds it. */
const root = dirname(dirname(process.env.TEST_PROGRAM ?? fileURLToPath(new URL("../../src/main.ts", import.meta.url))));
const vitrine = realpathSync(join(root, "src/../bin/vitrine"));
const ownCommand = `node ${join(root, "bin/vitrine")}`;

async function announcedBy(env: Record<string, string>, cwd = scratch, last = "Data is in"): Promise<string> {
  const child = spawnVitrine(["serve"], { PORT: "0", ...env }, { cwd });
  const announced = await readUntil(child.stdout, last);
  child.kill("SIGINT");
  await finish(child);
  return announced;
}

describe("what the server prints at the start", () => {
  test("is the address, the data directory, who can sign up, the set-up link, and how to create an admin, on stdout without colour", async () => {
    const dataDir = newDirectory(scratch);
    const { stdout, stderr } = await printed({ ...(await engineEnv(dataDir)), DATA_DIR: dataDir });
    expect([stdout.split("\n"), stderr]).toEqual([
      [
        expect.stringMatching(/^Vitrine is running at http:\/\/localhost:\d+$/),
        `Data is in ${dataDir}`,
        "Anyone who can reach this address can sign up and upload: set SIGNUP_ROLE=closed to stop that.",
        expect.stringMatching(
          /^There is no admin account yet\. To set up the site, open http:\/\/localhost:\d+\/setup\?key=[0-9a-f]{64}$/,
        ),
        `Or create an admin on the command line${isScaled ? ", with the same DATABASE_URL" : ""}: DATA_DIR=${dataDir} ${ownCommand} user add NAME --role admin`,
        "",
      ],
      "",
    ]);
  });

  testLong("says what SIGNUP_ROLE allows", async () => {
    const open = async (role: string) => (await printed({ DATA_DIR: newDirectory(scratch), SIGNUP_ROLE: role })).stdout;
    expect(await open("reader")).toContain("can sign up and comment: set SIGNUP_ROLE=closed to stop that.");
    expect(await open("closed")).not.toContain("sign up");
  });

  testLong(
    "has a command that creates the first admin when it is pasted, but only while there is no admin",
    async () => {
      const dataDir = join(newDirectory(scratch), "it's here");
      const server = await startVitrine({ DATA_DIR: dataDir });
      const command = /Or create an admin on the command line: (.*)\n/.exec(server.announced)?.[1] ?? "";
      const pasted = command.replace("NAME", "ada");
      const shell = Bun.spawn(["sh", "-c", pasted], {
        stdin: Buffer.from(`${password}\n`),
        stdout: "pipe",
        cwd: scratch,
      });
      expect(await new Response(shell.stdout).text()).toBe("ada is now an admin.\n");
      expect((await client(server).post("/signin", { username: "ada", password })).body.user.role).toBe("admin");
      await server.close();
      expect((await printed({ DATA_DIR: dataDir })).stdout).not.toContain("admin");
    },
  );

  testLong("omits DATA_DIR if it is the default", async () => {
    expect(await announcedBy({}, newDirectory(scratch))).toContain(
      `Or create an admin on the command line: ${ownCommand} user add NAME --role admin\n`,
    );
  });

  testLong("names npx only where npx runs this program, and not one from the registry", async () => {
    const hint = async (cwd: string, path = "") => {
      const env = { DATA_DIR: newDirectory(scratch), PORT: "0", ...(path && { PATH: `${path}:${process.env.PATH}` }) };
      const announced = await announcedBy(env, cwd, "--role admin");
      return /DATA_DIR=\S+ (.*) user add/.exec(announced)?.[1];
    };
    expect(await hint(newDirectory(scratch))).toBe(ownCommand);
    const project = newDirectory(scratch);
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    mkdirSync(join(project, "below"));
    symlinkSync(vitrine, join(project, "node_modules/.bin/vitrine"));
    expect([await hint(project), await hint(join(project, "below"))]).toEqual(["npx vitrine", "npx vitrine"]);
    const installed = newDirectory(scratch);
    symlinkSync(vitrine, join(installed, "vitrine"));
    expect(await hint(newDirectory(scratch), installed)).toBe("vitrine");
    const stranger = newDirectory(scratch);
    writeFileSync(join(stranger, "vitrine"), "#!/bin/sh\n", { mode: 0o755 });
    expect(await hint(newDirectory(scratch), stranger)).toBe(ownCommand);
  });

  testLong.each([
    [{ HOST: "::1" }, /^Vitrine is running at http:\/\/\[::1\]:\d+\n/],
    [{ HOST: "127.0.0.1" }, /^Vitrine is running at http:\/\/127\.0\.0\.1:\d+\n/],
  ])("has a URL that can be opened: %p", async (env, address) => {
    await using server = await startVitrine({ DATA_DIR: newDirectory(scratch), ...env });
    expect(server.announced).toMatch(address);
    const url = /http:\S+/.exec(server.announced)?.[0];
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  testLong("has the public URL if BASE_URL is set", async () => {
    const announced = await announcedBy({ DATA_DIR: newDirectory(scratch), BASE_URL: "https://photos.example.org/" });
    expect(announced).toStartWith("Vitrine is running at https://photos.example.org\n");
  });

  testLong("is separate from the log, which is on stderr", async () => {
    const { stdout, stderr } = await printed({ DATA_DIR: newDirectory(scratch), LOG_LEVEL: "info" });
    expect(stdout).not.toContain("{");
    const lines = stderr.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).message)).toContain("stopping");
  });
});

describe("the start", () => {
  testLong(
    "does not wait for the OpenAPI document, which is created once, while other requests are answered",
    async () => {
      await using server = await startVitrine({ DATA_DIR: newDirectory(scratch) });
      // The check would request the document itself.
      stopChecking(server.url);
      const order: string[] = [];
      const ask = async (path: string) => {
        const response = await fetch(server.url + path);
        order.push(path);
        return { status: response.status, tag: response.headers.get("etag"), text: await response.text() };
      };
      const paths = ["/openapi.json", "/docs", "/openapi.json", "/docs/createPhoto", "/docs", "/livez"];
      const answers = await Promise.all(paths.map(ask));
      expect(order[0]).toBe("/livez");
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      expect([answers[2], answers[4]]).toEqual([answers[0], answers[1]]);
      expect(await Promise.all(paths.map(ask))).toEqual(answers);
      const printedDocument = await runVitrine(["openapi"], { DATA_DIR: newDirectory(scratch) });
      expect(JSON.parse(answers[0]?.text ?? "")).toEqual(JSON.parse(printedDocument.stdout));
      expect(answers[1]?.text).toContain('href="/docs/createPhoto"');
    },
  );

  test.if(!isScaled)("writes only what is missing", async () => {
    const dataDir = newDirectory(scratch);
    const [key, shelf] = [join(dataDir, "setup-key"), join(dataDir, "blobs/ab")];
    const start = async () => {
      const { stdout } = await printed({ DATA_DIR: dataDir });
      return { link: /key=\w+/.exec(stdout)?.[0], file: statSync(key).ino, text: readFileSync(key, "utf8") };
    };
    const first = await start();
    rmSync(shelf, { recursive: true });
    expect(await start()).toEqual(first);
    expect(existsSync(shelf)).toBe(true);
    writeFileSync(key, "another key");
    expect(await start()).toEqual({ ...first, file: expect.any(Number) });
  });

  testLong("listens on IPv4 and IPv6", async () => {
    await using server = await startVitrine({ DATA_DIR: newDirectory(scratch) });
    const { port } = new URL(server.url);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    expect((await fetch(`http://[::1]:${port}/livez`)).status).toBe(200);
  });

  test.each([
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["SIGNUP_ROLE", "admin"],
    ["RATE_LIMIT_PER_SECOND", "0"],
    ["RATE_LIMIT_BURST", "-1"],
    ["MAX_UPLOAD_BYTES", "2GB"],
    ["JWT_SECRET", "short"],
    ["JWT_SECRET_FILE", "/nowhere/at/all"],
    ["TRUST_PROXY", "example.org"],
    ["BASE_URL", "photos"],
    ["BASE_URL", "https://example.org/photos"],
    ["LOG_LEVEL", "loud"],
    ["DRAIN_SECONDS", "soon"],
    ["PASSWORD_RULE", "weak"],
    ["METRICS_TOKEN", "short"],
    ["TRASH_DAYS", "soon"],
    ["VERSIONS_KEPT", "many"],
    ["VERSION_DAYS", "soon"],
    ["QUOTA_BYTES", "1GB"],
    ["DATABASE_URL", "mysql://x"],
    ["DATABASE_CONNECTIONS", "many"],
    ["DATABASE_TIMEOUT_MS", "1 s"],
    ["HOST", "256.256.256.256"],
    ["HOST", "192.0.2.1"],
    ["DATA_DIR", "/dev/null/data"],
    ["STORAGE_URL", "s3://"],
    ["REDIS_URL", "http://x"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
  ])("%s=%s stops it with one sentence that names the variable", async (name, value) => {
    const env = { DATA_DIR: newDirectory(scratch), PORT: "0", [name]: value };
    // Some are refused only after all were read.
    const isStarted = isLong || /^(PORT|HOST|DATA_DIR|JWT_SECRET_FILE)$/.test(name);
    const { code, stderr } = isStarted ? await runVitrine(["serve"], env) : refusedByConfig(env);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(name);
  });

  testLong("a PORT that is in use stops it with one sentence", async () => {
    const other = createServer().listen(0, "::");
    const { port } = other.address() as { port: number };
    const dataDir = join(newDirectory(scratch), "new");
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: dataDir, PORT: String(port) });
    other.close();
    expect([code, stderr]).toEqual([1, `vitrine: PORT ${port} is already in use by another program.\n`]);
    expect(existsSync(dataDir)).toBe(false);
  });

  testLong("a directory that is neither empty nor a site is refused, and nothing is written into it", async () => {
    const dataDir = newDirectory(scratch);
    writeFileSync(join(dataDir, "letter.txt"), "Dear Ada");
    for (const words of [["serve"], ["user", "add", "ada", "--create"]]) {
      const { code, stderr } = await runVitrine(words, { DATA_DIR: dataDir, PORT: "0" }, `${password}\n`);
      expect([code, stderr]).toEqual([
        1,
        `vitrine: ${dataDir} is neither empty nor a site (it has "letter.txt"): choose another directory with --data or DATA_DIR.\n`,
      ]);
    }
    expect(readdirSync(dataDir)).toEqual(["letter.txt"]);
  });

  testLong(
    "an empty directory with what a file system puts there is used, and a site with other files, too",
    async () => {
      const dataDir = newDirectory(scratch);
      mkdirSync(join(dataDir, "lost+found"));
      expect((await printed({ DATA_DIR: dataDir })).stdout).toContain("Data is in");
      writeFileSync(join(dataDir, "notes.txt"), "mine");
      expect((await printed({ DATA_DIR: dataDir })).stdout).toContain("Data is in");
    },
  );

  test("variables that are probably mistyped are named in the log, others are not", async () => {
    const mistyped = { SIGNUP_ROLL: "closed", VITRINE_BASE_URL: "https://example.org", TRASHDAYS: "3" };
    const unrelated = { HOME: "/tmp", HOSTNAME: "x", LOG_LEVELS: "x", VITRINE_PORT: "tcp://10.0.0.1:80", EDITOR: "vi" };
    const file = { PASSWORD_FILE: "/run/secrets/x" };
    const { stderr } = await printed({
      DATA_DIR: newDirectory(scratch),
      LOG_LEVEL: "warn",
      ...mistyped,
      ...unrelated,
      ...file,
    });
    const messages = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).message);
    expect(messages).toEqual([
      "SIGNUP_ROLL is not a variable of Vitrine and has no effect: did you mean SIGNUP_ROLE?",
      "VITRINE_BASE_URL is not a variable of Vitrine and has no effect: did you mean BASE_URL?",
      "TRASHDAYS is not a variable of Vitrine and has no effect: did you mean TRASH_DAYS?",
    ]);
  });

  testLong("a port in use by another Vitrine stops it, too", async () => {
    await using first = await startVitrine({ DATA_DIR: newDirectory(scratch) });
    const { port } = new URL(first.url);
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: newDirectory(scratch), PORT: port });
    expect([code, stderr]).toEqual([1, `vitrine: PORT ${port} is already in use by another program.\n`]);
  });

  test.if(process.platform === "linux" && firstFreePort() > 80)(
    "a port that requires elevated privileges stops the start with a sentence that says what to do",
    async () => {
      for (const host of [{}, { HOST: "127.0.0.1" }]) {
        const env = { DATA_DIR: newDirectory(scratch), PORT: "80", ...host };
        const { code, stderr } = await runWithout(["net_bind_service"], ["serve"], env);
        expect([code, stderr]).toEqual([
          1,
          "vitrine: PORT 80 requires elevated privileges: choose a port from 1024 on, and put a reverse proxy in front on port 80.\n",
        ]);
      }
    },
  );

  test("a damaged database stops it with one sentence", async () => {
    const dataDir = newDirectory(scratch);
    writeFileSync(
      join(dataDir, "vitrine.db"),
      "This is not a database, but it is long enough to look like a header.".repeat(10),
    );
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: dataDir, PORT: "0" });
    expect([code, stderr]).toEqual([
      1,
      `vitrine: The database in ${dataDir} is damaged (file is not a database): restore it from a backup; "vitrine doctor" says more.\n`,
    ]);
  });

  testLong("a database that cannot be reached stops it with one sentence", async () => {
    const env = { DATA_DIR: newDirectory(scratch), PORT: "0", DATABASE_URL: "postgres://x:hidden@127.0.0.1:1/x" };
    for (const words of [["serve"], ["doctor"], ["migrate"]]) {
      const { code, stderr } = await runVitrine(words, env);
      const sentence = /^vitrine: DATABASE_URL cannot be used \(host 127\.0\.0\.1, port 1\): .*\n$/;
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect(stderr).not.toContain("hidden");
    }
  });

  test.if(process.platform === "linux")("a DATA_DIR that is not writable stops it with one sentence", async () => {
    const dataDir = join(newDirectory(scratch), "read-only");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o500);
    const { code, stderr } = await runWithout(readAnyFile, ["serve"], { DATA_DIR: dataDir, PORT: "0" });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^vitrine: DATA_DIR \S+ cannot be used: .*permission denied.*\n$/i),
    ]);
  });
});

function firstFreePort(): number {
  return process.platform === "linux" ? Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start")) : 0;
}
