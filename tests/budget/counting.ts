import { fileURLToPath } from "node:url";
import { isScaled } from "../kit/engine.ts";
import type { Ask, Counted, Started } from "./server.ts";

/** Compiled code allocates less, and garbage is collected, at another time in every run: so there is neither. */
const repeatable = {
  BUN_JSC_useJIT: "false",
  BUN_GC_TIMER_DISABLE: "true",
  BUN_JSC_collectionTimerMaxPercentCPU: "0",
  BUN_JSC_largeHeapSize: "4000000000",
  BUN_JSC_forceRAMSize: "64000000000",
};

/** Starts a server in a process of its own, which counts what it does. */
export async function startCounting(more: Record<string, string> = {}) {
  let message = Promise.withResolvers<unknown>();
  const next = async <Message>() => {
    message = Promise.withResolvers();
    return (await message.promise) as Message;
  };
  const started = next<Started>();
  const program = fileURLToPath(new URL("server.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "--no-orphans", program], {
    // What the tests record of statements would count, too.
    env: { ...process.env, TEST_OBSERVED: "", BUN_JSC_useTailCalls: "1", ...(isScaled ? {} : repeatable), ...more },
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (received) => message.resolve(received),
    onExit: () => message.reject(new Error("The server has stopped.")),
  });
  return {
    server: await started,
    /** After the job of this name, if one is given. */
    count(job?: string): Promise<Counted> {
      const counted = next<Counted>();
      child.send({ job } satisfies Ask);
      return counted;
    },
    async close(): Promise<void> {
      void next().catch(() => {});
      child.disconnect();
      await child.exited;
    },
  };
}
