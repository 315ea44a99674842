import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls `use` with a path for a temporary file, which is removed even if the process that writes it is killed. */
export async function withCopyPath<Result>(use: (copy: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-cleaned-"));
  try {
    return await use(join(directory, "copy"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
