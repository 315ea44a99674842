import { connect, type Socket } from "node:net";

export type KeptAnswer = { status: number; isLast: boolean };

/** A client on one plain connection, which it keeps open. */
export type KeepAliveClient = {
  /** Rejects if the connection ends before the whole response has arrived. */
  request(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<KeptAnswer>;
  close(): void;
};

/** Rejects if the server does not accept the connection. */
export async function openKeepAlive(port: number): Promise<KeepAliveClient> {
  const socket = await open(port);
  return {
    async request(method, path, headers = {}, body = "") {
      const lines = Object.entries({ Host: "localhost", "Content-Length": body.length, ...headers });
      const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
      const response = readResponse(socket);
      socket.write(`${head}\r\n\r\n${body}`);
      return response;
    },
    close: () => socket.destroy(),
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.off("error", reject);
      // A caller that waits for a response gets the error when the connection closes.
      socket.on("error", () => {});
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

function readResponse(socket: Socket): Promise<KeptAnswer> {
  return new Promise((resolve, reject) => {
    let received = "";
    const read = (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const end = received.indexOf("\r\n\r\n") + 4;
      const length = Number(/^content-length: (\d+)/im.exec(received)?.[1]);
      if (end < 4 || received.length < end + length) return;
      socket.off("data", read).off("close", fail);
      const isLast = /^connection: close/im.test(received.slice(0, end));
      resolve({ status: Number(received.slice(9, 12)), isLast });
    };
    const fail = () => reject(new Error(`The connection ended after ${received.length} bytes of a response.`));
    socket.on("data", read).on("close", fail);
  });
}
