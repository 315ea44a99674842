import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, password } from "./kit.ts";
import { runVitrine, startVitrine } from "./process.ts";

const scratch = mkdtempSync(join(tmpdir(), "vitrine-process-"));
const fresh = () => mkdtempSync(join(scratch, "data-"));
// Thousands of directories, which a busy disk takes long to remove.
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

describe("the command line", () => {
  test("--help and --version answer and leave", async () => {
    const help = await runVitrine(["--help"], {});
    expect(help.code).toBe(0);
    const verbs = ["serve", "user add", "user list", "user role", "user password", "rebuild pictures", "check"];
    for (const verb of [...verbs, "migrate", "openapi"]) expect(help.stdout).toContain(verb);
    expect((await runVitrine(["--version"], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    ["nonsense"],
    ["serve now"],
    ["user"],
    ["user add"],
    ["user add a --role king"],
    ["user role a"],
    ["rebuild"],
    ["migrate now"],
    ["migrate --dry-run now"],
    ["check everything"],
    ["--wrong"],
  ])("vitrine %s: a usage line and exit 2, nothing made", async (words) => {
    const dataDir = join(scratch, "never");
    const { code, stderr } = await runVitrine(words.split(" "), { DATA_DIR: dataDir });
    expect(code).toBe(2);
    expect(stderr).toContain("Usage:");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("accounts: add, list, role, password", async () => {
    const env = { DATA_DIR: fresh() };
    expect((await runVitrine(["user", "add", "Ada", "--role", "admin"], env, `${password}\n`)).code).toBe(0);
    const again = await runVitrine(["user", "add", "ADA"], env, `${password}\n`);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain("taken");
    expect((await runVitrine(["user", "add", "bob"], env, "short\n")).stderr).toContain("at least 8");
    expect((await runVitrine(["user", "role", "ada", "reader"], env)).code).toBe(0);
    expect((await runVitrine(["user", "role", "nobody", "reader"], env)).code).toBe(1);
    expect((await runVitrine(["user", "password", "ada"], env, "another password\n")).code).toBe(0);
    const { stdout } = await runVitrine(["user", "list"], env);
    expect(stdout).toMatch(/1 {2}reader .* Ada\n$/);
    expect(stdout).not.toContain("argon2");
  });

  test("openapi prints what the server serves", async () => {
    await using server = await startVitrine({ DATA_DIR: fresh() });
    const { stdout } = await runVitrine(["openapi"], {});
    expect(JSON.parse(stdout)).toEqual((await client(server).get("/openapi.json")).body);
  });

  test("a password changed beside a running server ends its sign-ins there", async () => {
    const dataDir = fresh();
    await using server = await startVitrine({ DATA_DIR: dataDir });
    await runVitrine(["user", "add", "ada"], { DATA_DIR: dataDir }, `${password}\n`);
    const { body } = await client(server).post("/signin", { username: "ada", password });
    const ada = client(server, body.token);
    expect((await ada.get("/api/v1/me")).body.role).toBe("author");
    await runVitrine(["user", "role", "ada", "admin"], { DATA_DIR: dataDir });
    expect((await ada.get("/api/v1/me")).body.role).toBe("admin");
    await runVitrine(["user", "password", "ada"], { DATA_DIR: dataDir }, "another password\n");
    expect((await ada.get("/api/v1/me")).status).toBe(401);
  });
});

describe("the start", () => {
  test("says the address, where the data is, and how to make the first admin", async () => {
    const dataDir = fresh();
    await using server = await startVitrine({ DATA_DIR: dataDir });
    expect(server.announced).toContain(`:${new URL(server.url).port}`);
    expect(server.announced).toContain(dataDir);
    expect(server.announced).toContain("user add NAME --role admin");
  });

  test("it listens on IPv4 and IPv6", async () => {
    await using server = await startVitrine({ DATA_DIR: fresh() });
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
    ["LOG_LEVEL", "loud"],
    ["DRAIN_SECONDS", "soon"],
    ["METRICS_TOKEN", "short"],
    ["METRICS_PORT", "many"],
    ["TRASH_DAYS", "soon"],
    ["VERSIONS_KEPT", "many"],
    ["VERSION_DAYS", "soon"],
    ["QUOTA_BYTES", "1GB"],
    ["DATABASE_URL", "mysql://x"],
    ["HOST", "256.256.256.256"],
  ])("%s=%s stops it with one sentence that names it", async (name, value) => {
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: fresh(), PORT: "0", [name]: value });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(name);
  });

  test.each(["PORT", "METRICS_PORT"])("a %s that is taken stops it with one sentence", async (name) => {
    const other = createServer().listen(0, "::");
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: fresh(), PORT: "0", [name]: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`${name} ${port}`);
  });
});

describe("the end", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets a running upload finish, refuses new connections, and exits 0",
    async (signal) => {
      const dataDir = fresh();
      await using server = await startVitrine({ DATA_DIR: dataDir });
      const guest = client(server);
      await guest.post("/signup", { username: "ada", password });
      const { body } = await guest.post("/signin", { username: "ada", password });
      const [before, after] = multipartAround("slow.txt");
      const slow = new ReadableStream({
        async start(controller) {
          controller.enqueue(before);
          await Bun.sleep(600);
          controller.enqueue(Buffer.from("the rest"));
          controller.enqueue(after);
          controller.close();
        },
      });
      const upload = client(server, body.token).request("POST", "/api/v1/files", {
        body: slow,
        headers: { "Content-Type": "multipart/form-data; boundary=edge" },
      });
      await Bun.sleep(200);
      server.process.kill(signal);
      await Bun.sleep(100);
      expect(
        await fetch(`${server.url}/livez`).then(
          () => "answered",
          () => "refused",
        ),
      ).toBe("refused");
      const { status, body: file } = await upload;
      expect(status).toBe(201);
      expect(file.size).toBe(8);
      expect(await server.process.exited).toBe(0);
    },
  );
});

describe("the data directory", () => {
  test("is for its owner only, down to every file", async () => {
    const dataDir = join(scratch, "made-by-the-server");
    await using server = await startVitrine({ DATA_DIR: dataDir });
    await client(server).post("/signup", { username: "ada", password });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dataDir)) {
      const { mode } = statSync(join(dataDir, name));
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, "0"]);
    }
  });

  test("a second server on the same port refuses in one sentence that names it", async () => {
    await using first = await startVitrine({ DATA_DIR: fresh() });
    const { port } = new URL(first.url);
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: fresh(), PORT: port });
    expect([code, stderr.trim()]).toEqual([1, `vitrine: PORT ${port} is taken by another program.`]);
  });

  test("a second server on it refuses in one sentence", async () => {
    const dataDir = fresh();
    await using _first = await startVitrine({ DATA_DIR: dataDir });
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: dataDir, PORT: "0" });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("in use");
  });

  test("after a kill -9 the next server takes it over", async () => {
    const dataDir = fresh();
    const first = await startVitrine({ DATA_DIR: dataDir });
    first.process.kill("SIGKILL");
    await first.process.exited;
    await using second = await startVitrine({ DATA_DIR: dataDir });
    expect((await client(second).get("/readyz")).status).toBe(200);
  });

  test("one written by a newer version is refused, and nothing in it is touched", async () => {
    const dataDir = fresh();
    await (await startVitrine({ DATA_DIR: dataDir })).close();
    writeFileSync(join(dataDir, "format"), "999\n");
    const before = snapshot(dataDir);
    for (const words of [["serve"], ["user", "list"]]) {
      const { code, stderr } = await runVitrine(words, { DATA_DIR: dataDir, PORT: "0" });
      expect(code).toBe(1);
      expect(stderr).toContain("newer version");
    }
    expect(snapshot(dataDir)).toEqual(before);
  });

  test("the secret is made once and kept", async () => {
    const dataDir = fresh();
    const first = await startVitrine({ DATA_DIR: dataDir });
    await client(first).post("/signup", { username: "ada", password });
    const { body } = await client(first).post("/signin", { username: "ada", password });
    await first.close();
    await using second = await startVitrine({ DATA_DIR: dataDir });
    expect((await client(second, body.token).get("/api/v1/me")).status).toBe(200);
  });

  test("one that cannot be written is named in one sentence", async () => {
    const file = join(scratch, "a-file");
    writeFileSync(file, "");
    chmodSync(file, 0o600);
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: join(file, "data"), PORT: "0" });
    expect(code).toBe(1);
    expect(stderr).toContain("DATA_DIR");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

function multipartAround(filename: string): [Buffer, Buffer] {
  const head = `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return [Buffer.from(head), Buffer.from("\r\n--edge--\r\n")];
}

function snapshot(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true }).map(String).toSorted();
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  const content = (name: string) =>
    Bun.hash(readFileSync(join(directory, name))).toString(36) + statSync(join(directory, name)).mtimeMs;
  return Object.fromEntries(files.map((name) => [name, content(name)]));
}
