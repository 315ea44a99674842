// Runs on the embedded engines only: how routes are loaded does not depend on the engines.
import { expect, test } from "bun:test";
import { z } from "zod";
import { client } from "../../../tests/kit/client.ts";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { password } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { declareLate } from "./late.ts";
import { route } from "./route.ts";

const scratch = useScratch();

const leaf = (more: object = {}) =>
  route({
    method: "GET",
    path: "/leaves",
    name: "listLeaves",
    tag: "",
    summary: "",
    response: z.null(),
    handle: () => null,
    ...more,
  });

test("the first request after a start is answered as later ones are, and kept under its own query", async () => {
  const dataDir = newDirectory(scratch);
  const environment = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
  const first = await startServer(environment);
  const account = { username: "ada", password };
  await client(first).post("/signup", account);
  const { token } = (await client(first).post("/signin", account)).body;
  for (const title of ["One", "Two"]) await client(first, token).post("/api/v1/blog", { title, content: "Text" });
  await first.close();
  for (const path of ["/api/v1/blog?pageSize=1", "/tags/none?page=2", "/blog?tag=none", "/api/v1/blog"]) {
    await using server = await startServer(environment);
    const guest = client(server);
    const { body } = await guest.get(path);
    if (path.endsWith("pageSize=1")) expect(body.length).toBe(1);
    expect((await guest.get("/api/v1/blog")).body.length).toBe(2);
    for (const title of ["One", "Two"]) expect((await guest.get("/blog")).body).toContain(`>${title}<`);
  }
});

test("a request before its routes are loaded is refused as after it", async () => {
  await using server = await startServer();
  const send = async (method: string, path: string) => {
    const response = await fetch(server.url + path, { method });
    return [
      response.status,
      response.headers.get("allow"),
      (await response.text()).replaceAll(/"requestID":"[^"]+"/g, ""),
    ];
  };
  const requests = [
    ["OPTIONS", "/api/v1/webhooks/1"],
    ["PUT", "/api/v1/webhooks"],
    ["POST", "/webmention/1"],
    ["PUT", "/webmention"],
  ] as const;
  const sendAll = async () => {
    const responses = [];
    for (const [method, path] of requests) responses.push(await send(method, path));
    return responses;
  };
  const before = await sendAll();
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
  expect(await sendAll()).toEqual(before);
});

test("routes that are loaded, and were declared in another way, are an error", async () => {
  const loading = (names: string[], more?: object) =>
    declareLate({ names, load: async () => [leaf(more)] })[0]?.load?.() ?? Promise.resolve();
  await loading(["GET /leaves"]);
  const wrong = [
    () => loading(["GET /leaf"]),
    () => loading(["GET /leaves", "PUT /leaves"]),
    () => loading(["GET /leaves"], { responseHeaders: ["X-Leaf"] }),
  ];
  for (const load of wrong) {
    const error = await load().catch((refused: Error) => refused);
    expect(error?.message).toStartWith("Late routes are not what was declared");
  }
});
