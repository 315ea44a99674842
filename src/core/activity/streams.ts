import { setImmediate, setTimeout } from "node:timers/promises";
import type { Database } from "../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import type { Caller, Viewer } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { findCallers } from "./callers.ts";
import { change as toFrame, join, keepAlive, progress, ready, reload, retry } from "./event-format.ts";
import { type Change, compare, isKnown, type Position, readChanges, readEnd } from "./feed.ts";
import { createStreamLimits } from "./stream-limits.ts";
import { findVisible, type Kinds } from "./visible.ts";

const pollMs = 250;
const pauseMs = 10;
const keepAliveMs = 15_000;
/** How often the sessions of the streams are read, whether or not there are changes to send. */
const sessionsMs = 2000;
const changesAtOnce = 200;
/** A client that has missed more changes than this has to reload. */
const maxReplayed = 1000;
/** A client that leaves more bytes than this unread is disconnected. It can resume. */
const maxUnread = 2 ** 18;
const streamsAtOnce = 100;

type Stream = {
  /** As of the last change. */
  viewer: Caller | null;
  /** Everything up to here was sent. */
  position: Position;
  /** Where the client would resume. */
  knownPosition: Position;
  controller: ReadableStreamDefaultController<Uint8Array>;
  remove(): void;
};

export type Streams = {
  /** Sends changes as they happen, after those since `after`, if that is given. */
  open(viewer: Caller | null, address: string, after: Position | null): Promise<ReadableStream<Uint8Array>>;
  close(): void;
};

/**
 * One loop reads the new changes for all streams, as long as there are any. Which changes are visible is found once for all
 * guests, once for all admins, and once for each other user.
 */
export function createStreams(db: Database, kinds: Kinds, log: Log, isDraining: () => boolean): Streams {
  const reserve = createStreamLimits();
  const streams = new Set<Stream>();
  /** The loop has read everything up to here; null while it does not run. */
  let readUntil: Position | null = null;
  let isClosed = false;

  return {
    async open(viewer, address, after) {
      const release = reserve(address);
      try {
        const missed = await catchUp(viewer, after);
        while (isBehindLoop(missed.position)) {
          const more = await catchUp(viewer, missed.position);
          missed.frames.push(...more.frames);
          missed.position = more.position;
        }
        // Nothing can happen between the comparison and this.
        return add(viewer, missed, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    close() {
      isClosed = true;
      endAll();
    },
  };

  type Missed = { frames: Uint8Array[]; position: Position };

  async function catchUp(viewer: Viewer, after: Position | null): Promise<Missed> {
    if (!after) return { frames: [], position: await readEnd(db) };
    const frames: Uint8Array[] = [];
    let position = after;
    let isComplete = await isKnown(db, after);
    for (let replayed = 0; isComplete;) {
      const changes = await readChanges(db, position, changesAtOnce);
      const visible = await findVisible(db, kinds, viewer, changes);
      frames.push(...changes.filter((change) => visible.has(change)).map(toFrame));
      position = changes.at(-1) ?? position;
      if (changes.length < changesAtOnce) return { frames, position };
      replayed += changes.length;
      isComplete = replayed <= maxReplayed;
    }
    return { frames: [reload], position: await readEnd(db) };
  }

  /** Whether the loop has read, and may have sent, something after this position. */
  function isBehindLoop(position: Position): boolean {
    return readUntil !== null && compare(position, readUntil) < 0;
  }

  function add(viewer: Caller | null, { frames, position }: Missed, release: () => void): ReadableStream<Uint8Array> {
    let stream: Stream | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          controller.enqueue(join([retry, ...frames, ready(position)]));
          const remove = () => void (streams.delete(created) && release());
          const created = { viewer, position, knownPosition: position, controller, remove };
          stream = created;
          streams.add(created);
        },
        cancel: () => stream?.remove(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxUnread }),
    );
    if (readUntil === null) {
      readUntil = position;
      void withoutSharedDeadline(run);
    }
    return body;
  }

  async function run(): Promise<void> {
    let aliveAt = performance.now();
    let checkedAt = aliveAt;
    while (streams.size > 0 && readUntil) {
      await setTimeout(pollMs);
      if (isDraining() || isClosed) endAll();
      try {
        // Clients need time to read.
        while (streams.size > 0 && (await sendNew(readUntil))) await setTimeout(pauseMs);
        if (performance.now() - checkedAt >= sessionsMs) {
          await updateViewers([...streams]);
          checkedAt = performance.now();
        }
        if (performance.now() - aliveAt < keepAliveMs) continue;
        aliveAt = performance.now();
        await forEach([...streams], sayAlive);
      } catch (error) {
        // The clients resume where they are.
        log.warn("events were interrupted", { reason: (error as Error).message });
        endAll();
      }
    }
    readUntil = null;
  }

  /** Returns whether there may be more. */
  async function sendNew(after: Position): Promise<boolean> {
    const changes = await readChanges(db, after, changesAtOnce);
    const end = changes.at(-1);
    if (!end) return false;
    // A stream that is added from here on starts behind these changes.
    readUntil = end;
    const receivers = [...streams];
    await updateViewers(receivers);
    const frames = new Map(changes.map((change) => [change, toFrame(change)]));
    const forGuests = await findVisible(db, kinds, null, changes);
    const others = changes.filter((change) => !forGuests.has(change));
    for (const same of Map.groupBy(receivers, viewOf).values()) {
      const viewer = same[0]?.viewer ?? null;
      const more = viewer && others.length > 0 ? await findVisible(db, kinds, viewer, others) : new Set<Change>();
      const visible = changes.filter((change) => forGuests.has(change) || more.has(change));
      await forEach(same, (stream) => {
        const unsent = visible.filter((change) => compare(change, stream.position) > 0);
        stream.position = end;
        if (unsent.length > 0) send(stream, join(unsent.map((change) => frames.get(change) as Uint8Array)));
        stream.knownPosition = unsent.at(-1) ?? stream.knownPosition;
      });
    }
    return changes.length === changesAtOnce;
  }

  /** A user may have got another role since the stream was opened. It ends if the session was revoked or has expired. */
  async function updateViewers(receivers: Stream[]): Promise<void> {
    const current = await findCallers(
      db,
      receivers.flatMap(({ viewer }) => viewer?.tokenID ?? []),
    );
    for (const stream of receivers) {
      if (!stream.viewer) continue;
      const viewer = current.get(stream.viewer.tokenID);
      if (viewer) stream.viewer = viewer;
      else end(stream);
    }
  }

  function sayAlive(stream: Stream): void {
    const isBehind = compare(stream.knownPosition, stream.position) < 0;
    send(stream, isBehind ? progress(stream.position) : keepAlive);
    stream.knownPosition = stream.position;
  }

  function send(stream: Stream, bytes: Uint8Array): void {
    if (!streams.has(stream)) return;
    stream.controller.enqueue(bytes);
    if ((stream.controller.desiredSize ?? 0) >= 0) return;
    stream.remove();
    stream.controller.error(new Error("The client reads too slowly."));
  }

  function end(stream: Stream): void {
    if (!streams.has(stream)) return;
    stream.remove();
    stream.controller.close();
  }

  function endAll(): void {
    for (const stream of streams) end(stream);
  }
}

/** Streams with the same view get the same events. */
function viewOf({ viewer }: Stream): string | number {
  if (!viewer) return "guest";
  return viewer.role === "admin" ? "admin" : viewer.id;
}

/** Other requests run between two slices. */
async function forEach(streams: Stream[], work: (stream: Stream) => void): Promise<void> {
  for (const [index, stream] of streams.entries()) {
    work(stream);
    if (index % streamsAtOnce === streamsAtOnce - 1) await setImmediate();
  }
}
