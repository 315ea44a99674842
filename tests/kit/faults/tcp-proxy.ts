import { connect, createServer, type Socket } from "node:net";

export type Mode = "normal" | "slow" | "silent" | "refusing";

/**
 * A connection ends when it sends these words, on which the mark was sent before, for the last of so many times. The words are
 * passed on to the backend, or not; what it sends back is not. The client sees it when `reached` has ended.
 */
type Breakpoint = { mark: string; words: string; times: number; isPassedOn: boolean; reached(): Promise<void> };

/** A proxy between the server and one of its backends, which can delay, drop or refuse the traffic. */
export async function startProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let mode: Mode = "normal";
  let breakpoint: Breakpoint | null = null;

  const server = createServer((client) => {
    if (mode === "refusing") return void client.destroy();
    const upstream = connect(target.port, target.host);
    const isBroken = breaking(client, upstream);
    join(client, upstream, isBroken);
    join(upstream, client, isBroken);
  });

  /** Returns a function that is called with what is sent, and that says whether it goes no further. */
  function breaking(client: Socket, upstream: Socket): (chunk: string | Buffer, from: Socket) => boolean {
    let isMarked = false;
    let isBroken = false;
    return (chunk, from) => {
      if (isBroken || from !== client || !breakpoint) return isBroken;
      isMarked ||= chunk.includes(breakpoint.mark);
      if (!isMarked || !chunk.includes(breakpoint.words) || --breakpoint.times > 0) return false;
      const { isPassedOn, reached } = breakpoint;
      isBroken = true;
      breakpoint = null;
      if (isPassedOn) upstream.write(chunk);
      upstream.end();
      void reached().then(() => client.destroy());
      return true;
    };
  }

  function join(from: Socket, to: Socket, isBroken: (chunk: string | Buffer, from: Socket) => boolean): void {
    sockets.add(from);
    from.on("data", (chunk) => {
      if (isBroken(chunk, from) || mode === "silent") return;
      if (mode === "slow") setTimeout(() => to.writable && to.write(chunk), 300);
      else to.write(chunk);
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    /** "silent" drops every byte, "refusing" closes every connection, old and new. */
    setMode(to: Mode) {
      mode = to;
      if (to === "refusing") cut();
    },
    /** Closes the existing connections; new ones are accepted. */
    cut,
    breakAt(at: Breakpoint) {
      breakpoint = at;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** The same URL, through the proxy. */
export function through(url: string, proxy: Proxy): string {
  return Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href;
}
