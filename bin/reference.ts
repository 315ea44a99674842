// Writes the pages of docs/reference that follow from the code: `npm run reference`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "../src/commands/command.ts";
import { printOption, printSynopsis } from "../src/commands/command-line.ts";
import { commands } from "../src/commands/commands.ts";
import { exportedColumns, listExported } from "../src/features/exports/exported.ts";
import { fieldOf } from "../src/features/exports/values.ts";
import { schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { platformTables } from "../src/platform/database/platform-tables.ts";
import { type VariableText, variableTexts } from "../src/variable-texts.ts";
import { secrets } from "../src/variables.ts";
import { commandExamples } from "./command-examples.ts";
import { format } from "./format.ts";
import { markdownTable } from "./markdown-table.ts";

const root = join(import.meta.dir, "..");
const notice = "<!-- Written from the code by `npm run reference`: do not edit. -->";

if (import.meta.main) {
  for (const [path, text] of Object.entries(await describeReference())) writeFileSync(join(root, path), text);
}

/** The formatted pages by their paths. */
export async function describeReference(): Promise<Record<string, string>> {
  const pages = {
    "docs/reference/configuration.md": describeConfiguration(),
    "docs/reference/command-line.md": describeCommandLine(),
    "docs/reference/export-fields.md": describeExport(),
  };
  const formatted = Object.entries(pages).map(async ([path, text]) => [path, await format(path, text)] as const);
  return Object.fromEntries(await Promise.all(formatted));
}

function describeConfiguration(): string {
  const groups = Object.entries(variableTexts).map(([title, variables]) =>
    [`## ${title}`, markdownTable(["variable", "default", ""], Object.entries(variables).map(describeVariable))].join(
      "\n\n",
    ),
  );
  return [
    "# Configuration",
    notice,
    "Set environment variables, or write them to a `.env` file in the directory where you start the server or a command. " +
      "[.env.example](../../.env.example) has the most common ones. Every variable is optional. If a value is invalid, the server refuses to start and says which one. " +
      "A variable that looks like a mistyped one is named in the log.",
    "What can be changed while the site is in use, such as its name and theme, is a [setting](../use/site.md) and not a variable.",
    ...groups,
    "## Secrets in files",
    `${list(secrets.map((name) => `\`${name}\``))} can also be read from a file: set \`JWT_SECRET_FILE\`, \`DATABASE_URL_FILE\` and so on to its path.`,
  ].join("\n\n");
}

function describeVariable([name, { value, otherwise, text }]: [string, VariableText]): string[] {
  return [`\`${name}\``, value === undefined ? (otherwise ?? "") : `\`${value}\``, text.replaceAll("](docs/", "](../")];
}

function describeCommandLine(): string {
  const rows = commands.map(({ name, summary }) => [`[\`${name}\`](#${name.replaceAll(" ", "-")})`, toCell(summary)]);
  return [
    "# The command line",
    notice,
    "`npx vitrine` runs these commands in a clone of the repository, and `vitrine` where the package or the executable is installed. " +
      "Without a command, it starts the server. `--help` lists the commands, and after a command its options.",
    "- Commands read the same [variables](configuration.md) as the server.\n" +
      "- Every command that uses the data of a site takes `--data DIR` instead of `DATA_DIR`, and refuses a directory that holds no site. `user add --create` creates the site, for an account before the first start.\n" +
      "- A command can run beside the server unless its description says to stop the server (Ctrl-C) first.\n" +
      "- The exit code is 0 on success, 1 if the command failed or found a problem, 2 if its arguments are invalid, 3 if it did its work with warnings: `doctor` found nothing worse, or `export` lacks files that the site has lost, and 130 after Ctrl-C at a prompt.",
    markdownTable(["command", ""], rows),
    ...commands.map(describeCommand),
  ].join("\n\n");
}

function describeExport(): string {
  const schema = schemaOf(modules);
  const tables = listExported(schema);
  const left = [...schema.tables, ...platformTables].flatMap(({ name, columns, exported, without }) => [
    ...(without ? [[`\`${name}\``, without]] : []),
    ...Object.entries(exported ? columns : {}).flatMap(([column, { left: why }]) =>
      why === undefined ? [] : [[`\`${name}.${column}\``, why]],
    ),
  ]);
  return [
    "# Fields of an export",
    notice,
    "[`vitrine export`](../use/export.md) writes every record to a file in `data/`, as one JSON object per line. Times are in UTC, as in the API. " +
      "This is version 1 of the format: fields may be added to it, but none changes its meaning. [Not exported](#not-exported) lists what an export does not have.",
    ...tables.map((table) => {
      const { file, about, further = {} } = table.exported;
      const fields = [
        ...exportedColumns(table).map((name) => [fieldOf(name), table.columns[name]?.about ?? ""] as const),
        ...Object.entries(further),
      ];
      const rows = fields.map(([field, meaning]) => [`\`${field}\``, toCell(meaning)]);
      return [`## \`data/${file}.jsonl\``, about, markdownTable(["field", "meaning"], rows)].join("\n\n");
    }),
    "## Not exported",
    "Tables and columns of the database, each with the reason.",
    markdownTable(
      ["table or column", "reason"],
      left.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    ),
  ].join("\n\n");
}

function describeCommand(command: Command): string {
  const { name, summary, details, options = {} } = command;
  // What holds for all commands is said once, above them.
  const own = Object.entries(options).filter(([key]) => key !== "data");
  const { run = [], guide } = commandExamples[name] ?? {};
  const sentence = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
  const link = guide && `More in [${guide}](../${guide}).`;
  return [
    `## ${name}`,
    fence("text", [printSynopsis(command)]),
    [sentence, details, link].filter(Boolean).join(" "),
    ...(own.length > 0 ? [markdownTable(["option", ""], own.map(describeOption))] : []),
    ...(run.length > 0 ? [fence("sh", run)] : []),
  ].join("\n\n");
}

function describeOption([key, option]: [string, Option]): string[] {
  return [`\`${toCell(printOption(key, option))}\``, toCell(option.summary)];
}

function toCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function fence(language: string, lines: string[]): string {
  return ["```" + language, ...lines, "```"].join("\n");
}

function list(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
