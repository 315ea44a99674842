import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/**
 * What happens to a request: it is refused with a status and headers, its response is lost after the server has handled it,
 * or its connection is cut after so many bytes of its body.
 */
export type Fault =
  { status: number; headers?: Record<string, string>; body?: string } | { lose: "response" } | { cutAfter: number };

/** An HTTP proxy that lets the next requests fail, one for each fault that matches, and records all of them. */
export async function startFront(target: string) {
  const faults: { fault: Fault; matches: (line: string) => boolean }[] = [];
  const seen: { line: string; headers: IncomingMessage["headers"]; at: number }[] = [];

  const server = createServer((incoming, outgoing) => {
    // On a connection that was used before, the runtime itself would repeat a request.
    outgoing.shouldKeepAlive = false;
    const line = `${incoming.method} ${incoming.url}`;
    seen.push({ line, headers: incoming.headers, at: performance.now() });
    const index = faults.findIndex(({ matches }) => matches(line));
    const [found] = index < 0 ? [] : faults.splice(index, 1);
    const fault = found?.fault;
    if (fault && "status" in fault) {
      incoming.resume();
      outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    } else forward(target, incoming, outgoing, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    seen,
    /** The next request whose method and URL begin with `start` has this fault. */
    fail: (start: string, fault: Fault) => void faults.push({ fault, matches: (line) => line.startsWith(start) }),
    count: (start: string) => seen.filter(({ line }) => line.startsWith(start)).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault?: Fault): void {
  const { method = "GET", url = "/", headers } = incoming;
  const upstream = request(target + url, { method, headers }, (response) => {
    if (fault && "lose" in fault) {
      response.resume();
      response.on("end", () => incoming.socket.destroy());
      return;
    }
    const { connection: _, ...headers } = response.headers;
    outgoing.writeHead(response.statusCode ?? 500, headers);
    response.pipe(outgoing);
  });
  upstream.on("error", () => incoming.socket.destroy());
  incoming.on("error", () => upstream.destroy());
  outgoing.on("close", () => !outgoing.writableFinished && upstream.destroy());
  if (!(fault && "cutAfter" in fault)) return void incoming.pipe(upstream);
  let left = fault.cutAfter;
  incoming.on("data", (bytes: Buffer) => {
    if (left <= 0) return;
    upstream.write(bytes.subarray(0, left), () => left <= 0 && (upstream.destroy(), incoming.socket.destroy()));
    left -= bytes.length;
  });
}
