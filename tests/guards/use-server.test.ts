// Runs on the embedded engines only: it is about the tests themselves.
import { beforeAll, describe, expect, test } from "bun:test";
import { useServer } from "../kit/use-server.ts";

let address = "";

describe("a server that a group of tests uses", () => {
  const server = useServer({ SIGNUP_ROLE: "closed" });
  const { guest } = server;
  const reader = server.person("reader", "reader");
  const { owner, admin } = server.people();
  let seenByHook: number;
  beforeAll(async () => {
    seenByHook = (await owner.get("/api/v1/me")).body.id;
  });

  test("has its people, also in hooks", async () => {
    address = server.url;
    expect(seenByHook).toBe(owner.userID);
    const roles = await Promise.all([reader, owner, admin].map(async (who) => (await who.get("/api/v1/me")).body.role));
    expect(roles).toEqual(["reader", "author", "admin"]);
    expect((await guest.get("/api/v1/me")).status).toBe(401);
  });

  test("has its configuration", async () => {
    const { status } = await guest.post("/signup", { username: "somebody", password: "correct horse battery" });
    expect(status).toBe(403);
  });

  test("gets no people later", () => {
    expect(() => server.person("late")).toThrow("after the server was started");
  });
});

describe("after these tests", () => {
  test("the server is closed", async () => {
    expect(await fetch(address).catch(() => "closed")).toBe("closed");
  });
});
