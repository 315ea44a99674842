import { childCommand, childEnvironment } from "./own-command.ts";
import { readMemory, readProcessorTime } from "./process-usage.ts";

type Limits = { processorMilliseconds: number; memoryBytes: number };
const usualLimits: Limits = { processorMilliseconds: 3000, memoryBytes: 2 ** 29 };
const lookEvery = process.platform === "linux" ? 50 : 500;

/** What a child process makes of one message; null if it crashed, or took more processor time or memory than it may. */
export async function askChild<Result>(
  name: Parameters<typeof childCommand>[0],
  message: unknown,
  limits = usualLimits,
): Promise<Result | null> {
  const answer = Promise.withResolvers<Result | null>();
  const child = Bun.spawn(childCommand(name), {
    env: childEnvironment,
    stdio: ["ignore", "ignore", "ignore"],
    serialization: "advanced",
    ipc: (result: Result) => answer.resolve(result),
    onExit: () => answer.resolve(null),
  });
  child.unref();
  child.send(message);
  const started = performance.now();
  const look = async () => {
    const spent = (await readProcessorTime(child.pid)) ?? performance.now() - started;
    if (spent > limits.processorMilliseconds || readMemory(child.pid) > limits.memoryBytes) answer.resolve(null);
  };
  void look();
  const timer = setInterval(() => void look(), lookEvery);
  try {
    return await answer.promise;
  } finally {
    clearInterval(timer);
    child.kill("SIGKILL");
  }
}
