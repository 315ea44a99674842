import type { Server } from "bun";
import { isOutOfDescriptors, outOfDescriptors } from "../descriptors.ts";
import { Problem } from "../errors.ts";

type Handler = (request: Request, server: Server<unknown>) => Response | Promise<Response>;

/** Idle connections are closed after this time. */
export const idleSeconds = 30;

/** `port`: it is in use. `rights`: this user may not listen on it. `host`: this machine does not have the address. */
type Reason = "port" | "rights" | "host";

export class ListenError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Listens on `host`, or on all addresses (IPv4 and IPv6) if it is null. */
export function listen(host: string | null, port: number, fetch: Handler): Server<unknown> {
  const options = {
    port,
    fetch,
    development: false,
    // Otherwise the runtime would share the port with another server, and each request would go to either of them.
    reusePort: false,
    idleTimeout: idleSeconds,
    // Above our own limits, so that our own code responds to requests that are too large.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // For example, a file that is to be sent cannot be opened.
    error: (error: unknown) => {
      const isOut = isOutOfDescriptors(error);
      const { message, code, headers } = isOut ? outOfDescriptors() : new Problem("broken", "Internal server error.");
      const init = { status: 500, headers: { ...headers, "X-Content-Type-Options": "nosniff" } };
      return Response.json({ error: message, code }, init);
    },
  };
  try {
    return Bun.serve({ ...options, hostname: host ?? "::" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The runtime also says so of a name that leads nowhere, on which no port is free.
    if (code === "EADDRINUSE" && hasFreePort(host ?? "::")) throw new ListenError("port", message);
    if (code === "EACCES") throw new ListenError("rights", message);
    if (host !== null) throw new ListenError("host", message);
    // This machine has no IPv6.
    return Bun.serve({ ...options, hostname: "0.0.0.0" });
  }
}

function hasFreePort(hostname: string): boolean {
  try {
    void Bun.serve({ hostname, port: 0, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/**
 * Closes the port and idle connections, and waits for running requests. After `timeoutMs` these are cut off. Connections
 * that the kernel has opened and the runtime has not yet accepted are reset together with the requests sent on them.
 */
export async function stop(server: Server<unknown>, timeoutMs: number): Promise<void> {
  const late = setTimeout(() => void server.stop(true), timeoutMs);
  await server.stop();
  clearTimeout(late);
}
