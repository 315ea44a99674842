// Runs only with TEST_LONG: it reads the traces of all kinds of requests.
import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config.ts";
import { isScaled } from "../kit/engine.ts";
import { client, uncached } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { printTree, type ReceivedSpan, startCollector } from "../kit/servers/trace-collector.ts";
import { useOpened } from "../kit/use-opened.ts";
import { useServer } from "../kit/use-server.ts";

const collector = startCollector();
useOpened(async () => collector);
const soon = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "10" };
const server = useServer({
  ...soon,
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20secret, x-team=one",
  TRUST_PROXY: "loopback",
});
const { guest, owner } = server.people();

/** A value that must not leave the server, wherever a client sends it. */
const secret = "Marienkäfer-7319";
const plainSecret = "marienkaefer7319";

const newPhoto = async () => {
  const { body: file } = await owner.upload(`${secret}.png`, png(400, 300));
  const { body: photo } = await owner.post("/api/v1/photos", { title: secret, fileID: file.id });
  return { file, photo };
};
/** The spans of a request of this name which `send` causes. */
async function trace(name: string, send: () => Promise<unknown>): Promise<ReceivedSpan[]> {
  // Spans are sent in their order.
  const ended = collector.spans.length;
  await guest.get("/livez");
  await collector.traceOf("GET /livez", ended);
  const before = collector.spans.length;
  await send();
  return collector.traceOf(name, before);
}
const namesOf = (spans: ReceivedSpan[]) => new Set(spans.map(({ name }) => name));

describe("a trace has the spans of", () => {
  test("a read: its statements", async () => {
    const { photo } = await newPhoto();
    const spans = await trace("GET /api/v1/photos/:id", () => guest.get(`/api/v1/photos/${photo.id}`, uncached));
    const [request, ...others] = printTree(spans);
    expect(request).toBe("GET /api/v1/photos/:id");
    expect(others).not.toEqual([]);
    expect(others.filter((name) => !name.startsWith("  SELECT "))).toEqual([]);
    const root = spans.find(({ kind }) => kind === 2);
    expect(root?.attributes).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/api/v1/photos/:id",
    });
    const statement = spans.find(({ attributes }) => attributes["db.collection.name"] === "photos");
    expect(statement?.attributes).toMatchObject({
      "db.query.text": expect.stringContaining("?"),
      "db.response.returned_rows": 1,
    });
  });

  test("a response from memory: only the request", async () => {
    const read = () => guest.get("/api/v1/albums");
    for (let time = 0; time < 3; time++) await read();
    let tree = printTree(await trace("GET /api/v1/albums", read));
    // On PostgreSQL, a transaction of another test ends all responses in memory.
    for (let left = isScaled ? 100 : 0; tree.length > 1 && left > 0; left--) {
      tree = printTree(await trace("GET /api/v1/albums", read));
    }
    expect(tree).toEqual(["GET /api/v1/albums"]);
  });

  test("a write: the transaction with its statements", async () => {
    const spans = await trace("POST /api/v1/blog", () =>
      owner.post("/api/v1/blog", { title: secret, content: "Text" }),
    );
    const tree = printTree(spans);
    expect(tree[0]).toBe("POST /api/v1/blog");
    expect(tree).toContain("  transaction");
    expect(tree).toContain("    INSERT posts");
  });

  test("a request without a route: its method and status, and not its path", async () => {
    await guest.request("PUT", `/api/v1/${plainSecret}`);
    const [request] = await collector.traceOf("PUT");
    expect(request?.attributes).toEqual({ "http.request.method": "PUT", "http.response.status_code": 404 });
  });
});

test("the log has the trace of a request", async () => {
  const spans = await trace("GET /api/v1/search", () => guest.get("/api/v1/search?q=x", uncached));
  const line = server
    .logged()
    .split("\n")
    .find((text) => text.includes('"path":"/api/v1/search"'));
  expect(JSON.parse(line ?? "").traceID).toBe(spans[0]?.traceID);
});

test("nothing private leaves the server", async () => {
  const sha256 = (await newPhoto()).file.sha256 as string;
  const odd = { "User-Agent": plainSecret, "X-Request-ID": plainSecret, Cookie: `a=${plainSecret}`, ...uncached };
  await guest.post("/signup", { username: plainSecret, password: secret });
  await guest.post("/signin", { username: plainSecret, password: secret });
  await guest.post("/signin", { username: plainSecret, password });
  await guest.get(`/api/v1/search?q=${plainSecret}`, odd);
  await guest.get(`/api/v1/photos?tag=${plainSecret}&cursor=`, odd);
  await guest.get(`/people/${plainSecret}`, odd);
  await guest.get(`/s/${plainSecret}`, odd);
  await guest.get(`/${plainSecret}?token=${plainSecret}`, odd);
  await owner.post("/api/v1/shares", { kind: "album", id: 999, password: secret });
  await owner.post("/api/v1/comments", { content: secret, blogPostID: 1 });
  await owner.post("/api/v1/blog", `{"title": "${secret}`);
  await trace("GET /livez", () => guest.get("/livez"));
  const sent = collector.bodies.join("\n");
  const token = owner.token ?? "";
  const hidden = [
    secret,
    "Marienk",
    plainSecret,
    sha256,
    token,
    token.split(".")[2] ?? "",
    password,
    "127.0.0.1",
    "::1",
  ];
  expect(hidden.filter((text) => text === "" || sent.includes(text))).toEqual([]);
  expect(sent).toContain("/people/:");
});

test("the collector gets the configured headers, the name and the version", () => {
  expect(collector.headers[0]?.get("x-key")).toBe("a secret");
  expect(collector.headers[0]?.get("x-team")).toBe("one");
  expect(collector.headers[0]?.get("content-type")).toBe("application/json");
  expect(collector.resources[0]).toEqual({ "service.name": "vitrine", "service.version": expect.any(String) });
});

describe("the header traceparent", () => {
  const [traceID, parentID] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const isOfClient = (span?: ReceivedSpan) => span?.traceID === traceID && span.parentID === parentID;
  const send = async (other: { url: string }, path: string, traceparent: string) => {
    await client(other).get(path, { traceparent });
  };

  test("of a trusted proxy continues its trace", async () => {
    const spans = await trace("GET /api/v1/blog", () => send(server, "/api/v1/blog", `00-${traceID}-${parentID}-01`));
    expect(isOfClient(spans.find(({ kind }) => kind === 2))).toBe(true);
  });

  test("of a trusted proxy that does not record it is respected", async () => {
    await send(server, "/api/v1/me", `00-${traceID}-${parentID}-00`);
    await send(server, "/readyz", `00-${traceID}-${parentID}-01`);
    await collector.traceOf("GET /readyz");
    expect(namesOf(collector.spans)).not.toContain("GET /api/v1/me");
  });

  test.each([
    "",
    `00-${"0".repeat(32)}-${parentID}-01`,
    `00-${traceID}-${"0".repeat(16)}-01`,
    `ff-${traceID}-${parentID}-01`,
    `00-${traceID}-${parentID}-01-more`,
    `00-${traceID.toUpperCase()}-${parentID}-01`,
  ])("that is malformed begins a new trace: %p", async (traceparent) => {
    const spans = await trace("GET /api/v1/trash", () => send(server, "/api/v1/trash", traceparent));
    const request = spans.find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ parentID: null, traceID: expect.not.stringContaining(traceID) });
  });

  test("of anyone else begins a new trace, whatever it asks for", async () => {
    await using own = startCollector();
    await using other = await startServer({ ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: own.url });
    await send(other, "/api/v1/blog", `00-${traceID}-${parentID}-00`);
    const request = (await own.traceOf("GET /api/v1/blog")).find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ parentID: null, traceID: expect.not.stringContaining(traceID) });
  });
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:word@localhost" },
  { OTEL_EXPORTER_OTLP_HEADERS: "a secret" },
  { OTEL_EXPORTER_OTLP_HEADERS: "x=a%0Asecret" },
  { OTEL_BSP_SCHEDULE_DELAY: "soon" },
])("the variables are checked: %p", (wrong) => {
  const [[name, value] = []] = Object.entries(wrong);
  const read = () => readConfig({ ...soon, ...wrong });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(name);
  if (name?.endsWith("HEADERS")) expect(read).not.toThrow(value);
  // They may be meant for other programs.
  if (name !== "OTEL_EXPORTER_OTLP_ENDPOINT") expect(readConfig(wrong).tracing).toBeNull();
});
