import { VitrineError } from "./errors.ts";
import { delayAfter, isTemporary, wait } from "./retry.ts";
import { type Connection, sendOnce } from "./send.ts";
import type { EventOptions, LiveEvent } from "./types.ts";

/** The server sends something every 15 seconds; after this time without anything, the connection is dead. */
const silenceMs = 45_000;

type Frame = { id: string; event: string; data: string };

export function createEvents(connection: Connection) {
  return async function* events(options: EventOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    const { signal } = options;
    const retry = { ...connection.retry, ...options.retry };
    const { attempts = Infinity } = options.retry ?? {};
    let { lastEventID = "" } = options;
    for (let failures = 0; ;) {
      let failure = new VitrineError("The stream of events has ended.", { code: "network" });
      try {
        for await (const frame of connect(connection, lastEventID, signal)) {
          failures = 0;
          lastEventID = frame.id || lastEventID;
          const event = toEvent(frame);
          if (event) yield event;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof VitrineError) || !isTemporary(error)) throw error;
        failure = error;
      }
      failure.attempts = ++failures;
      const delay = delayAfter(failure, failures, retry);
      if (delay === null || failures >= attempts) throw failure;
      await wait(delay, signal);
    }
  };
}

function toEvent({ id, event, data }: Frame): LiveEvent | null {
  if (event === "ready") return { type: "ready", id };
  if (event === "reload") return { type: "reload" };
  if (event !== "message" || data === "") return null;
  return { type: "change", id, ...(JSON.parse(data) as Omit<LiveEvent & { type: "change" }, "type" | "id">) };
}

/** The frames of one connection, until it ends or fails. */
async function* connect(connection: Connection, lastEventID: string, signal?: AbortSignal): AsyncGenerator<Frame> {
  const silence = new AbortController();
  const start = () => setTimeout(() => silence.abort(new DOMException("Nothing was sent.", "TimeoutError")), silenceMs);
  let timer = start();
  const request = {
    method: "GET",
    path: "/api/v1/events",
    headers: { Accept: "text/event-stream", ...(lastEventID && { "Last-Event-ID": lastEventID }) },
    isRepeatable: true,
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
  };
  try {
    const body = await sendOnce(connection, request, async (response) => response.body);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer);
      timer = start();
      const frames = (text + part.value).split("\n\n");
      text = frames.pop() ?? "";
      yield* frames.map(readFrame);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof VitrineError
      ? error
      : new VitrineError("The stream was cut.", { code: "network", cause: error });
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** The text/event-stream format, as far as the server uses it. */
function readFrame(text: string): Frame {
  const frame = { id: "", event: "message", data: "" };
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name) frame[name as keyof Frame] = value;
  }
  return frame;
}
