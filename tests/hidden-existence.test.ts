import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, startServer, type TestServer } from "./kit.ts";
import { api, createEverybody, fresh, hidden, made, type People } from "./permission-records.ts";

let server: TestServer;
let people: People;
/** Records of the owner that nobody else may know of, by the first part of their path. */
let records: Record<string, number[]>;

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
  people = await createEverybody(server);
  const { owner, admin } = people;
  const post = await hidden(fresh.post, "/blog")(people);
  const trashed = await fresh.album(people);
  await owner.delete(`${api}/albums/${trashed.id}`);
  const [entry] = (await owner.get(`${api}/trash`)).body;
  const { id: versioned } = await fresh.file(people);
  await owner.request("PUT", `${api}/files/${versioned}/content`, { body: "another content" });
  await owner.put(`${api}/files/${versioned}`, { visibility: "private" });
  records = {
    photos: [(await hidden(fresh.photo, "/photos")(people)).id],
    blog: [post.id],
    comments: [(await made(owner, "/comments", { content: "Hidden", blogPostID: post.id })).id],
    albums: [(await hidden(fresh.album, "/albums")(people)).id, trashed.id],
    files: [versioned, (await hidden(fresh.directory, "/files")(people)).id],
    imports: [(await fresh.import(people)).id],
    uploads: [(await fresh.upload(people)).id],
    shares: [(await fresh.share(people)).id],
    trash: [entry.id],
    webhooks: [(await made(admin, "/webhooks", { url: "http://127.0.0.1:1/", events: ["nothing.happened"] })).id],
    users: [owner.userID],
    me: [(await owner.get(`${api}/me/sessions`)).body[0].id],
    invitations: [(await made(admin, "/invitations", { role: "reader" })).id],
  };
});
afterAll(() => server.close());

const absent = 987_654;

test("no response to a stranger depends on whether a hidden record exists", async () => {
  const { paths } = (await people.guest.get("/openapi.json")).body as { paths: Record<string, object> };
  const asked = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const about = asked.filter(({ path }) => path.startsWith(`${api}/`) && path.includes("{id}"));
  const kinds = new Set(about.map(({ path }) => path.split("/")[3] as string));
  expect([...kinds].toSorted()).toEqual(Object.keys(records).toSorted());

  const told: object[] = [];
  for (const { method, path } of about) {
    for (const [who, sender] of Object.entries({
      guest: people.guest,
      reader: people.reader,
      stranger: people.stranger,
    })) {
      const send = async (id: number, body?: string) => {
        const given = body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } };
        const filled = path.replace("{id}", String(id)).replace(/\{\w+\}/g, "1");
        return describe(await sender.request(method, filled, given), id);
      };
      for (const id of records[path.split("/")[3] as string] as number[]) {
        for (const body of method === "GET" ? [undefined] : [undefined, "{}"]) {
          const [there, notThere] = [await send(id, body), await send(absent, body)];
          if (!Bun.deepEquals(there, notThere)) told.push({ method, path, who, there, notThere });
        }
      }
    }
  }
  expect(told).toEqual([]);
});

/** The response, without the id that was sent. */
function describe({ status, body, headers }: Awaited<ReturnType<Client["get"]>>, id: number) {
  const text = JSON.stringify(body).replace(/"requestID":"[^"]*"/, "");
  const names = [...headers.keys()].filter((name) => !name.startsWith("ratelimit"));
  return { status, text: text.replaceAll(String(id), "…"), names };
}
