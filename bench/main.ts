import { copies } from "./copies/copies.ts";
import { measureGoals, printGoals, printRows } from "./goals.ts";
import { fillSizes } from "./growth.ts";
import { measureHeaviest, printStatements } from "./heaviest.ts";
import { imports } from "./imports.ts";
import { library } from "./library.ts";
import { describeMachine } from "./machine.ts";
import { markdown } from "./markdown.ts";
import { formats } from "./formats.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { pictures } from "./pictures.ts";
import { postgres } from "./postgres.ts";
import { stopAll } from "./processes.ts";
import { measureRequests } from "./requests.ts";
import { writeResults } from "./results.ts";
import { connections, type Plan } from "./rounds.ts";
import { scale } from "./scale.ts";
import { search } from "./search.ts";
import { starts } from "./start.ts";
import { twoProcesses } from "./two-processes.ts";
import { printServers } from "./version-table.ts";
import { findCommit } from "./servers/version.ts";
import { makeWorkDirectory } from "./work-directory.ts";
import { writes } from "./writes.ts";

// Many short turns: on a machine with other work, the median of many ratios is more reliable than one long measurement.
const slow = { rounds: 9, milliseconds: 700 };
const quick = { rounds: 3, milliseconds: 250 };
/** So that all goals are measured in about ten minutes on two cores, and in about thirteen with another version. */
const all = { rounds: 5, milliseconds: 500 };

/** Returns the exit code: 0 for success, 1 for failure, 2 for invalid options. */
async function run(words: string[]): Promise<number> {
  const options = understand(words);
  if (!options) return 2;
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const plan = options.quick ? quick : slow;
  // Before anything is written or measured.
  for (const ref of options.against) await findCommit(ref);
  const directory = makeWorkDirectory();
  if (options.scale) await scale(directory, plan);
  else if (options.requests) await requests(directory, options);
  else if (options.writes) await writes(directory, plan);
  else if (options.pictures) await pictures(directory, plan);
  else if (options.formats) await formats(options.folder);
  else if (options.markdown) await markdown();
  else if (options.search) await search(directory, plan);
  else if (options.library) await library(directory, plan, options.photos);
  else if (options.import) await imports(directory, plan);
  else if (options.start) console.log(`\n${printRows(await starts(directory, plan, options.against))}\n`);
  else if (options["two-processes"]) await twoProcesses(directory, plan);
  else if (options.copies) await copies(directory, plan);
  else if (options.engine === "postgres") await postgres(directory, plan);
  else if (options.statements) await statements(directory, plan, options.quick ? 100_000 : 1_000_000);
  else await goals(directory, options);
  console.log(`${describeMachine()}; ${connections} connections from the same machine.`);
  return 0;
}

async function goals(directory: string, options: Options): Promise<void> {
  const results = await measureGoals(directory, options.quick ? quick : all, options);
  console.log(`\n${printGoals(results)}`);
  if (options.quick) return;
  writeResults(results);
  console.log(`Written to bench/results.json after ${results.minutes} minutes; \`npm run charts\` draws it.`);
}

async function requests(directory: string, options: Options): Promise<void> {
  const { rows, ...measured } = await measureRequests(directory, options.quick ? quick : all, options);
  console.log(`\n${printServers(measured)}\n\n${printRows(rows)}\n`);
}

async function statements(directory: string, plan: Plan, records: number): Promise<void> {
  const [dataDir = ""] = await fillSizes(directory, [records]);
  console.log(`\n${printStatements(await measureHeaviest(dataDir, records, plan))}\n`);
}

function understand(words: string[]): Options | null {
  try {
    return readOptions(words);
  } catch (error) {
    console.error(`bench: ${(error as Error).message}\n\n${usage}`);
    return null;
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
await stopAll();
process.exit();
