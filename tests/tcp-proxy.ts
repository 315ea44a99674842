import { connect, createServer, type Socket } from "node:net";

export type Mode = "normal" | "slow" | "silent" | "refusing";

/** A proxy between the server and one of its backends, which can delay, drop or refuse the traffic. */
export async function startProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let mode: Mode = "normal";

  const server = createServer((client) => {
    if (mode === "refusing") return void client.destroy();
    const upstream = connect(target.port, target.host);
    join(client, upstream);
    join(upstream, client);
  });

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on("data", (chunk) => {
      if (mode === "silent") return;
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
