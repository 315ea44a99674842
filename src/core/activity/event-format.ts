import { invalid } from "../../platform/errors.ts";
import type { Change, Position } from "./feed.ts";

/** The text/event-stream format: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const encoder = new TextEncoder();
const encode = (...lines: string[]) => encoder.encode(`${lines.join("\n")}\n\n`);

const print = ({ transactionID, id }: Position) => `id: ${transactionID}-${id}`;

/** How long a client waits before it connects again. */
export const retry = encode("retry: 3000");

/** The client cannot be told what it has missed: it has to load again what it shows. */
export const reload = encode("event: reload", "data: {}");

/** All changes from here on will be sent. */
export const ready = (position: Position) => encode(print(position), "event: ready", "data: {}");

/** Changes nothing but where the client resumes. */
export const progress = (position: Position) => encode(print(position));

export const keepAlive = encode(": still here");

export function change({ action, kind, recordID, createdAt, ...position }: Change): Uint8Array {
  const data = { action, kind, recordID, createdAt: new Date(createdAt).toISOString() };
  return encode(print(position), `data: ${JSON.stringify(data)}`);
}

export function join(frames: Uint8Array[]): Uint8Array {
  return frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames);
}

/** Null for a client that connects for the first time. */
export function readPosition(lastEventID: string | null | undefined): Position | null {
  if (!lastEventID) return null;
  const [, transactionID, id] = /^(\d{1,15})-(\d{1,15})$/.exec(lastEventID) ?? [];
  if (id === undefined) throw invalid("The last event ID is malformed: use the `id` of an event.", "lastEventID");
  return { transactionID: Number(transactionID), id: Number(id) };
}
