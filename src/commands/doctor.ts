import type { Config } from "../config.ts";
import { openEngines, openForReading, peekDatabase, refuseMissingSite } from "../engines.ts";
import { type Module, schemaOf } from "../module.ts";
import { planMigrations } from "../platform/database/migrate.ts";
import type { checkNewestBackup } from "./doctor-backup.ts";
import { doneWithWarnings } from "../platform/own-command.ts";
import { type Command, dataOption } from "./command.ts";
import { attempt, checkSettings, findDatabaseDamage, findWrongCounts, findWrongRows } from "./doctor-database.ts";
import { checkDirectory, checkFormat } from "./doctor-directory.ts";
import { findMissingBytes } from "./doctor-files.ts";
import { count, error, type Finding, printFindings } from "./doctor-finding.ts";
import { fix } from "./doctor-fix.ts";
import { checkClockAndBackups, checkConfiguration, describeSite } from "./doctor-site.ts";
import { describeLostChanges } from "./lost-changes.ts";

const options: Command["options"] = {
  hash: { summary: "also compare the bytes of all stored files" },
  fix: { summary: "derive counts, lists and the search index again where they are wrong" },
  json: { summary: "print the findings as JSON" },
  url: { value: "URL", summary: "also look at the site and its certificate at this address, from outside" },
  ...dataOption,
};

type Wishes = { withHashes: boolean; withFix: boolean; asJSON: boolean; url: string | null };

const wishesOf = (given: Record<string, string | undefined>): Wishes => ({
  withHashes: given.hash !== undefined,
  withFix: given.fix !== undefined,
  asJSON: given.json !== undefined,
  url: given.url ?? null,
});

export const doctorCommand = (modules: readonly Module[]): Command => ({
  name: "doctor",
  summary: "look for damage and mistakes: in the database, in stored files, and in how the site is run",
  details:
    "The server may be running, except with --fix on SQLite. It exits with 0 if all is well, 1 if there are errors, and 3 if there are only warnings.",
  options,
  run: async ({ config, options: given }) => {
    const findings = await examine(config, modules, wishesOf(given));
    if (findings.some(({ severity }) => severity === "error")) return 1;
    return findings.length > 0 ? doneWithWarnings : 0;
  },
});

/** `lines` say what was compared; nothing is called intact before. */
type Examined = {
  findings: Finding[];
  lines: string[];
  fixed: string[];
  site: Awaited<ReturnType<typeof describeSite>> | null;
};

/** Prints what it finds, and returns it. */
async function examine(config: Config, modules: readonly Module[], wishes: Wishes): Promise<Finding[]> {
  await refuseMissingSite(config);
  const fixed = wishes.withFix ? await repair(config, modules) : [];
  const mail = config.mail ? await (await import("./doctor-mail.ts")).checkMail(config) : [];
  const around = [...checkConfiguration(config), ...(await checkDirectory(config)), ...mail];
  const seen =
    wishes.url === null ? [] : await (await import("./doctor-outside.ts")).lookFromOutside(config, wishes.url);
  const { findings, ...more } = await examineData(config, modules, wishes);
  const examined = { ...more, fixed, findings: [...findings, ...around, ...seen] };
  for (const line of wishes.asJSON ? [JSON.stringify(toJSON(examined), null, 2)] : print(examined)) console.log(line);
  return examined.findings;
}

/** Derives again what is wrong, while no server uses the data. */
async function repair(config: Config, modules: readonly Module[]): Promise<string[]> {
  if ((await findDatabaseDamage(config)).length > 0 || (await isOutdated(config, modules))) return [];
  const wrong = await findWrongRows(config, modules);
  const { db, close } = await openEngines(config, schemaOf(modules));
  try {
    return await fix(db, modules, [...wrong, ...(await findWrongCounts(db, modules))]);
  } finally {
    await close();
  }
}

async function examineData(
  config: Config,
  modules: readonly Module[],
  { withHashes }: Wishes,
): Promise<Omit<Examined, "fixed">> {
  const damage = await findDatabaseDamage(config);
  if (damage.length > 0) {
    const restore = 'restore it from a backup, or run "vitrine rescue"';
    const findings = damage.map((line) => error("database", line, restore));
    return { findings, lines: ["The database is damaged. Nothing else in it was checked."], site: null };
  }
  if (await isOutdated(config, modules)) {
    const finding = error(
      "versions",
      "an older version has written the database",
      'start the server, or run "vitrine migrate", and look again',
    );
    return { findings: [finding], lines: ["The records were not checked."], site: null };
  }
  // Opening the database would remove what is left of a damaged log.
  const lost = await describeLostChanges(config);
  const repairLost = "restore a backup if it has these changes, or start the server without them";
  const obstacles = [...(lost ? [error("database", lost, repairLost)] : []), ...checkFormat(config)];
  const rows = await findWrongRows(config, modules);
  if (obstacles.length > 0)
    return { findings: [...obstacles, ...rows], lines: ["Counts and files were not checked."], site: null };
  const site = await openForReading(config, schemaOf(modules));
  try {
    const wrong = [...rows, ...(await findWrongCounts(site.db, modules))];
    const bytes = await findMissingBytes(site, schemaOf(modules), withHashes);
    return {
      findings: [
        ...wrong,
        ...bytes.findings,
        ...(await attempt("PostgreSQL", () => checkSettings(site.db))),
        ...(await attempt("clock and backups", () => checkClockAndBackups(site.db))),
        ...(await attempt("backup", () => checkBackup(config, site.db))),
      ],
      lines: [describeRows(wrong.length), describeBytes(bytes.checked, bytes.findings.length, withHashes)],
      site: await describeSite(site.db, config),
    };
  } finally {
    await site.close();
  }
}

/** Loaded when it is used, as `vitrine backup` is. */
const checkBackup = async (...given: Parameters<typeof checkNewestBackup>) =>
  (await import("./doctor-backup.ts")).checkNewestBackup(...given);

const isOutdated = (config: Config, modules: readonly Module[]): Promise<boolean> => {
  const { engine } = config.database;
  const { migrations } = schemaOf(modules);
  return peekDatabase(config, async (db) => (await planMigrations(db, engine, migrations)).length > 0);
};

const describeRows = (problems: number) =>
  problems === 0 ? "The database is consistent." : `The database has ${count(problems, "problem")}.`;

function describeBytes(checked: number, faults: number, withHashes: boolean): string {
  const good = withHashes ? "present and intact" : "present and have the right size; --hash also compares their bytes";
  return faults === 0 ? `All ${checked} files are ${good}.` : `${faults} of ${checked} files are missing or damaged.`;
}

function print({ findings, lines, fixed }: Examined): string[] {
  if (findings.length === 0) return [...fixed, ...lines];
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const total = `${count(errors, "error")}, ${count(findings.length - errors, "warning")}.`;
  return [...fixed, ...lines, "", ...printFindings(findings), "", total];
}

const toJSON = ({ findings, lines, fixed, site }: Examined) => ({
  findings: findings.map(({ severity, where, what, repair: how, fix: by }) => ({
    severity,
    where,
    what,
    repair: how,
    canFix: by !== undefined,
  })),
  compared: lines,
  fixed,
  site,
});
