import { afterAll, setSystemTime } from "bun:test";
import { startFauxqs } from "fauxqs";
import { connectS3, type S3Options } from "./s3-calls.ts";

const running: { stop(): Promise<void> }[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop())));

/** A store in this process, in memory. It does not look at signatures. */
export async function startS3() {
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  running.push(server);
  server.createBucket("vitrine");
  const endpoint = `http://127.0.0.1:${server.port}`;
  const options = { bucket: "vitrine", endpoint, region: "us-east-1", accessKeyID: "key", secretAccessKey: "secret" };
  const client = new Bun.S3Client({ ...options, accessKeyId: "key" });
  return {
    options,
    client,
    /** Makes blobs two hours old: writes them again while the clock, which is the store's too, stands at then. */
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

/** The server that TEST_S3_URL names (`s3://bucket?endpoint=…&region=…`), or null. */
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
