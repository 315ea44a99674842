import { expect, test } from "bun:test";
import { listen } from "./listen.ts";

test("the runtime has no debug mode, and shows nothing of an error that none of our code has caught", async () => {
  using server = listen("127.0.0.1", 0, () => {
    throw new Error("a secret");
  });
  expect(server.development).toBe(false);
  const response = await fetch(server.url, { headers: { Accept: "text/html" } });
  expect([response.status, await response.text()]).toEqual([500, '{"error":"Internal server error.","code":"broken"}']);
});
