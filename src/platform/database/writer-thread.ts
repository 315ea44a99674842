// The thread that writes to the database, on a disk on which commits take long (`writer.ts`).
import type { Statement } from "bun:sqlite";
import { connect, waitOutside } from "./connection.ts";
import type { Answer, Sent } from "./writer.ts";

const main: Pick<Worker, "addEventListener" | "postMessage"> = globalThis as never;
const connection = connect(process.argv.at(-1) ?? "");
waitOutside(connection);
const statements = new Map<string, Statement>();
/** Of the transaction: none of its further statements runs. Some may have been sent before the failure was known. */
let failure: unknown = null;

main.addEventListener("message", ({ data: sent }: MessageEvent<Sent[]>) => {
  if (sent.length === 0) return close();
  answer(() => {
    let result: unknown;
    for (const one of sent) result = run(one);
    return result;
  });
});
answer(() => null);

function run({ method, text, values }: Sent): unknown {
  if (/^(BEGIN|ROLLBACK)/.test(text)) failure = null;
  if (failure) throw failure;
  try {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = connection.prepare(text)));
    return statement[method](...values);
  } catch (error) {
    failure = error;
    throw error;
  }
}

function answer(work: () => unknown): void {
  let answered: Omit<Answer, "inTransaction">;
  try {
    answered = { result: work() };
  } catch (error) {
    const { name, message, code, errno } = error as Error & { code?: string; errno?: number };
    answered = { error: { name, message, code, errno } };
  }
  post({ ...answered, inTransaction: connection.inTransaction });
}

function close(): void {
  for (const statement of statements.values()) statement.finalize();
  connection.close();
  post({ inTransaction: false });
}

function post(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  main.postMessage(message);
}
