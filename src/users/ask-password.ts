import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** From the terminal, without showing it; or the first line of what is piped in. */
export async function askPassword(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) process.stderr.write("Password (at least 8 characters): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  try {
    return await new Promise<string>((resolve) => {
      reader.once("line", resolve);
      reader.once("close", () => resolve(""));
    });
  } finally {
    reader.close();
    if (stdin.isTTY) process.stderr.write("\n");
  }
}
