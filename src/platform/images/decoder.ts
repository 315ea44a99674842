import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { busy } from "../../errors.ts";
import type { ImageMetadata } from "./metadata.ts";

export type Format = "avif" | "webp" | "jpeg";

/** Bytes of the original, `end` not included; or in their place so many equal ones, or others in base64. */
export type Piece = { start: number; end: number } | { fill: number; length: number } | string;

export type Inspected = {
  metadata: ImageMetadata;
  isPicture: boolean;
  /** What the public may read of the file: all of it, none of it, or a cleaned version. */
  public: "all" | "none" | { pieces: Piece[]; size: number; sha256: string };
};
/** Width and height as the picture is looked at; `master` is one to go on with where the original is slow to decode. */
export type Pixels = {
  width: number;
  height: number;
  thumbhash: string;
  master: Uint8Array<ArrayBuffer> | null;
};
export type Size = { width: number; height: number };
export type Scaled = { bytes: Uint8Array<ArrayBuffer> };

export type Task =
  | { deed: "inspect"; path: string }
  | { deed: "measure"; path: string }
  | { deed: "scale"; source: string | Uint8Array; size: Size; format: Format };

/** A failure for good is the picture's own fault. */
export type Outcome = { result: Inspected | Pixels | Scaled } | { failure: string; isForGood: boolean };

/** The picture cannot be decoded: the message says why. Where that is for good, to try again changes nothing. */
export class UnreadableImage extends Error {
  readonly isForGood: boolean;

  constructor(message: string, isForGood = true) {
    super(message);
    this.isForGood = isForGood;
  }
}

/** All fail with UnreadableImage when a picture cannot be decoded in bounds, and as busy when too many wait already. */
export type Decoder = {
  inspect(path: string): Promise<Inspected>;
  measure(path: string): Promise<Pixels>;
  /** In exactly this size, of a path or of bytes. */
  scale(source: string | Uint8Array, size: Size, format: Format): Promise<Scaled>;
  /** How many tasks wait, and how many are being worked on. */
  load(): { waiting: number; running: number };
  close(): void;
};

const program = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
const mostWaiting = 256;
const mostMilliseconds = 30_000;
const mostBytes = 1.5 * 2 ** 30;
const idleMilliseconds = 60_000;
const lookEvery = 50;

type Job = { task: Task; hasFailed?: true; resolve(result: unknown): void; reject(error: Error): void };
type Child = { process: Bun.Subprocess; job: Job | null; idle: ReturnType<typeof setTimeout> | undefined };

/** A few processes that decode, begun when there is work and ended when there is none. */
export function startDecoder(size = Math.min(4, availableParallelism())): Decoder {
  const children = new Set<Child>();
  const waiting: Job[] = [];
  let isClosed = false;

  const submit = <Result>(task: Task) =>
    new Promise<Result>((resolve, reject) => {
      if (isClosed || waiting.length >= mostWaiting) return reject(tooMany());
      waiting.push({ task, resolve, reject });
      next();
    });

  function next(): void {
    const job = waiting[0];
    const child = job && ([...children].find((one) => !one.job) ?? (children.size < size ? begin() : null));
    if (!job || !child) return;
    waiting.shift();
    child.job = job;
    clearTimeout(child.idle);
    child.process.send(job.task);
    watch(child);
  }

  function begin(): Child {
    const child: Child = { process: null as unknown as Bun.Subprocess, job: null, idle: undefined };
    // It has no use for what our environment tells, and should not know it.
    child.process = Bun.spawn([process.execPath, program], {
      env: {},
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (outcome) => settle(child, outcome as Outcome),
      onExit: () => bury(child),
    });
    child.process.unref();
    children.add(child);
    return child;
  }

  function settle(child: Child, outcome: Outcome): void {
    const { job } = child;
    child.job = null;
    if ("result" in outcome) job?.resolve(outcome.result);
    else job?.reject(new UnreadableImage(outcome.failure, outcome.isForGood));
    child.idle = setTimeout(() => end(child, ""), idleMilliseconds);
    child.idle.unref();
    next();
  }

  /** What a process dies of may be no fault of its picture: that one is tried once more. */
  function bury(child: Child): void {
    const { job } = child;
    if (job && !job.hasFailed && !isClosed) {
      waiting.unshift(Object.assign(job, { hasFailed: true }));
      child.job = null;
    }
    end(child, "The decoder did not survive it.");
  }

  /** The process is gone, or goes now; its job fails for this reason. */
  function end(child: Child, reason: string): void {
    clearTimeout(child.idle);
    children.delete(child);
    child.process.kill("SIGKILL");
    child.job?.reject(isClosed ? tooMany() : new UnreadableImage(reason));
    child.job = null;
    next();
  }

  /** A picture may take so much time and memory, and no more. */
  function watch(child: Child): void {
    const { job } = child;
    const started = performance.now();
    const timer = setInterval(() => {
      if (child.job !== job) clearInterval(timer);
      else if (performance.now() - started > mostMilliseconds) end(child, "It takes too long to decode.");
      else if (memoryOf(child.process.pid) > mostBytes) end(child, "It takes too much memory to decode.");
    }, lookEvery);
  }

  return {
    inspect: (path) => submit({ deed: "inspect", path }),
    measure: (path) => submit({ deed: "measure", path }),
    scale: (source, size, format) => submit({ deed: "scale", source, size, format }),
    load: () => ({ waiting: waiting.length, running: [...children].filter(({ job }) => job).length }),
    close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(tooMany());
      for (const child of children) end(child, "");
    },
  };
}

/** What a process holds in memory that is no mere view of a file, in bytes; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  try {
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const tooMany = () => busy("The server has too many pictures to work on; try again in a moment.");
