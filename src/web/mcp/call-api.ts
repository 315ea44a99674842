import type { App } from "../../platform/http/app.ts";
import type { Connection, Exchange } from "../../platform/http/exchange.ts";

/** Handles a request, as the server does. */
export type HandleRequest = App["fetch"];

type Asked = { method: string; target: string; headers?: Record<string, string>; body?: object | undefined };

/** Sends a request to the API as the sender of this one, with the same key. */
export type CallAPI = (asked: Asked) => Promise<Response>;

/**
 * What is called is handled as every request is: with its limits, permissions, validation and idempotency, and with a line of its
 * own in the log.
 */
export function callAPIAs({ request, host, address, id }: Exchange, handle: HandleRequest): CallAPI {
  const sender: Connection = { requestIP: () => ({ address, family: "IPv4", port: 0 }), timeout() {} };
  const own = { Host: host, Authorization: request.headers.get("authorization") ?? "", "X-Request-Id": id };
  return async ({ method, target, headers, body }) => {
    const sent = body === undefined ? null : JSON.stringify(body);
    const inner = new Request(`http://${host}${target}`, {
      method,
      headers: {
        Accept: "application/json",
        ...(sent !== null && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(sent)) }),
        ...headers,
        ...own,
      },
      ...(sent !== null && { body: sent }),
    });
    return handle(inner, sender);
  };
}
