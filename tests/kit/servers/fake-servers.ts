import http from "node:http";
import type { AddressInfo } from "node:net";

export type FakeRequest = { method: string; path: string; query: URLSearchParams; headers: Headers; body: string };
export type FakeResponse = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array | object;
  /** Ends the connection after this many bytes. */
  cutAfter?: number;
  /** When it ends it; without, at once. */
  cutWhen?: Promise<void>;
};

/** A server of another program. Ranges are served if a response is bytes. */
export async function startFake(respond: (request: FakeRequest) => FakeResponse) {
  const seen: string[] = [];
  const server = http.createServer((incoming, outgoing) => void handle(incoming, outgoing));
  async function handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? "/", "http://fake");
    const [method, path] = [incoming.method ?? "", decodeURIComponent(url.pathname)];
    const headers = new Headers(incoming.headers as Record<string, string>);
    seen.push(`${method} ${path} ${headers.get("Range") ?? ""}`.trim());
    const body = Buffer.concat(chunks).toString();
    const {
      status = 200,
      headers: more = {},
      body: sent = "",
      cutAfter,
      cutWhen,
    } = respond({
      method,
      path,
      query: url.searchParams,
      headers,
      body,
    });
    const isBytes = sent instanceof Uint8Array;
    const bytes = isBytes ? sent : Buffer.from(typeof sent === "string" ? sent : JSON.stringify(sent));
    const start = isBytes ? Number(/^bytes=(\d+)-$/.exec(headers.get("Range") ?? "")?.[1] ?? 0) : 0;
    const range: Record<string, string> =
      start > 0 ? { "Content-Range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {};
    const length = { "Content-Length": String(bytes.length - start) };
    outgoing.writeHead(start > 0 ? 206 : status, { ...length, ...range, ...more });
    if (cutAfter === undefined) {
      outgoing.end(bytes.subarray(start));
      return;
    }
    const part = bytes.subarray(start, start + cutAfter);
    await new Promise<void>((resolve) => void outgoing.write(part, () => resolve()));
    await cutWhen;
    outgoing.socket?.destroy();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests that have come since this was last called. */
    takeSeen: () => seen.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
