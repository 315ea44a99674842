import { z } from "zod";
import type { Ledger, Stored } from "./ledger.ts";
import { CopyError, makeFile, type Output } from "./output.ts";

/** What the copy has, with a hash of each file: a line for each. The next run compares with it. */
export const manifestName = ".vitrine-copy";
/** Exists while a run writes: the files that are new. A run that finds it trusts no hash, and also removes these. */
const journalName = ".vitrine-copy-unfinished";

const stored = z.object({
  file: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$)).+$/),
  sha256: z.string(),
  size: z.number(),
  etag: z.string(),
});

/** Reads what an earlier run has left. */
export async function readEarlier(output: Output, ledger: Ledger): Promise<void> {
  const journal = await output.open(journalName);
  for await (const line of linesOf(await output.open(manifestName))) {
    const known = readLine(output, line);
    ledger.addEarlier(journal === null ? known : { ...known, sha256: "", etag: "" });
  }
  for await (const line of linesOf(journal)) ledger.addEarlier({ ...readLine(output, line), sha256: "", etag: "" });
}

/** Whether the last run came to its end, and all of its files are there. */
export async function isComplete(output: Output): Promise<boolean> {
  if ((await output.open(journalName)) !== null) return false;
  const list = await output.open(manifestName);
  if (!list) return false;
  for await (const line of linesOf(list)) {
    const { file, size } = readLine(output, line);
    if (!output.has(file, size)) return false;
  }
  return true;
}

function readLine(output: Output, line: string) {
  const { success, data } = stored.safeParse(parse(line));
  if (!success)
    throw new CopyError(
      `The list of files in ${output.name}/${manifestName} is damaged: remove the copy, and export it again.`,
    );
  return data;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array> | null): AsyncGenerator<string> {
  if (!bytes) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

export async function beginWriting(output: Output, ledger: Ledger): Promise<void> {
  await output.put(journalName, await makeFile(output.workDirectory, linesFor(ledger.added())));
}

export async function endWriting(output: Output, ledger: Ledger): Promise<void> {
  await output.put(manifestName, await makeFile(output.workDirectory, linesFor(ledger.written())));
  await output.remove(journalName);
}

async function* linesFor(files: Iterable<Pick<Stored, "file"> & Partial<Stored>>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const { file, sha256 = "", size = 0, etag = "" } of files)
    yield encoder.encode(`${JSON.stringify({ file, sha256, size, etag })}\n`);
}
