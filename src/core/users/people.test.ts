import { describe, expect, test } from "bun:test";
import { type Client, client, isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { member, password, person, signedIn } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { admin } = server.people();

const api = "/api/v1";
const users = `${api}/users`;
const names = (list: any[]) => list.map(({ username }) => username);
const activity = async () => (await admin.get(`${api}/activity?kind=user`)).body;

describe("the list of people", () => {
  test("has everyone's role, when they joined, what they have and how much it takes, but no secret", async () => {
    const ada = await person(server, "ada");
    const { body: file } = await ada.upload("dusk.png", png(2, 2), { path: "/ada" });
    await ada.post(`${api}/photos`, { title: "Dusk", fileID: file.id });
    const { body: post } = await ada.post(`${api}/blog`, { title: "Private", content: "text", visibility: "private" });
    await ada.post(`${api}/comments`, { content: "Mine", blogPostID: post.id });
    const { body: album } = await ada.post(`${api}/albums`, { name: "Gone" });
    await ada.delete(`${api}/albums/${album.id}`);
    const { body, headers } = await admin.get(users);
    expect(names(body)).toEqual(["ada", ...names(body).slice(1)]);
    expect(names(body).toSorted()).toEqual(["ada", "owner", "root", "stranger"]);
    expect(headers.get("x-total-count")).toBe("4");
    expect(headers.get("cache-control")).toBe("private, no-store");
    const expected = {
      id: ada.userID,
      username: "ada",
      role: "author",
      createdAt: expect.stringMatching(isoTime),
      counts: expect.objectContaining({ files: 1, directories: 1, photos: 1, posts: 1, albums: 0, comments: 1 }),
      bytes: file.size + "text".length,
      isBeingRemoved: false,
    };
    expect(body[0]).toEqual(expected);
    expect((await admin.get(`${users}/${ada.userID}`)).body).toEqual(expected);
  });

  test("is searched by name, with pages", async () => {
    for (const name of ["Anna_1", "anna-2", "HANNAH"]) await person(server, name);
    const find = async (query: string) => names((await admin.get(`${users}?${query}`)).body);
    expect(await find("q=anna")).toEqual(["HANNAH", "anna-2", "Anna_1"]);
    expect(await find("q=ANNA&pageSize=1&page=2")).toEqual(["anna-2"]);
    // No patterns.
    expect(await find("q=a_")).toEqual(["Anna_1"]);
    expect(await find("q=%25")).toEqual([]);
    expect(await find("q=%5C")).toEqual([]);
    expect(await find("page=99")).toEqual([]);
    const { headers } = await admin.get(`${users}?q=anna&pageSize=2`);
    expect(headers.get("x-total-count")).toBe("3");
    expect(headers.get("link")).toContain("q=anna");
    expect((await admin.get(`${users}?q=${"x".repeat(65)}`)).status).toBe(400);
  });
});

describe("a role", () => {
  test("that an admin changes applies at once, and the activity says who changed it", async () => {
    const grace = await person(server, "grace");
    const path = `${users}/${grace.userID}`;
    expect((await admin.put(path, { role: "reader" })).body).toMatchObject({ username: "grace", role: "reader" });
    expect((await grace.post(`${api}/albums`, { name: "No" })).status).toBe(403);
    for (const role of ["owner", "", null, 1, undefined]) expect((await admin.put(path, { role })).status).toBe(400);
    expect((await admin.put(`${users}/999999`, { role: "reader" })).status).toBe(404);
    const [newest] = await activity();
    expect(newest).toMatchObject({ action: "roleChanged", recordID: grace.userID, name: "grace" });
    expect(newest.actor.username).toBe("root");
  });

  test("of the last admin stays, also if two admins demote each other at the same moment", async () => {
    await using site = await startServer();
    const one = await member(site, "one", "admin");
    const demote = (who: Client, whom: Client) => who.put(`${users}/${whom.userID}`, { role: "author" });
    const alone = await demote(one, one);
    expect([alone.status, alone.body.error]).toEqual([
      409,
      "You are the only admin: make someone else an admin first.",
    ]);
    await member(site, "two", "admin");
    const two = await signedIn(site, "two");
    const results = await Promise.all([demote(one, two), demote(two, one)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const winner = results[0].status === 200 ? one : two;
    const roles = (await winner.get(users)).body.map(({ role }: any) => role);
    expect(roles.toSorted()).toEqual(["admin", "author"]);
    expect((await demote(winner, winner)).status).toBe(409);
  });
});

test("an admin signs a person out everywhere, who can sign in again", async () => {
  const [eve, again] = [await person(server, "eve"), await signedIn(server, "eve")];
  expect((await admin.delete(`${users}/${eve.userID}/sessions`)).status).toBe(200);
  for (const session of [eve, again]) expect((await session.get(`${api}/me`)).status).toBe(401);
  expect((await admin.get(`${api}/me`)).status).toBe(200);
  expect((await client(server).post("/signin", { username: "eve", password })).status).toBe(200);
  expect((await activity())[0]).toMatchObject({ action: "signedOut", name: "eve", actor: { username: "root" } });
});
