import { dirname } from "node:path";
import { root } from "../kit/root.ts";
import type { TestFile } from "./files.ts";
import { readImports, reachedFrom } from "./imports.ts";

/**
 * The tests that the files changed since `ref` can reach by imports. Nearly every file is reached through the files that put the
 * program together, so these are left out: in their stead come the tests beside what was reached, and a few that see the whole.
 */
export function chooseChanged(files: readonly TestFile[], ref: string | undefined): TestFile[] {
  // The client is generated from what the contract says.
  const isContract = (path: string) => path === "docs/reference/api.txt";
  const changed = listChanged(ref).map((path) => (isContract(path) ? "client/src/index.ts" : path));
  if (changed.some((path) => concernsAll.test(path))) return files.filter(({ isLong }) => !isLong);
  const reached = reachedFrom(readImports(), changed, (path) => door.test(path));
  const folders = new Set([...reached].filter((path) => path.startsWith("src/") && !door.test(path)).map(dirname));
  const isStart = [...reached].some((path) => door.test(path) && changed.includes(path));
  const isChosen = ({ path }: TestFile) =>
    reached.has(path) ||
    folders.has(dirname(path)) ||
    (folders.size + Number(isStart) > 0 && seesTheWhole.test(path)) ||
    (isStart && path.startsWith("tests/program/")) ||
    (changed.some((name) => name.endsWith(".md")) && readsDocuments.test(path));
  // A long test is run only if it was changed itself.
  return files.filter((file) => isChosen(file) && (!file.isLong || changed.includes(file.path)));
}

const concernsAll = /^(package(-lock)?\.json|tsconfig\.json|bin\/|tests\/run\/)/;
const door =
  /^src\/(main|server|modules|module|engines)\.ts$|^src\/commands\/|^tests\/kit\/(server|people|client|use-server|process|spawn)\.ts$/;
const seesTheWhole =
  /^tests\/(guards\/(architecture|floors|exports)|api\/(permissions|visibility)|mutations\/mutations)\.test\.ts$/;
const readsDocuments = /^tests\/guards\/(documents|readme|security-document|performance)\.test\.ts$/;

/** What differs from `ref`: by default from the last commit, or what the last commit changed if nothing differs. */
function listChanged(ref: string | undefined): string[] {
  const unknown = git("ls-files", "--others", "--exclude-standard");
  const changed = [...git("diff", "--name-only", ref ?? "HEAD"), ...unknown];
  return changed.length > 0 || ref ? changed : git("diff", "--name-only", "HEAD~1");
}

function git(...words: string[]): string[] {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["git", ...words], { cwd: root });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString().split("\n").filter(Boolean);
}
