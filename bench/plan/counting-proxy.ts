import { connect, createServer, type Socket } from "node:net";

export type Counted = { requests: number; bytes: number };

/** A proxy in front of the object store, which counts what passes: requests, and the bytes of both directions. */
export async function startCountingProxy(target: URL) {
  const counted: Counted = { requests: 0, bytes: 0 };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pass(near, far, (chunk) => {
      if (/^(GET|PUT|HEAD|POST|DELETE) \/[^\r\n]* HTTP\/1\.1\r\n/.test(chunk.toString("latin1", 0, 2000)))
        counted.requests++;
    });
    pass(far, near, () => {});
  });

  function pass(from: Socket, to: Socket, see: (chunk: Buffer) => void): void {
    from.on("data", (chunk: Buffer) => {
      counted.bytes += chunk.length;
      see(chunk);
      to.write(chunk);
    });
    from.on("error", () => {});
    from.on("close", () => to.destroy());
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { port, read: (): Counted => ({ ...counted }), close: () => server.close() };
}

/** The same bucket, through the proxy. */
export function endpointOf(storage: string): URL {
  return new URL(/endpoint=([^&]+)/.exec(storage)?.[1] ?? "");
}
