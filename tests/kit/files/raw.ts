import { connect } from "node:net";

/** Sends raw bytes and returns everything received until the connection closes or is idle. */
export function sendRaw(url: string, text: string, silence = 150): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    let timer: ReturnType<typeof setTimeout>;
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), silence);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      wait();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
    timer = setTimeout(() => socket.destroy(), 2000);
  });
}

export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

export const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
