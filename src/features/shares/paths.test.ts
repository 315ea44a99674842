import { beforeAll, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { client, type Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
let linked: Client;
let token: string;
let directory: any;

const named = (body: any) => body.map(({ name }: any) => name);

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { owner, stranger } = people;
  for (const [path, name] of [
    ["/hidden/trip", "one.txt"],
    ["/hidden/trip/Day 1", "deep.txt"],
    ["/hidden/trip/Day 1", "other.txt"],
    ["/hidden", "beside.txt"],
  ])
    await owner.upload(name as string, "A text.", { path: path as string, visibility: "private" });
  await owner.upload("open.txt", "A text.", { path: "/public" });
  await stranger.upload("theirs.txt", "A text.", { path: "/theirs", visibility: "private" });
  directory = (await owner.get(`${api}/files/dir/hidden`)).body.find(({ name }: any) => name === "trip");
  ({ token } = (await owner.post(`${api}/shares`, { kind: "directory", id: directory.id })).body);
  linked = client(server, null, 0, { "X-Share-Token": token });
});

test("a shared directory is read by the path that its link shows, like by its id", async () => {
  const byID = (await linked.get(`${api}/files/${directory.id}/entries`)).body;
  expect(named(byID)).toEqual(["Day 1", "one.txt"]);
  for (const path of ["files?path=/trip", "files?path=trip/", "files/dir/trip", "files/dir/TRIP"])
    expect((await linked.get(`${api}/${path}`)).body).toEqual(byID);
  const deep = (await linked.get(`${api}/files/dir/trip/Day%201`)).body;
  expect(deep.map(({ path, name }: any) => [path, name])).toEqual([
    ["/trip/Day 1", "deep.txt"],
    ["/trip/Day 1", "other.txt"],
  ]);
  expect((await linked.get(`${api}/files/dir/trip/Day%201/deep.txt`)).body).toEqual(
    (await linked.get(`${api}/files/${deep[0].id}`)).body,
  );
  // Every path that a response names leads to what it names.
  for (const { path, name, id } of [...byID, ...deep]) {
    const { status, body } = await linked.get(`${api}/files/dir${path}/${encodeURIComponent(name)}`);
    expect([status, Array.isArray(body) ? id : body.id]).toEqual([200, id]);
  }
  expect((await visitPages(linked, `${api}/files?path=/trip/Day 1`, 1)).flat()).toEqual(deep);
  expect((await people.guest.get(`/s/${token}${api}/files?path=/trip`)).body).toEqual(byID);
});

test("names above a shared directory are not revealed, and paths outside do not exist", async () => {
  const outside = ["/hidden", "/hidden/trip", "/hidden/trip/Day 1", "/hidden/beside.txt", "/beside.txt", "/Day 1"];
  for (const path of [...outside, "/trip/nothing", "/trip/one.txt/below", "/theirs", "/trip/trip", "/trip/../hidden"]) {
    const asked = [
      await linked.get(`${api}/files?path=${encodeURIComponent(path)}`),
      await linked.get(`${api}/files/dir${path}`),
    ];
    for (const { status, body } of asked)
      expect([path, status >= 400, Array.isArray(body)]).toEqual([path, true, false]);
    expect([path, asked[1]?.status]).toEqual([path, path.includes("..") ? expect.any(Number) : 404]);
  }
  const everything = await Promise.all(
    ["files?path=/trip", "files/dir/trip/Day%201", "files", "files/dir/trip/one.txt"].map((path) =>
      linked.get(`${api}/${path}`),
    ),
  );
  expect(JSON.stringify(everything.map(({ body, headers }) => [body, [...headers]]))).not.toMatch(
    /hidden|beside|theirs/,
  );
  // What is public is reached as before.
  expect((await linked.get(`${api}/files`)).body).toEqual((await people.guest.get(`${api}/files`)).body);
  expect(named((await linked.get(`${api}/files?path=/public`)).body)).toEqual(["open.txt"]);
  // Without the link, and without permission to download, there is no such path.
  expect((await people.guest.get(`${api}/files?path=/trip`)).status).toBe(404);
  const blind = (
    await people.owner.post(`${api}/shares`, { kind: "directory", id: directory.id, allowDownload: false })
  ).body;
  expect((await people.guest.get(`${api}/files?path=/trip`, { "X-Share-Token": blind.token })).status).toBe(404);
});

test("a link to a private directory in a public one shows its whole path, and is read by it", async () => {
  const { owner } = people;
  await owner.upload("inner.txt", "A text.", { path: "/public/closed" });
  const closed = (await owner.get(`${api}/files/dir/public`)).body.find(({ name }: any) => name === "closed");
  await owner.put(`${api}/files/${closed.id}`, { visibility: "private" });
  const { body } = await owner.post(`${api}/shares`, { kind: "directory", id: closed.id });
  const guest = client(server, null, 0, { "X-Share-Token": body.token });
  expect((await guest.get(`${api}/files/${closed.id}`)).body.path).toBe("/public");
  expect(named((await guest.get(`${api}/files?path=/public/closed`)).body)).toEqual(["inner.txt"]);
  expect((await guest.get(`${api}/files/dir/closed`)).status).toBe(404);
  expect((await people.guest.get(`${api}/files?path=/public/closed`)).status).toBe(404);
  expect(named((await guest.get(`${api}/files?path=/public`)).body)).toEqual(["open.txt"]);
});
