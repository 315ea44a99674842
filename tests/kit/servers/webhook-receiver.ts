import { until } from "../until.ts";

export type Received = { path: string; body: string; headers: Headers };

export type Receiver = {
  url: string;
  received: Received[];
  /** The next responses; after those, every response is 200. */
  responses: (Response | Promise<Response>)[];
  /** Waits until this many requests have come. */
  wait(count: number): Promise<Received[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A server to which webhooks are sent. */
export function startReceiver(): Receiver {
  const received: Received[] = [];
  const responses: Receiver["responses"] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      received.push({ path: pathname, body: await request.text(), headers: request.headers });
      return (await responses.shift()) ?? new Response("received");
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    responses,
    async wait(count) {
      return until(
        () => received,
        ({ length }) => length >= count,
      );
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
