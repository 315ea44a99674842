// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { describe, expect, test } from "bun:test";
import { engineEnv, isScaled, scaledWith } from "../kit/engine.ts";
import { openKeepAlive } from "../kit/keep-alive.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { freePort, startVitrine } from "../kit/process.ts";
import { nginx, startNginx } from "../kit/servers/nginx.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

type Copy = Awaited<ReturnType<typeof startVitrine>>;

const scratch = useScratch();

const startCopy = async (site: string, env: Record<string, string>) =>
  startVitrine({ ...(await engineEnv(site)), DATA_DIR: newDirectory(scratch), ...env });
const portOf = (copy: Copy) => Number(new URL(copy.url).port);

async function signUp(copy: Copy): Promise<string> {
  await client(copy).post("/signup", { username: "writer", password });
  return (await client(copy).post("/signin", { username: "writer", password })).body.token;
}

describe("a server that is told to stop", () => {
  test("serves every request on connections that it uses, and announces the end of each one in a response", async () => {
    await using copy = await startCopy("drained", { DRAIN_SECONDS: "1" });
    const headers = { Authorization: `Bearer ${await signUp(copy)}`, "Content-Type": "application/json" };
    const progress = Array.from({ length: 20 }, newProgress);
    const clients = progress.map((one) => sendUntilRefused(portOf(copy), headers, one));
    await until(
      () => progress,
      (all) => all.every(({ answered }) => answered >= 5),
    );
    copy.process.kill("SIGTERM");
    const ready = await until(
      () => client(copy).get("/readyz"),
      ({ status }) => status === 503,
    );
    const alive = await client(copy).get("/livez");
    expect([ready.status, ready.body.error, alive.status]).toEqual([503, "The server is shutting down.", 200]);
    expect(ready.headers.get("connection")).toBe("close");

    const results = await Promise.all(clients);
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(results.filter(({ toldToClose }) => toldToClose > 0)).toHaveLength(20);
    expect(results.filter(({ answered, toldToClose }) => answered > toldToClose)).toHaveLength(20);
    expect(await copy.process.exited).toBe(0);
  });

  test("goes on serving with PostgreSQL only, where other copies take over, if no setting says how long", async () => {
    const copy = await startCopy("usual", { DRAIN_SECONDS: "" });
    copy.process.kill("SIGTERM");
    if (isScaled) {
      await until(
        () => client(copy).get("/readyz"),
        ({ status }) => status === 503,
      );
      copy.process.kill("SIGINT");
    }
    expect(await copy.process.exited).toBe(0);
    await using next = await startCopy("usual", { PORT: String(portOf(copy)) });
    expect((await client(next).get("/readyz")).status).toBe(200);
  });

  test("by Ctrl-C does not wait for clients to disconnect", async () => {
    const interrupted = await startCopy("interrupted", { DRAIN_SECONDS: "3600" });
    interrupted.process.kill("SIGINT");
    expect(await interrupted.process.exited).toBe(0);
    const twice = await startCopy("terminated and interrupted", { DRAIN_SECONDS: "3600" });
    twice.process.kill("SIGTERM");
    await until(
      () => client(twice).get("/readyz"),
      ({ status }) => status === 503,
    );
    twice.process.kill("SIGINT");
    expect(await twice.process.exited).toBe(0);
  });
});

const newProgress = () => ({ answered: 0, toldToClose: 0, failures: [] as string[] });

/**
 * A client that uses one connection, and opens another when it is told to close it, until the server accepts no more. The
 * kernel may open a connection in the moment in which the port closes: it then ends without a response.
 */
async function sendUntilRefused(port: number, headers: Record<string, string>, result = newProgress()) {
  while (true) {
    const connection = await openKeepAlive(port).catch(() => null);
    if (!connection) return result;
    let isNew = true;
    try {
      for (let isLast = false; !isLast; isNew = false) {
        const isWrite = result.answered % 4 === 0;
        const answer = isWrite
          ? await connection.request("POST", "/api/v1/albums", headers, '{"name":"A"}')
          : await connection.request("GET", "/api/v1/albums?pageSize=1");
        ({ isLast } = answer);
        if (answer.status !== (isWrite ? 201 : 200)) result.failures.push(String(answer.status));
        result.answered++;
        if (isLast) result.toldToClose++;
      }
    } catch (error) {
      if (isNew && result.toldToClose > 0) return result;
      result.failures.push((error as Error).message);
    } finally {
      connection.close();
    }
  }
}

const { describe: describeWanted } = scaledWith("nginx", nginx !== null);

describeWanted("three copies behind nginx", () => {
  test("are restarted one after another under load: no read fails, and no write is lost or made twice", async () => {
    const env = { DRAIN_SECONDS: "1", TRUST_PROXY: "loopback" };
    const copies = await Promise.all([1, 2, 3].map(() => startCopy("rolled", env)));
    const ports = copies.map(portOf);
    const token = await signUp(copies[0] as Copy);
    await using proxy = await startProxy(ports);
    const counts = { created: 0, read: 0, failures: [] as string[] };
    const end = new AbortController();
    const clients = Array.from({ length: 24 }, async (_, index) => {
      while (!end.signal.aborted) {
        const isWrite = index % 2 === 0;
        const key = crypto.randomUUID();
        let { status, body } = await sendOne(client(proxy, token), isWrite ? key : null);
        // nginx does not repeat a POST that it has sent.
        if (isWrite && status === 502) ({ status, body } = await sendOne(client(proxy, token), key));
        if (status === (isWrite ? 201 : 200)) counts[isWrite ? "created" : "read"]++;
        else counts.failures.push(`${status} ${JSON.stringify(body)}`);
      }
    });
    await Bun.sleep(500);
    for (const [index, port] of ports.entries()) {
      copies[index]?.process.kill("SIGTERM");
      expect(await copies[index]?.process.exited).toBe(0);
      copies[index] = await startCopy("rolled", { ...env, PORT: String(port) });
      // So that nginx notices that it is available again, and uses it.
      await Bun.sleep(1500);
    }
    end.abort();
    await Promise.all(clients);
    expect(counts.failures).toEqual([]);
    const { headers } = await client(proxy).get("/api/v1/albums");
    expect(Number(headers.get("x-total-count"))).toBe(counts.created);
    expect(Math.min(counts.created, counts.read)).toBeGreaterThan(50);
    await Promise.all(copies.map((copy) => copy.close()));
  });
});

const sendOne = (writer: ReturnType<typeof client>, key: string | null) =>
  (key
    ? writer.post("/api/v1/albums", { name: "A" }, { "Idempotency-Key": key })
    : writer.get("/api/v1/albums?pageSize=1")
  ).catch((error: Error) => ({ status: 0, body: error.message }));

/** With the settings that docs/operate/scaling.md recommends, on a free port. */
async function startProxy(ports: number[]) {
  const port = await freePort();
  const settings = `
      upstream vitrine {
        ${ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join(" ")}
        keepalive 16;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://vitrine;
          proxy_connect_timeout 500ms;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_request_buffering off;
        }
      }`;
  return startNginx(settings, port, "/livez");
}
