import { childEnvironment } from "../own-command.ts";
import { invalid, Problem } from "../errors.ts";
import { readMemory, readProcessorTime } from "../process-usage.ts";

const lookEveryMs = process.platform === "linux" ? 50 : 1000;

export type ProcessLimits = {
  memoryBytes: number;
  /** How long it may work, in processor time, before it says that it comes on. */
  processorMs: number;
};

type Options = { workDirectory: string; limits: ProcessLimits; signal?: AbortSignal | undefined };

/** It has ended by itself, or somebody has killed it. */
export class ProcessCrashed extends Problem {
  constructor() {
    super("broken", "The program that reads the source has crashed, or was killed.");
  }
}

/** A process that reads what strangers wrote. It ends when this object is disposed of, and when it exceeds a limit. */
type LimitedProcess = AsyncDisposable & {
  output: AsyncIterable<Uint8Array>;
  /** Resolves when there is place for more. What comes after the end is lost. */
  write(bytes: Uint8Array): Promise<void>;
  /** It has sent something: its time begins anew. */
  advanced(): void;
  /** Why it has ended; null if it had nothing more to do. */
  findReason(): Promise<Error | null>;
};

/** Starts a child process without our environment, with limits on its memory and its time. */
export function startLimited(
  command: string[],
  { workDirectory, limits: { memoryBytes, processorMs }, signal }: Options,
): LimitedProcess {
  signal?.throwIfAborted();
  const child = Bun.spawn(command, {
    // The runtime collects garbage as on a machine that has no more memory than this.
    env: { ...childEnvironment, TMPDIR: workDirectory, BUN_JSC_forceRAMSize: `${memoryBytes}` },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let reason: Error | null = null;
  let isDisposed = false;
  /** Processor time at the last sign of life; null until it is read. */
  let spentBefore: number | null = null;

  const end = (why: Error) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => end(signal?.reason instanceof Error ? signal.reason : new Error("It was ended."));
  signal?.addEventListener("abort", abort);

  const look = async () => {
    if (readMemory(child.pid) > memoryBytes)
      return end(
        invalid(
          `Reading it needs more memory than ${Math.round(memoryBytes / 2 ** 20)} MiB. If the source is yours and large, set IMPORT_MEMORY to more.`,
        ),
      );
    const spent = await readProcessorTime(child.pid);
    if (spent === null) return;
    spentBefore ??= spent;
    if (spent - spentBefore > processorMs)
      end(
        invalid(
          `Reading a part of it takes more than ${processorMs / 1000} seconds of processor time: the source is damaged, or made to be slow.`,
        ),
      );
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  const ended = child.exited.then(() => clearInterval(timer));

  return {
    output: child.stdout,
    async write(bytes) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      try {
        void child.stdin.write(bytes);
        await child.stdin.flush();
      } catch {
        // It has ended: whoever reads its output learns why.
      }
    },
    advanced() {
      spentBefore = null;
    },
    async findReason() {
      await ended;
      if (reason || (child.exitCode === 0 && child.signalCode === null)) return reason;
      return new ProcessCrashed();
    },
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      signal?.removeEventListener("abort", abort);
      child.kill("SIGKILL");
      await ended;
    },
  };
}
