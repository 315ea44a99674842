import { availableParallelism } from "node:os";
import { busy } from "../errors.ts";
import { readMemory, readProcessorTime } from "../process-usage.ts";
import { createFrameReader, type FrameReader } from "./video-frame.ts";
import type { Drawing } from "./draw.ts";
import type { Edits } from "./edits.ts";
import type { Look } from "./look.ts";
import type { ImageMetadata } from "./metadata.ts";
import { withCopyPath } from "./copy-path.ts";
import { UnreadableImage } from "./unreadable.ts";
import { childCommand, childEnvironment } from "../own-command.ts";

export type Format = "avif" | "webp" | "jpeg";

/** Bytes of the original, excluding `end`; or what replaces them: a number of equal bytes, or others in base64. */
export type Piece = { start: number; end: number } | { fill: number; length: number } | string;

/** Bytes that are made from those of a file. */
export type Cleaned = { pieces: Piece[]; size: number; sha256: string };

export type Inspected = {
  metadata: ImageMetadata;
  isPicture: boolean;
  /** For what is no picture that can be decoded: the reason, if its format is known. */
  refusal: string | null;
  /** What the public may read of the file: all of it, none of it, or a cleaned version. */
  public: "all" | "none" | Cleaned;
  /** Whether the cleaned version of a picture surely shows the same pixels. If not, it has to be compared. */
  isProven: boolean;
  /** The video in a motion photo, without private data, and its duration in milliseconds. */
  motion: (Cleaned & { duration: number }) | null;
  /** The size of a picture that takes long to decode; null for others. */
  slow: Size | null;
};
export type Compared = { isSame: boolean };
/**
 * Width and height of the upright picture. `master` replaces the original for further work if that is slow to decode.
 */
export type Pixels = {
  width: number;
  height: number;
  thumbhash: string;
  look: Look | null;
  master: Uint8Array<ArrayBuffer> | null;
  /** The file ends early or is damaged, and only a part of the picture is shown. */
  isCutOff: boolean;
};
export type Size = { width: number; height: number };
export type Scaled = { bytes: Uint8Array<ArrayBuffer> };

export type Task =
  | { action: "inspect"; path: string }
  | { action: "compare"; path: string; pieces: Piece[]; copy: string }
  | { action: "measure"; source: string | Uint8Array; edits: Edits | null }
  | { action: "scale"; source: string | Uint8Array; size: Size; format: Format; edits: Edits | null }
  | { action: "icon"; path: string; side: number }
  | { action: "draw"; drawing: Drawing };

/** A permanent failure is caused by the picture itself. */
export type Outcome = { result: Inspected | Compared | Pixels | Scaled } | { failure: string; isPermanent: boolean };

/**
 * All methods fail with UnreadableImage if a picture cannot be decoded within the limits, and as busy if it cannot be
 * decoded now.
 */
export type Decoder = {
  inspect(path: string): Promise<Inspected>;
  /** Whether the cleaned version of a picture shows the same pixels in the same colours. */
  compare(path: string, cleaned: Cleaned): Promise<Compared>;
  /** From a path or from bytes. With edits, `thumbhash` is that of the edited picture. */
  measure(source: string | Uint8Array, edits?: Edits | null): Promise<Pixels>;
  /** In exactly this size, from a path or from bytes. */
  scale(source: string | Uint8Array, size: Size, format: Format, edits?: Edits | null): Promise<Scaled>;
  /** The middle of a picture as a square PNG. */
  icon(path: string, side: number): Promise<Scaled>;
  draw(drawing: Drawing): Promise<Scaled>;
  /** A JPEG of a video that lasts this many milliseconds. */
  readFrame: FrameReader["read"];
  /** The number of waiting and of running tasks. */
  load(): { waiting: number; running: number };
  close(): void;
};

export type Limits = {
  /** Processor time for one picture. Time in which a process is suspended or gets no processor does not count. */
  processorMilliseconds: number;
  /** After this time, decoding is given up for now, whatever the reason. */
  elapsedMilliseconds: number;
  /** Memory for one picture, in addition to what its process used before. */
  pictureBytes: number;
  /** A process that uses more than this between two pictures is replaced. */
  idleBytes: number;
};

const usualLimits: Limits = {
  processorMilliseconds: 30_000,
  elapsedMilliseconds: 300_000,
  pictureBytes: 1.5 * 2 ** 30,
  idleBytes: 320 * 2 ** 20,
};

const maxWaiting = 256;
/** An idle process takes 40 to 55 MiB, and starting one 130 ms of processor time. */
const idleMilliseconds = 10_000;
const lookEvery = process.platform === "linux" ? 50 : 1000;

/**
 * A failure is final only if nothing but the picture can have caused it. An error that the library reports is retried
 * in a new process, and a crash or an exceeded limit is retried in a new process while no other picture is being
 * decoded.
 */
type Attempt = "first" | "in a new process" | "alone";

type Job = { task: Task; attempt: Attempt; resolve(result: unknown): void; reject(error: Error): void };
type Child = {
  process: Bun.Subprocess;
  job: Job | null;
  isNew: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
};

type DecoderOptions = Partial<Limits> & {
  /** The number of processes. */
  size?: number;
  /** The path or the name of the program that takes pictures from videos; null means none. */
  ffmpeg?: string | null;
};

/** A few decoder processes, started when there is work and stopped when there is none. */
export function startDecoder(options: DecoderOptions = {}): Decoder {
  const { size = Math.min(4, availableParallelism()), ffmpeg = null, ...limits } = options;
  const { processorMilliseconds, elapsedMilliseconds, pictureBytes, idleBytes } = { ...usualLimits, ...limits };
  const children = new Set<Child>();
  const waiting: Job[] = [];
  const frames = createFrameReader(ffmpeg && Bun.which(ffmpeg));
  let isClosed = false;

  const submit = <Result>(task: Task) =>
    new Promise<Result>((resolve, reject) => {
      if (isClosed || waiting.length >= maxWaiting) return reject(tooMany());
      waiting.push({ task, attempt: "first", resolve, reject });
      next();
    });

  function next(): void {
    const job = waiting[0];
    const child = job && findChild(job.attempt);
    if (!job || !child) return;
    waiting.shift();
    child.job = job;
    clearTimeout(child.idle);
    child.process.send(job.task);
    void watch(child, job);
    next();
  }

  /** A process that can start such an attempt now; null if it has to wait. */
  function findChild(attempt: Attempt): Child | null {
    const idle = [...children].filter((child) => !child.job);
    const isBusy = idle.length < children.size;
    const isOneAlone = [...children].some((child) => child.job?.attempt === "alone");
    if (isOneAlone || (attempt === "alone" && isBusy)) return null;
    if (attempt === "first" && idle[0]) return idle[0];
    if (children.size < size) return begin();
    if (!idle[0]) return null;
    end(idle[0]);
    return begin();
  }

  function begin(): Child {
    const started: Bun.Subprocess = Bun.spawn(childCommand("decoder"), {
      env: childEnvironment,
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (outcome) => settle(child, outcome as Outcome),
      onExit: () => handleExit(child),
    });
    started.unref();
    const child: Child = { process: started, job: null, isNew: true, idle: undefined };
    children.add(child);
    return child;
  }

  function settle(child: Child, outcome: Outcome): void {
    const { job, isNew } = child;
    if (!job) return;
    const isFailure = "failure" in outcome;
    if (!isFailure) job.resolve(outcome.result);
    else if (outcome.isPermanent && job.attempt === "first" && !isNew) retry(job, "in a new process");
    else job.reject(new UnreadableImage(outcome.failure, outcome.isPermanent));
    child.job = null;
    child.isNew = false;
    if ((isFailure && !isNew) || readMemory(child.process.pid) > idleBytes) end(child);
    else (child.idle = setTimeout(() => end(child), idleMilliseconds)).unref();
    next();
  }

  /**
   * It crashed, or was killed: by the system when memory ran out, or by a person, which says nothing about the picture.
   */
  function handleExit(child: Child): void {
    const { job } = child;
    end(child);
    if (job?.attempt === "alone" && killers.has(child.process.signalCode)) job.reject(interrupted());
    else if (job) fail(job, "The decoder crashed while it read this picture.");
    next();
  }

  /** The failure may have been caused by another picture, unless this one was decoded alone. */
  function fail(job: Job, reason: string): void {
    if (isClosed) job.reject(tooMany());
    else if (job.attempt === "alone") job.reject(new UnreadableImage(reason));
    else retry(job, "alone");
  }

  function retry(job: Job, attempt: Attempt): void {
    waiting.unshift({ ...job, attempt });
  }

  function end(child: Child): void {
    clearTimeout(child.idle);
    children.delete(child);
    child.job = null;
    child.process.kill("SIGKILL");
  }

  /** Stops a process that exceeds a limit. */
  async function watch(child: Child, job: Job): Promise<void> {
    const { pid } = child.process;
    const started = performance.now();
    const memoryBefore = readMemory(pid);
    const processorBefore = await readProcessorTime(pid);
    while (child.job === job) {
      await Bun.sleep(lookEvery);
      const processorNow = await readProcessorTime(pid);
      if (child.job !== job) return;
      const elapsed = performance.now() - started;
      const isTimed = processorBefore !== null && processorNow !== null;
      if ((isTimed ? processorNow - processorBefore : elapsed) > processorMilliseconds)
        stop(() => fail(job, "It takes too long to decode."));
      else if (readMemory(pid) - memoryBefore > pictureBytes)
        stop(() => fail(job, "It takes too much memory to decode."));
      else if (elapsed > elapsedMilliseconds) stop(() => job.reject(interrupted()));
    }

    function stop(settleJob: () => void): void {
      end(child);
      settleJob();
      next();
    }
  }

  return {
    inspect: (path) => submit({ action: "inspect", path }),
    compare: (path, { pieces }) => withCopyPath((copy) => submit({ action: "compare", path, pieces, copy })),
    measure: (source, edits = null) => submit({ action: "measure", source, edits }),
    scale: (source, size, format, edits = null) => submit({ action: "scale", source, size, format, edits }),
    icon: (path, side) => submit({ action: "icon", path, side }),
    draw: (drawing) => submit({ action: "draw", drawing }),
    readFrame: frames.read,
    load: () => ({ waiting: waiting.length, running: [...children].filter(({ job }) => job).length }),
    close() {
      isClosed = true;
      frames.close();
      for (const job of waiting.splice(0)) job.reject(tooMany());
      for (const child of children) {
        child.job?.reject(tooMany());
        end(child);
      }
    },
  };
}

/** Signals that come from outside. A process that crashes gets other signals. */
const killers = new Set<unknown>(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

const tooMany = () => busy("The server is processing too many pictures; try again in a moment.");
const interrupted = () => busy("Decoding this picture was interrupted; try again in a moment.");
