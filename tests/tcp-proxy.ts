import { connect, createServer, type Socket } from "node:net";

export type Weather = "fine" | "slow" | "silent" | "refusing";

/** Stands between the server and one of its back ends, and makes the weather there. */
export async function startProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let weather: Weather = "fine";

  const server = createServer((client) => {
    if (weather === "refusing") return void client.destroy();
    const upstream = connect(target.port, target.host);
    join(client, upstream);
    join(upstream, client);
  });

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on("data", (chunk) => {
      if (weather === "silent") return;
      if (weather === "slow") setTimeout(() => to.writable && to.write(chunk), 300);
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
    /** "silent" swallows every byte, "refusing" ends every connection, old and new. */
    turn(to: Weather) {
      weather = to;
      if (to === "refusing") cut();
    },
    /** Ends the connections there are; new ones are taken. */
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** The same address, through the proxy. */
export function through(url: string, proxy: Proxy): string {
  return Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href;
}
