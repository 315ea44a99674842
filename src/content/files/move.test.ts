import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { isScaled } from "../../../tests/kit/engine.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const people = server.people();
const { owner } = people;

const at = async (path: string) => (await owner.get(`/api/v1/files/dir${path}`)).body;
const names = async (path: string) => (await at(path)).map((file: any) => file.name);
const idOf = async (parent: string, name: string) => (await at(parent)).find((file: any) => file.name === name).id;

describe("moving", () => {
  test("a file keeps its id and its bytes; a missing destination is created", async () => {
    const { body: file } = await owner.upload("a.txt", "hello", { path: "/from" });
    const { status, body } = await owner.post(`/api/v1/files/${file.id}/move`, { path: "/to/here", name: "b.txt" });
    expect([status, body.id, body.path, body.name]).toEqual([200, file.id, "/to/here", "b.txt"]);
    expect(await (await fetch(owner.url(body.url))).text()).toBe("hello");
    expect(await at("/from")).toEqual([]);
  });

  test("a directory is moved with everything below it", async () => {
    await owner.upload("deep.txt", "x", { path: "/m/one/two" });
    const { body } = await owner.post(`/api/v1/files/${await idOf("/m", "one")}/move`, { path: "/" });
    expect(body.path).toBe("/");
    expect((await at("/one/two/deep.txt")).path).toBe("/one/two");
    expect((await owner.get("/api/v1/files/dir/m/one")).status).toBe(404);
  });

  test("a directory cannot be moved into itself or below itself; moving it to its own directory has no effect", async () => {
    await owner.upload("x", "x", { path: "/cycle/inner" });
    const id = await idOf("/", "cycle");
    for (const path of ["/cycle", "/cycle/inner", "/cycle/inner/new"]) {
      expect((await owner.post(`/api/v1/files/${id}/move`, { path })).status).toBe(400);
    }
    expect((await owner.post(`/api/v1/files/${id}/move`, { path: "/" })).status).toBe(200);
    expect(await names("/cycle/inner")).toEqual(["x"]);
  });

  test("two directories that are moved into each other concurrently do not form a cycle", async () => {
    for (let round = 0; round < 10; round++) {
      const make = async (name: string) =>
        (await owner.post("/api/v1/directories", { name, path: `/ring${round}` })).body.id;
      const [one, two] = [await make("one"), await make("two")];
      const answers = await Promise.all([
        owner.post(`/api/v1/files/${one}/move`, { path: `/ring${round}/two` }),
        owner.post(`/api/v1/files/${two}/move`, { path: `/ring${round}/one` }),
      ]);
      // The path of the second no longer exists and is created again, or leads into itself. Both can be reached from the root.
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const id of [one, two]) expect((await owner.get(`/api/v1/files/${id}`)).status).toBe(200);
    }
  });

  test("of two concurrent deletions of a record, one succeeds", async () => {
    const { body: file } = await owner.upload("twice.txt", "x");
    const { body: post } = await owner.post("/api/v1/blog", { title: "Twice", content: "x" });
    const before = (await owner.get("/api/v1/trash")).body.length;
    const total = Number((await owner.get("/api/v1/blog")).headers.get("x-total-count"));
    const paths = [`/api/v1/files/${file.id}`, `/api/v1/blog/${post.id}`];
    const answers = await Promise.all([...paths, ...paths, ...paths].map((path) => owner.delete(path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 404, 404, 404, 404]);
    expect((await owner.get("/api/v1/trash")).body.length).toBe(before + 2);
    expect(Number((await owner.get("/api/v1/blog")).headers.get("x-total-count"))).toBe(total - 1);
  });

  test("a taken name or a depth over 64 is 400, and nothing is moved", async () => {
    const { body: file } = await owner.upload("taken.txt", "x", { path: "/p" });
    await owner.upload("Taken.txt", "x", { path: "/q" });
    expect((await owner.post(`/api/v1/files/${file.id}/move`, { path: "/q" })).status).toBe(400);
    await owner.upload("leaf", "x", { path: "/high/h2/h3" });
    const deep = `/${Array(62).fill("d").join("/")}`;
    expect((await owner.post(`/api/v1/files/${await idOf("/", "high")}/move`, { path: deep })).status).toBe(400);
    expect((await owner.get("/api/v1/files/dir/d")).status).toBe(404);
    expect(await names("/p")).toEqual(["taken.txt"]);
  });

  test("the caller must own the source and the destination", async () => {
    const { body: file } = await owner.upload("own.txt", "x", { path: "/owners" });
    const { body: theirs } = await people.stranger.upload("s.txt", "x", { path: "/strangers" });
    const move = (who: Client, id: number, path: string) => who.post(`/api/v1/files/${id}/move`, { path });
    expect((await move(people.guest, file.id, "/")).status).toBe(401);
    expect((await move(people.stranger, file.id, "/strangers")).status).toBe(403);
    expect((await move(people.stranger, theirs.id, "/owners")).status).toBe(403);
    expect((await move(people.admin, file.id, "/strangers")).status).toBe(200);
    expect((await move(owner, 99_999, "/")).status).toBe(404);
    expect((await owner.post(`/api/v1/files/${file.id}/move`, {})).status).toBe(400);
  });
});

describe("renaming", () => {
  test("a file that is moved concurrently is renamed at its new path, or the request is refused", async () => {
    const { body: file } = await owner.upload("slow.txt", "x", { path: "/before" });
    await owner.upload("taken.txt", "y", { path: "/after" });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const answer = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.includes("}")) resolve(text);
      });
    });
    const body = JSON.stringify({ name: "taken.txt" });
    socket.write(
      `PUT /api/v1/files/${file.id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await Bun.sleep(200);
    expect((await owner.post(`/api/v1/files/${file.id}/move`, { path: "/after" })).status).toBe(200);
    socket.write(body.slice(5));
    expect(await answer).toContain("400 Bad Request");
    socket.destroy();
  });
});

describe("copying", () => {
  test("a file creates a file with a new id and the same bytes, and adds a number if the name is taken", async () => {
    const { body: file } = await owner.upload("c.txt", "bytes", { path: "/copy" });
    const { status, body } = await owner.post(`/api/v1/files/${file.id}/copy`, { path: "/copy" });
    expect([status, body.name, body.sha256]).toEqual([201, "c (1).txt", file.sha256]);
    expect(body.id).not.toBe(file.id);
  });

  test("a directory includes everything in it; the copy belongs to the caller", async () => {
    await owner.upload("1.txt", "one", { path: "/album/a" });
    await owner.upload("2.txt", "two", { path: "/album/b" });
    const copy = (who: Client, path: string) =>
      idOf("/", "album").then((id) => who.post(`/api/v1/files/${id}/copy`, { path }));
    const { status, body } = await copy(people.admin, "/mine");
    expect([status, body.path, body.ownerID]).toEqual([201, "/mine", people.admin.userID]);
    expect((await at("/mine/album/b/2.txt")).ownerID).toBe(people.admin.userID);
    expect(await names("/album")).toEqual(["a", "b"]);
    expect((await copy(owner, "/album/a")).status).toBe(400);
  });

  test.skipIf(isScaled && !isLong)("a large tree is complete, and does not block other requests", async () => {
    await owner.upload("0.txt", "x", { path: "/t0" });
    for (let round = 0; round < 8; round++) {
      // Each directory contains two copies of the previous one.
      const id = await idOf("/", `t${round}`);
      for (let copy = 0; copy < 2; copy++) await owner.post(`/api/v1/files/${id}/copy`, { path: `/t${round + 1}` });
    }
    const others: number[] = [];
    const copying = owner.post(`/api/v1/files/${await idOf("/", "t8")}/copy`, { path: "/copied" });
    const reading = new AbortController();
    const readers = (async () => {
      while (!reading.signal.aborted)
        others.push((await people.guest.get(`/api/v1/photos?page=${others.length + 1}`)).status);
    })();
    expect((await copying).status).toBe(201);
    reading.abort();
    await readers;
    expect(others.length).toBeGreaterThan(2);
    const tree = async (path: string): Promise<string[]> => {
      const names: string[] = [];
      for (const { name, sha256, isDirectory } of await at(path)) {
        if (isDirectory) names.push(name, ...(await tree(`${path}/${name}`)));
        else names.push(`${name} ${sha256}`);
      }
      return names;
    };
    expect(await tree("/copied/t8")).toEqual(await tree("/t8"));
  });

  test("requires that the caller owns the source, the destination and everything in the source", async () => {
    const { body: file } = await owner.upload("m.txt", "mine", { path: "/shared" });
    await people.stranger.upload("t.txt", "theirs", { path: "/their-end" });
    const copy = (who: Client, id: number, path: string) => who.post(`/api/v1/files/${id}/copy`, { path });
    expect((await copy(people.guest, file.id, "/")).status).toBe(401);
    expect((await copy(people.stranger, file.id, "/their-end")).status).toBe(403);
    expect((await copy(owner, file.id, "/their-end")).status).toBe(403);
    await people.admin.upload("a.txt", "the admin's", { path: "/shared" });
    const { status, body } = await copy(owner, await idOf("/", "shared"), "/again");
    expect([status, body.error]).toEqual([403, expect.stringContaining("a.txt")]);
    expect((await people.guest.get("/api/v1/files?path=/again")).status).toBe(404);
  });
});
