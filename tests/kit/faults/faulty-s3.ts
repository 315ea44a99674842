import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { startS3 } from "../../../src/platform/blobs/s3-servers.test.ts";

type Fault =
  /** The connection is closed after half of the body of the response, or before any response. */
  | "cut"
  | "dropped"
  /** Half of the body is stored, and said to be all of it. */
  | "halved";

/** An S3 server in this process. `faultOf` is asked about each request; `requests` has those that were answered whole. */
export async function startFaultyS3() {
  const { options, client } = await startS3();
  const s3 = { faultOf: (_method: string, _key: string): Fault | null => null, requests: [] as string[] };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return Object.assign(s3, {
    client,
    url: (prefix: string) => `s3://${options.bucket}/${prefix}?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    env: { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const key = decodeURIComponent(url.replace(/\?.*/, "").replace(`/${options.bucket}`, "").slice(1));
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fault = s3.faultOf(method, key);
    if (fault === "dropped") return void response.destroy();
    const body = Buffer.concat(chunks);
    const sent = fault === "halved" ? body.subarray(0, body.length / 2) : body;
    const { host: _host, "content-length": _length, ...headers } = request.headers as Record<string, string>;
    const hasBody = method === "PUT" || method === "POST";
    const found = await fetch(options.endpoint + url, { method, headers, ...(hasBody && { body: sent }) });
    const bytes = new Uint8Array(await found.arrayBuffer());
    const length = method === "HEAD" ? found.headers.get("content-length") : bytes.length;
    response.writeHead(found.status, { ...Object.fromEntries(found.headers), "content-length": length ?? 0 });
    if (fault === "cut") return void response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    s3.requests.push(`${method} ${key}`);
    response.end(method === "HEAD" ? undefined : bytes);
  }
}
