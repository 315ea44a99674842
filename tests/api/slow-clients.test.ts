// Runs on the embedded engines only: the bodies of requests are read before any engine is used.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createWatch } from "../../src/platform/http/watch.ts";
import { useServer } from "../kit/use-server.ts";
import { until } from "../kit/until.ts";

const server = useServer({ MAX_UPLOAD_BYTES: "3000000" });
const owner = server.person("owner");

const head = `--edge\r\nContent-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n`;
const tail = "\r\n--edge--\r\n";
const incoming = () => readdirSync(join(server.dataDir, "incoming"));

type Upload = { answer: Promise<string>; socket: Socket };

/** Sends an upload of `size` bytes by hand; `feed` writes the body. */
function open(size: number, feed: (socket: Socket) => void): Upload {
  const length = head.length + size + tail.length;
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
    socket.write(
      `POST /api/v1/files HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n${head}`,
    );
    feed(socket);
  });
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes("}")) resolve(text);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
  return { answer, socket };
}

describe("slow and stalled clients", () => {
  test.concurrent("an upload of 8 KB per second for 45 seconds is not cut off", async () => {
    const seconds = 45;
    const { answer, socket } = open(seconds * 8192, (open) => {
      let sent = 0;
      const timer = setInterval(() => {
        open.write("a".repeat(8192));
        if (++sent === seconds) {
          clearInterval(timer);
          open.write(tail);
        }
      }, 1000);
    });
    expect(await answer).toContain("201 Created");
    socket.destroy();
  });

  test.concurrent("a client that stops sending gets a 400, and leaves nothing behind", async () => {
    const { answer, socket } = open(1_000_000, (open) => open.write("a".repeat(900_000)));
    await until(incoming, ({ length }) => length > 0);
    const text = await answer;
    expect(text).toContain("400 Bad Request");
    expect(text).toContain("stalled");
    socket.destroy();
  });
});

describe("a small JSON body", () => {
  const start = (length: number) =>
    `POST /api/v1/blog HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const send = (length: number, feed: (socket: Socket) => void) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write(start(length));
      feed(socket);
    });
    const answer = new Promise<string>((resolve) => {
      socket.on("data", (chunk) => resolve(chunk.toString()));
      socket.on("error", () => {});
      socket.on("close", () => resolve(""));
    });
    return { answer, socket };
  };

  test.concurrent("that stops arriving is a 400", async () => {
    const { answer, socket } = send(1000, (open) => open.write('{"title": "half'));
    const text = await answer;
    expect(text).toContain("400 Bad Request");
    expect(text).toContain("stalled");
    socket.destroy();
  });

  test.concurrent("that arrives a few bytes a second is read", async () => {
    const body = JSON.stringify({ title: "slow", content: "x".repeat(80) });
    const { answer, socket } = send(body.length, (open) => {
      let sent = 0;
      const timer = setInterval(() => {
        open.write(body.slice(sent, sent + 10));
        if ((sent += 10) >= body.length) clearInterval(timer);
      }, 1000);
    });
    expect(await answer).toContain("201 Created");
    socket.destroy();
  });

  test("whose client disconnects leaves nothing behind, and the server keeps serving", async () => {
    const { socket } = send(1000, (open) => open.write('{"title": "gone'));
    await Bun.sleep(100);
    socket.destroy();
    await Bun.sleep(100);
    expect((await owner.get("/api/v1/blog?owner=me")).body.map(({ title }: any) => title)).not.toContain("gone");
  });

  test("that is too large for the limit is a 400, with a length and without", async () => {
    for (const length of [5 * 2 ** 20, 2 ** 24]) {
      const { status, body } = await owner.post("/api/v1/blog", { title: "x", content: "x".repeat(length) });
      expect([status, body.error]).toEqual([400, "The body is larger than 4194304 bytes."]);
    }
  });
});

describe("incomplete uploads", () => {
  test("a client that disconnects leaves no row and no temporary file", async () => {
    const before = (await owner.get("/api/v1/files")).body.length;
    const uploads = Array.from({ length: 5 }, () => open(1_000_000, (socket) => socket.write("a".repeat(900_000))));
    await until(incoming, ({ length }) => length >= uploads.length);
    for (const { socket } of uploads) socket.destroy();
    await until(incoming, ({ length }) => length === 0);
    expect((await owner.get("/api/v1/files")).body.length).toBe(before);
  });

  test("a body that ends before its last boundary is a 400", async () => {
    const { status, body } = await owner.request("POST", "/api/v1/files", {
      body: `${head}half a file`,
      headers: { "Content-Type": "multipart/form-data; boundary=edge" },
    });
    expect(status).toBe(400);
    expect(body.error).toBeString();
  });

  test("a file over the limit is a 400, with a length and in chunks", async () => {
    expect((await owner.upload("large.bin", new Uint8Array(3_000_001))).status).toBe(400);
    expect((await owner.upload("large.bin", new Uint8Array(9_000_000))).status).toBe(400);
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(head));
        for (let index = 0; index < 60; index++) controller.enqueue(new Uint8Array(65_536));
        controller.enqueue(Buffer.from(tail));
        controller.close();
      },
    });
    const { status } = await owner.request("POST", "/api/v1/files", {
      body: chunks,
      headers: { "Content-Type": "multipart/form-data; boundary=edge" },
    });
    expect(status).toBe(400);
    expect((await owner.upload("just right.bin", new Uint8Array(3_000_000))).status).toBe(201);
  });
});

describe("a handler that hangs", () => {
  const common = { abandoned: false, stopReceiving: null };
  /** Whatever else the machine does, its progress is as old as the limit allows, or not. */
  const hanging = () => ({ ...common, lastProgress: performance.now() }) as never;
  const moving = () =>
    ({
      ...common,
      get lastProgress() {
        return performance.now();
      },
    }) as never;

  test("is ended after a timeout, but not if it makes progress", async () => {
    const watch = createWatch(300);
    const never = new Promise<string>(() => {});
    const refused = {
      code: "busy",
      headers: { "Retry-After": "5" },
      message: expect.stringContaining("took too long"),
    };
    expect(await watch.guard(hanging(), never).catch((error) => error)).toMatchObject(refused);
    const later = Bun.sleep(800).then(() => "done");
    expect(await watch.guard(moving(), later)).toBe("done");
    watch.close();
  });

  test("is not ended before the timeout", async () => {
    const watch = createWatch(3_600_000);
    const later = Bun.sleep(100).then(() => "done");
    expect(await watch.guard(hanging(), later)).toBe("done");
    watch.close();
  });
});
