import type { Socket } from "bun";
import { counter, type Job, type Latency, type Outcome } from "./job.ts";
import { createResponseReader } from "./response.ts";

type Connection = { read: ReturnType<typeof createResponseReader>; unsent: Buffer | null; askedAt: number };

const responseTimeoutMs = 30_000;
/** Of a response that was not expected. */
const maxShownBytes = 300;

/** Keeps every connection busy, one request at a time, until the time is up; then lets the open requests end. */
export async function run(job: Job): Promise<Outcome> {
  const requests = job.requests.map((bytes) => createRequest(Buffer.from(bytes)));
  const ended = Promise.withResolvers<string | null>();
  let stopAt = Infinity;
  let asked = 0;
  let answered = 0;

  const durations: number[] = [];

  function ask(socket: Socket<Connection>): void {
    socket.data.askedAt = performance.now();
    write(socket, (requests[asked++ % requests.length] as () => Buffer)());
  }

  const handler = {
    data(socket: Socket<Connection>, bytes: Buffer) {
      const answer = socket.data.read(bytes);
      if (!answer) return;
      answered++;
      const now = performance.now();
      durations.push(now - socket.data.askedAt);
      if (job.status === null ? answer.status >= 300 : answer.status !== job.status) {
        const shown = bytes.toString("utf8", Math.max(0, bytes.length - maxShownBytes));
        return ended.resolve(`status ${answer.status} instead of ${job.status}: ${shown}`);
      }
      if (job.bodyBytes !== null && answer.bodyBytes !== job.bodyBytes)
        return ended.resolve(`a body of ${answer.bodyBytes} bytes instead of ${job.bodyBytes}`);
      if (asked < job.most && now < stopAt) ask(socket);
      else if (answered === asked) ended.resolve(null);
    },
    drain(socket: Socket<Connection>) {
      if (socket.data.unsent) write(socket, socket.data.unsent);
    },
    close: () => ended.resolve("the server closed a connection"),
    error: (_socket: Socket<Connection>, error: Error) => ended.resolve(error.message),
  };

  const sockets = await Promise.all(
    Array.from({ length: Math.min(job.connections, job.most) }, (_, index) =>
      Bun.connect<Connection>({
        hostname: "127.0.0.1",
        port: job.ports?.[index % job.ports.length] ?? job.port,
        data: { read: createResponseReader(), unsent: null, askedAt: 0 },
        socket: handler,
      }),
    ),
  );
  const writer = job.beside && (await startWriter(job.port, createRequest(Buffer.from(job.beside)), ended.resolve));
  const started = performance.now();
  stopAt = started + job.milliseconds;
  const late = setTimeout(
    () => ended.resolve("a response did not arrive in time"),
    job.milliseconds + responseTimeoutMs,
  );
  sockets.forEach(ask);
  const problem = await ended.promise;
  const milliseconds = performance.now() - started;
  clearTimeout(late);
  writer?.stop();
  for (const socket of sockets) socket.terminate();
  return { count: answered, milliseconds, latency: latencyOf(durations), problem };
}

function latencyOf(durations: number[]): Latency {
  const sorted = Float64Array.from(durations).toSorted();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

const writeEveryMs = 20;

/** Sends the request 50 times a second, unless the previous one has no response yet. */
async function startWriter(port: number, request: () => Buffer, fail: (problem: string) => void) {
  const read = createResponseReader();
  let isBusy = false;
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, bytes) {
        const answer = read(bytes);
        if (!answer) return;
        isBusy = false;
        if (answer.status >= 300) fail(`status ${answer.status} of a write`);
      },
    },
  });
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    socket.write(request());
  }, writeEveryMs);
  return {
    stop() {
      clearInterval(timer);
      socket.terminate();
    },
  };
}

let numbered = 0;

/** Returns the bytes to send. If the request has counters, it is a copy with the next number in their place. */
function createRequest(bytes: Buffer): () => Buffer {
  const places: number[] = [];
  for (let at = bytes.indexOf(counter); at >= 0; at = bytes.indexOf(counter, at + 1)) places.push(at);
  if (places.length === 0) return () => bytes;
  return () => {
    const copy = Buffer.from(bytes);
    const digits = String(++numbered).padStart(counter.length, "0");
    for (const place of places) copy.write(digits, place, "latin1");
    return copy;
  };
}

function write(socket: Socket<Connection>, bytes: Buffer): void {
  const written = socket.write(bytes);
  socket.data.unsent = written >= 0 && written < bytes.length ? bytes.subarray(written) : null;
}
