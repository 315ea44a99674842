// Runs on the embedded engines only: what is read of other servers does not depend on the engines.
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { createSelfSigned } from "../../../tests/kit/certificates.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { type FakeRequest, type FakeResponse, startFake } from "../../../tests/kit/servers/fake-servers.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { admin, member } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { until } from "../../../tests/kit/until.ts";

const dataDir = useScratch();

const imports = "/api/v1/imports";
const key = "a-very-secret-app-password";

async function settled(who: Client, id: number, isDone = (one: any) => one.status !== "running"): Promise<any> {
  return (
    await until(
      () => who.get(`${imports}/${id}`),
      ({ body }) => isDone(body),
    )
  ).body;
}

/** A WebDAV server with two files. The second one does not come to its end until `cut` is resolved. */
function createCloud(cut: Promise<void>) {
  const state = { isStuck: false, key };
  const entry = (name: string, size: number | null) => `<D:response><D:href>/${name}</D:href><D:propstat><D:prop>
    <D:resourcetype>${size === null ? "<D:collection/>" : ""}</D:resourcetype><D:getetag>"${name}"</D:getetag>
    <D:getcontentlength>${size ?? 0}</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
  const listed = `<D:multistatus xmlns:D="DAV:">${entry("", null)}${entry("one.txt", 3)}${entry("two.txt", 9)}</D:multistatus>`;
  const respond = ({ method, path, headers }: FakeRequest): FakeResponse => {
    if (path !== "/" && !path.endsWith(".txt")) return { status: 404 };
    if (headers.get("Authorization") !== `Basic ${btoa(`ada:${state.key}`)}`) return { status: 401 };
    if (method === "PROPFIND") return { status: 207, body: listed };
    const isCut = state.isStuck && path === "/two.txt";
    return {
      body: Buffer.from(path === "/one.txt" ? "one" : "and a two"),
      ...(isCut && { cutAfter: 4, cutWhen: cut }),
    };
  };
  return { state, respond };
}

/** In another process: one that has opened and closed the database of a server of its own would take its locks. */
const holdsKey = (path: string) => Bun.spawnSync(["grep", "-rqaF", key, path]).exitCode === 0;

test("another server is named in a request, read after a restart with its key alone, and its key is stored nowhere", async () => {
  const cut = Promise.withResolvers<void>();
  const cloud = createCloud(cut.promise);
  await using fake = await startFake(cloud.respond);
  const server = { kind: "webdav", url: `${fake.url}/`, username: "ada" };
  const first = await startServer({ DATA_DIR: dataDir });
  const root = await admin(first);
  const refused = async (sent: object) => {
    const { status, body } = await root.post(imports, { server, key, ...sent });
    return [status, body.field, body.error];
  };
  const eve = await member(first, "eve", "author");
  expect((await eve.post(imports, { server, key })).status).toBe(403);
  const host = new URL(fake.url).host;
  expect(await refused({ key: "wrong" })).toEqual([400, "key", `${host} does not accept the key.`]);
  expect(await refused({ server: { ...server, kind: "immich" } })).toEqual([
    400,
    "server",
    `This is another program: WebDAV responds at ${fake.url}.`,
  ]);
  expect((await refused({ server: { url: `http://ada:${key}@127.0.0.1` } })).slice(0, 2)).toEqual([400, "server"]);
  for (const url of ["http://[::ffff:169.254.169.254]/x", ...(isLong ? ["http://169.254.169.254"] : [])])
    expect((await refused({ server: { url } }))[2]).toEndWith("is an address that no server of yours can have.");
  if (isLong) {
    expect(await refused({ server: { url: "http://127.0.0.1:1" } })).toEqual([
      400,
      "server",
      "127.0.0.1:1 cannot be reached: nothing responds at this address and port.",
    ]);
    using secure = Bun.serve({ port: 0, tls: createSelfSigned("localhost"), fetch: () => new Response() });
    expect((await refused({ server: { url: `localhost:${secure.port}` } }))[2]).toStartWith(
      "The certificate of localhost",
    );
    expect(await refused({ server: { url: fake.url.replace("http", "https") } })).toEqual([
      400,
      "server",
      `${host} does not speak HTTPS: try the address with http://.`,
    ]);
  }

  const { body: tried } = await root.post(imports, { server, key, dryRun: true });
  expect(tried).toMatchObject({ status: "finished", kind: "webdav", items: { added: 2 }, needsKey: false });
  expect(tried.plan.server).toEqual({ ...server, url: fake.url });

  cloud.state.isStuck = true;
  await first.close();
  const killed = await startVitrine({ DATA_DIR: dataDir });
  const begun = client(killed, root.token)
    .post(imports, { server, key })
    .catch(() => null);
  await until(fake.takeSeen, (seen) => seen.includes("GET /two.txt"));
  killed.process.kill("SIGKILL");
  await Promise.all([killed.process.exited, begun]);
  expect(holdsKey(dataDir)).toBe(false);

  await using second = await startServer({ DATA_DIR: dataDir });
  cloud.state.isStuck = false;
  cut.resolve();
  const after = client(second, root.token);
  // Who has written what is chosen after a trial, which names the authors.
  const texts = { "content/a.md": "alice", "content/b.md": "bob", "hugo.toml": "" };
  const entries = Object.entries(texts).map(([name, author]) => ({
    name,
    input: author && `---\ntitle: By ${author}\ndate: 2020-01-02\nauthor: ${author}\n---\nText`,
  }));
  const zip = new Uint8Array(await downloadZip(entries).arrayBuffer());
  const fileIDs = [(await after.upload("blog.zip", zip)).body.id];
  const trial = await settled(after, (await after.post(imports, { fileIDs, dryRun: true })).body.id);
  const { body: people } = await after.get(`${imports}/${trial.id}/items?kind=person`);
  expect(people.map(({ name }: any) => name)).toEqual(["alice", "bob"]);
  expect((await after.post(imports, { fileIDs, authors: [{ theirs: "alice", ours: "nobody" }] })).body).toMatchObject({
    error: "There is no user nobody.",
    field: "authors",
  });
  await settled(after, (await after.post(imports, { fileIDs, authors: [{ theirs: "alice", ours: "eve" }] })).body.id);
  const { body: posts } = await after.get("/api/v1/blog?cursor=&visibility=all");
  const ofEve = posts.filter(({ ownerID }: any) => ownerID === eve.userID);
  expect([posts.length, ofEve.map(({ title }: any) => title)]).toEqual([2, ["By alice"]]);

  // What was begun is looked at after the others have ended.
  const id = tried.id + 1;
  const waiting = await settled(after, id, (one) => one.needsKey);
  expect(waiting).toMatchObject({ status: "running", phase: "reading", failure: null });
  const resume = `${imports}/${id}/resume`;
  expect((await after.post(resume, { key: "wrong" })).body).toMatchObject({ field: "key" });
  await after.post(resume, { key });
  const done = await settled(after, id);
  expect(done).toMatchObject({
    status: "finished",
    source: `WebDAV: ada at ${fake.url} → /WebDAV`,
    items: { added: 2 },
  });
  expect((await after.post(resume, { key })).status).toBe(409);

  // A key that was withdrawn is asked for again.
  const refusing = createCloud(cut.promise);
  let lists = 0;
  await using other = await startFake((request) => {
    // The first two are those of the check.
    if (request.method === "PROPFIND" && ++lists > 2) refusing.state.key = "another";
    return refusing.respond(request);
  });
  const { body: stuck } = await after.post(imports, { server: { ...server, url: other.url }, key });
  expect(await settled(after, stuck.id, (one) => one.needsKey)).toMatchObject({
    failure: `${new URL(other.url).host} does not accept the key.`,
  });
  expect((await after.delete(`${imports}/${stuck.id}`)).body).toMatchObject({ status: "cancelled", needsKey: false });

  await after.post(`${imports}/${id}/undo`);
  expect((await settled(after, id, (one) => one.status === "undone")).status).toBe("undone");
  expect((await after.get("/api/v1/files/dir/WebDAV")).status).toBe(404);
  expect(holdsKey(dataDir)).toBe(false);
});
