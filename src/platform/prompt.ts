/** The user pressed Ctrl-C at a prompt. */
export class Interrupted extends Error {}

export const isTerminal = (): boolean => process.stdin.isTTY;

type Prompt = { ask(question: string): Promise<string>; close(): void };

/**
 * Asks on the terminal; if the input is a secret, it is not shown. Without a terminal it prints nothing and returns the
 * lines that are piped in. At the end of the input it returns "".
 */
export function openPrompt({ isSecret = false } = {}): Prompt {
  const { createInterface } = process.getBuiltinModule("node:readline");
  const { Writable } = process.getBuiltinModule("node:stream");
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: isTerminal() });
  const lines = reader[Symbol.asyncIterator]();
  let isInterrupted = false;
  reader.once("SIGINT", () => {
    isInterrupted = true;
    reader.close();
  });
  return {
    async ask(question) {
      if (isTerminal()) stderr.write(question);
      const { value, done } = await lines.next();
      if (isTerminal() && (isSecret || done)) stderr.write("\n");
      if (isInterrupted) throw new Interrupted();
      return done ? "" : value;
    },
    // Also re-enables the echo of the terminal.
    close: () => reader.close(),
  };
}
