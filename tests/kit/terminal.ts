import { tmpdir } from "node:os";

export type Terminal = {
  /** Waits until the program has printed the words. Returns what it has printed since the last call. */
  until(words: string): Promise<string>;
  type(keys: string): void;
  /** Waits for the end; returns the exit code and the rest of the output. */
  end(): Promise<{ code: number; output: string }>;
};

export const controlC = "\x03";
export const controlD = "\x04";

/** Runs a command on its own pseudo-terminal, as a person would. */
export function openTerminal(command: string[], env: Record<string, string>): Terminal {
  let output = "";
  let arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const child = Bun.spawn(command, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", TERM: "xterm", ...env },
    terminal: {
      data(_terminal, bytes) {
        output += new TextDecoder().decode(bytes);
        arrived.resolve();
        arrived = Promise.withResolvers();
      },
      exit: () => closed.resolve(),
    },
  });
  const ended = closed.promise.then(() => "ended" as const);
  const take = (length: number) => {
    const taken = output.slice(0, length).replaceAll("\r\n", "\n");
    output = output.slice(length);
    return taken;
  };
  return {
    async until(words) {
      for (;;) {
        const start = output.indexOf(words);
        if (start >= 0) return take(start + words.length);
        if ((await Promise.race([arrived.promise, ended])) === "ended" && !output.includes(words)) {
          throw new Error(`The program has ended without "${words}": ${output}`);
        }
      }
    },
    type: (keys) => void child.terminal?.write(keys),
    async end() {
      const code = await child.exited;
      // The last output may arrive after the process has exited.
      await closed.promise;
      child.terminal?.close();
      return { code, output: take(output.length) };
    },
  };
}
