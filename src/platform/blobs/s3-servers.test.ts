import { afterAll, setSystemTime } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { startFauxqs } from "fauxqs";
import { connectS3 } from "./s3-calls.ts";
import type { S3Options } from "./s3-options.ts";

const stops: (() => unknown)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** An S3 server in this process, in memory. It does not check signatures. */
export async function startS3() {
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  stops.push(() => server.stop());
  server.createBucket("vitrine");
  const endpoint = `http://127.0.0.1:${server.port}`;
  const options = { bucket: "vitrine", endpoint, region: "us-east-1", accessKeyID: "key", secretAccessKey: "secret" };
  const client = new Bun.S3Client({ ...options, accessKeyId: "key" });
  return {
    options,
    client,
    /** Makes blobs two hours old: writes them again while the clock, which the server shares, is set back. */
    async age(...names: string[]) {
      for (const sha256 of names) {
        const file = client.file(`blobs/${sha256.slice(0, 2)}/${sha256}`);
        const bytes = await file.bytes();
        setSystemTime(Date.now() - 7_200_000);
        await file.write(bytes);
        setSystemTime();
      }
    },
  };
}

/** The server in TEST_S3_URL (`s3://bucket?endpoint=…&region=…`), or null. */
export function realS3() {
  const { TEST_S3_URL, AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  if (!TEST_S3_URL) return null;
  const { searchParams } = new URL(TEST_S3_URL);
  const options = {
    endpoint: searchParams.get("endpoint"),
    region: searchParams.get("region") ?? "us-east-1",
    accessKeyID: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
  };
  return {
    async freshBucket(): Promise<S3Options> {
      const fresh = { ...options, bucket: `test-${crypto.randomUUID()}` };
      await connectS3(fresh).call({ method: "PUT", key: "" });
      return fresh;
    },
  };
}

/**
 * A proxy. "open" passes bytes on, "silent" accepts connections and bytes but sends nothing, "cut" closes connections.
 */
export async function startProxy(target: number) {
  const proxy = { mode: "open" as "open" | "silent" | "cut", silentAfter: Infinity, port: 0 };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const pass = (from: Socket, to: Socket) =>
      from.on("data", (bytes) => {
        proxy.silentAfter -= bytes.length;
        if (proxy.silentAfter < 0) [proxy.mode, proxy.silentAfter] = ["silent", Infinity];
        if (proxy.mode === "cut") client.destroy();
        if (proxy.mode !== "open") return void upstream.destroy();
        if (to.write(bytes)) return;
        from.pause();
        to.once("drain", () => from.resume());
      });
    if (proxy.mode === "cut") return void client.destroy();
    pass(client, upstream);
    pass(upstream, client);
    upstream.on("error", () => {}).on("close", () => proxy.mode === "open" && client.destroy());
    client.on("error", () => {}).on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => void server.close());
  proxy.port = (server.address() as { port: number }).port;
  return proxy;
}
