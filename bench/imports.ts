import { closeSync, cpSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { environmentOf } from "./servers/vitrine.ts";
import { bun, runCommand } from "./processes.ts";
import { type Plan, progress } from "./rounds.ts";
import { layOut, median } from "./table.ts";

const program = new URL("../src/main.ts", import.meta.url);
/** As many as an import stores in one transaction. */
const batch = 50;
/** About what pictures of a telephone have: 50,000 of them are 8 GB. */
const pictureBytes = 160_000;

type Sizes = { pictures: number; few: number; many: number };
const sizes: Sizes = { pictures: 6000, few: 5000, many: 50_000 };
const quickSizes: Sizes = { pictures: 500, few: 500, many: 5000 };

/** `vitrine import` of a folder compared with cp, sha256sum and sync in batches, and its memory with many files. */
export async function imports(directory: string, { rounds }: Plan): Promise<void> {
  const isQuick = rounds < 5;
  const { pictures, few, many } = isQuick ? quickSizes : sizes;
  await measureSpeed(directory, pictures, isQuick ? 3 : 5);
  await measureMemory(directory, few, many);
}

async function measureSpeed(directory: string, pictures: number, rounds: number): Promise<void> {
  progress(`writing ${print(pictures)} files of ${pictureBytes / 1000} KB`);
  const folder = join(directory, "pictures");
  writeFolder(folder, pictures, pictureBytes);
  const empty = await makeSite(join(directory, "empty"));
  const times: { cp: number; first: number; second: number }[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    progress(`importing them, round ${round} of ${rounds}`);
    const [copy, site] = [join(directory, "copy"), join(directory, "site")];
    cpSync(empty, site, { recursive: true });
    const turns = {
      cp: () => timeOf(() => copyInBatches(folder, copy)),
      first: () => timeOf(() => runImport(folder, site)),
    };
    const order = round % 2 === 0 ? (["cp", "first"] as const) : (["first", "cp"] as const);
    const taken = { cp: 0, first: 0, second: 0 };
    for (const name of order) taken[name] = await turns[name]();
    taken.second = await timeOf(() => runImport(folder, site));
    if (round > 0) times.push(taken);
    for (const path of [copy, site]) rmSync(path, { recursive: true });
  }
  rmSync(folder, { recursive: true });
  const row = (name: string, of: keyof (typeof times)[number]) => {
    const ratios = times.map((one) => one.cp / one[of]);
    const seconds = median(times.map((one) => one[of])) / 1000;
    const rate = (pictures * pictureBytes) / 1e6 / seconds;
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    return [name, seconds.toFixed(1), rate.toFixed(0), median(ratios).toFixed(2), spread];
  };
  console.log(`\n${print(pictures)} files of ${pictureBytes / 1000} KB, median of ${rounds} rounds:\n`);
  console.log(
    layOut([
      ["", "seconds", "MB/s", "speed to cp", "spread"],
      row("cp, sha256sum and sync, 50 files at a time", "cp"),
      row("vitrine import", "first"),
      row("vitrine import again, everything known", "second"),
    ]),
  );
}

/** The most memory of the whole run, with small files: what grows, grows with their number. */
async function measureMemory(directory: string, few: number, many: number): Promise<void> {
  const measured: { count: number; first: number; second: number; seconds: number }[] = [];
  for (const count of [few, many]) {
    progress(`importing ${print(count)} small files`);
    const [folder, site] = [join(directory, "small"), join(directory, "memory")];
    writeFolder(folder, count, 2000);
    await makeSite(site);
    let first = 0;
    const milliseconds = await timeOf(async () => void (first = await runImport(folder, site)));
    const second = await runImport(folder, site);
    measured.push({ count, first, second, seconds: milliseconds / 1000 });
    for (const path of [folder, site]) rmSync(path, { recursive: true });
  }
  const rows = measured.map(({ count, first, second, seconds }) => [
    print(count),
    `${first.toFixed(0)} MiB`,
    `${second.toFixed(0)} MiB`,
    print(Math.round(count / seconds)),
  ]);
  console.log("\nMemory at its highest, files of 2 KB:\n");
  console.log(layOut([["files", "import", "again", "files per second"], ...rows]));
}

const print = (count: number) => count.toLocaleString("en-US");

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function makeSite(dataDir: string): Promise<string> {
  const env = environmentOf(dataDir, "0");
  const child = Bun.spawn(bun(program, "user", "add", "ada", "--role", "admin", "--create"), {
    env: { PATH: process.env.PATH, ...env },
    stdin: new Blob(["a password for the bench\n"]),
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The site cannot be made.");
  return dataDir;
}

/** Returns the most memory that it had, in MiB. */
async function runImport(folder: string, dataDir: string): Promise<number> {
  const child = Bun.spawn(bun(program, "import", folder, "--to", "/here"), {
    env: { PATH: process.env.PATH, ...environmentOf(dataDir, "0") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The import failed.");
  return (child.resourceUsage()?.maxRSS ?? Number.NaN) / 2 ** 20;
}

/** What a careful person would do by hand: nothing is said to be copied before it is on the disk. */
async function copyInBatches(from: string, to: string): Promise<void> {
  const script = `
    cd "$1"
    find . -type d -print0 | (cd "$2" && xargs -0 mkdir -p)
    find . -type f -print0 | xargs -0 -n ${batch} sh -c '
      to=$0
      cp --parents -t "$to" -- "$@"
      sha256sum -- "$@" >> "$to.sums"
      cd "$to" && sync -- "$@"' "$2"`;
  mkdirSync(to);
  await runCommand(["sh", "-euc", script, "sh", from, to]);
  rmSync(`${to}.sums`);
}

/** In folders of 500, each file with bytes of its own, and all of it on the disk before anything is measured. */
function writeFolder(folder: string, count: number, size: number): void {
  const bytes = new Uint8Array(size);
  // Random in all of its parts, as a compressed picture is.
  for (let start = 0; start < size; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  const head = new DataView(bytes.buffer);
  for (let number = 0; number < count; number++) {
    const directory = join(folder, `${Math.floor(number / 500)}`);
    if (number % 500 === 0) mkdirSync(directory, { recursive: true });
    head.setUint32(0, number);
    const file = openSync(join(directory, `IMG_${number}.jpg`), "w");
    writeSync(file, bytes);
    closeSync(file);
  }
  for (const name of readdirSync(folder)) {
    const opened = openSync(join(folder, name), "r");
    fsyncSync(opened);
    closeSync(opened);
  }
}
