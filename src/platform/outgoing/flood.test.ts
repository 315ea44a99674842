// Runs on the embedded engines only: requests to other servers do not depend on the engines.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { until } from "../../../tests/kit/until.ts";
import { download } from "./download.ts";
import { post } from "./post.ts";

const mebibyte = 2 ** 20;
const interim = (status: string) => `HTTP/1.1 ${status}\r\nLink: </a>\r\n\r\n`;
const floods = {
  "/continue": "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000),
  "/hints": interim("103 Early Hints").repeat(1000),
  "/empty-lines": "\r\n".repeat(10_000),
};
const rest = "x".repeat(300_000);

/** A server that sends without end before it responds. `sent` is what it got rid of, by path. */
const sent = new Map<string, number>();
const server: Server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (request) => {
    const path = request.toString().split(" ")[1] ?? "";
    if (path === "/usual") {
      const length = `Content-Length: ${rest.length}`;
      socket.write(`${interim("103 Early Hints").repeat(10)}HTTP/1.1 200 OK\r\n${length}\r\n\r\n${rest}`);
    } else if (path === "/eleven-hints") socket.write(interim("103 Early Hints").repeat(11));
    else flood(socket, floods[path as keyof typeof floods]);
    socket.on("close", () => sent.set(path, socket.bytesWritten));
  });
});

function flood(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  if (socket.write(text)) setImmediate(flood, socket, text);
  else socket.once("drain", () => flood(socket, text));
}

let url = "";
beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => void server.close());

const { signal } = new AbortController();
const posting = (path: string) => post(new URL(path, url), { headers: {}, body: "{}", allowPrivate: true, signal });
const downloading = (path: string) =>
  Array.fromAsync(download(new URL(path, url), { maxBytes: mebibyte, allowPrivate: true, signal }));

describe.each([
  ["a request", posting],
  ["a download", downloading],
] as const)("%s", (_what, send) => {
  test.each(["/eleven-hints", ...Object.keys(floods)])(
    "ends when there is too much before the response: %s",
    async (path) => {
      const failure = await send(path).then(
        () => null,
        ({ message }: Error) => message,
      );
      expect(failure).toContain("too much before the response");
      // Much of it is still on its way.
      await until(
        () => sent.get(path) ?? Infinity,
        (bytes) => bytes < 16 * mebibyte,
      );
      sent.delete(path);
    },
  );
});

test("ten interim responses are usual, and a long body may follow at once", async () => {
  expect(Buffer.concat(await downloading("/usual")).toString()).toBe(rest);
  expect(await posting("/usual")).toMatchObject({ status: 200, excerpt: rest.slice(0, 1000) });
});
