import type { Server } from "bun";
import { ignoreNewConnections } from "./ignore-connections.ts";

type Handler = (request: Request, server: Server<unknown>) => Response | Promise<Response>;

/** A connection on which nothing moves for so long is closed. */
export const idleSeconds = 30;

/** `port`: it is taken. `rights`: this user may not listen on it. `host`: the address is not one of this machine. */
type Reason = "port" | "rights" | "host";

export class ListenError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Listens on `host`, or on every address, IPv4 and IPv6, where it is null. */
export function listen(host: string | null, port: number, fetch: Handler): Server<unknown> {
  const options = {
    port,
    fetch,
    development: false,
    // The runtime would share the port with another server, and requests would go to either.
    reusePort: false,
    idleTimeout: idleSeconds,
    // Above our own limits, so that it is our code that answers what is too large.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    error: () => Response.json({ error: "Something went wrong on the server." }, { status: 500 }),
  };
  try {
    return Bun.serve({ ...options, hostname: host ?? "::" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new ListenError("port", message);
    if (code === "EACCES") throw new ListenError("rights", message);
    if (host !== null) throw new ListenError("host", message);
    // A machine without IPv6.
    return Bun.serve({ ...options, hostname: "0.0.0.0" });
  }
}

/** How long a client may take between opening a connection and sending its request, to have it answered. */
const handshakeMilliseconds = 200;

/** Keeps serving for so long, then accepts no further connection. Every request that was sent by then is answered. */
export async function drain(server: Server<unknown>, milliseconds: number): Promise<void> {
  await Bun.sleep(milliseconds);
  if (ignoreNewConnections(server.port ?? 0)) await Bun.sleep(handshakeMilliseconds);
}

/** Closes the port and idle connections, and waits for running requests; those that run after `grace` milliseconds are cut. */
export async function stop(server: Server<unknown>, grace: number): Promise<void> {
  const late = setTimeout(() => void server.stop(true), grace);
  await server.stop();
  clearTimeout(late);
}
