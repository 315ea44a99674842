import { type Call, type Command, type Option, UsageError } from "./command.ts";

type Parsed = { command: Command } & Pick<Call, "words" | "options">;

export function findCommand(commands: Command[], [first = "", second = ""]: string[]): Command | undefined {
  return commands.find(({ name }) => name === `${first} ${second}` || name === first);
}

/** The commands whose names start with this word and have a second one. */
export function listGroup(commands: Command[], first: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}

/** Throws a UsageError that names the first wrong word. */
export function parseCommand(command: Command, words: string[]): Parsed {
  const { name, arguments: expected = [], options: known = {} } = command;
  const parsed: Parsed = { command, words: [], options: {} };
  for (const token of tokensOf(known, words.slice(name.split(" ").length))) {
    if (token.kind === "positional") parsed.words.push(token.value);
    if (token.kind === "option") parsed.options[token.name] = readOption(command, token);
  }
  const missing = expected[parsed.words.length] ?? findMissingOption(known, parsed.options);
  if (missing) throw new UsageError(`${name} needs ${missing}.`);
  const extra = parsed.words[expected.length];
  if (extra !== undefined && command.more === undefined)
    throw new UsageError(`Unexpected argument ${extra} after ${name}.`);
  return parsed;
}

/** A start without options does not load the parser. */
function tokensOf(known: Record<string, Option>, args: string[]) {
  if (args.length === 0) return [];
  const { parseArgs } = process.getBuiltinModule("node:util");
  const types = Object.entries(known).map(([key, { value }]) => [key, { type: value ? "string" : "boolean" }] as const);
  const options = Object.fromEntries(types);
  return parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true }).tokens;
}

type OptionToken = { name: string; rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function readOption({ name, options = {} }: Command, token: OptionToken): string {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (!option) throw new UsageError(`Unknown option ${token.rawName} for ${name}.`);
  if (!option.value) {
    if (token.inlineValue) throw new UsageError(`${token.rawName} takes no value.`);
    return "";
  }
  const isNextOption = !token.inlineValue && token.value?.startsWith("--");
  if (!token.value || isNextOption) throw new UsageError(`${token.rawName} needs a value: ${option.value}.`);
  return token.value;
}

function findMissingOption(known: Record<string, Option>, given: Parsed["options"]): string | undefined {
  const missing = Object.entries(known).find(([key, option]) => option.required && given[key] === undefined);
  return missing && printOption(...missing);
}

/** The environment variables that options override. */
export function variablesOf({ command, options }: Parsed): Record<string, string | undefined> {
  const set = Object.entries(command.options ?? {}).flatMap(([key, { variable }]) =>
    variable && options[key] !== undefined ? [[variable, options[key]]] : [],
  );
  return Object.fromEntries(set);
}

export function printUsage(commands: Command[]): string {
  const rows = commands.map((command): Row => [printName(command), command.summary]);
  return [
    "Usage: vitrine [COMMAND]",
    "",
    ...printRows([...rows, ["--help, --version", "with a command, --help explains its options"]]),
    "",
    "Settings are environment variables, or a .env file: PORT, DATA_DIR and more (docs/reference/configuration.md).",
  ].join("\n");
}

export function printHelp(command: Command): string {
  const { summary, details, options = {} } = command;
  const rows = Object.entries(options).map(([key, option]): Row => [printOption(key, option), option.summary]);
  const text = `${summary[0]?.toUpperCase()}${summary.slice(1)}.${details ? ` ${details}` : ""}`;
  return [printSynopsis(command), "", text, ...(rows.length > 0 ? ["", ...printRows(rows)] : [])].join("\n");
}

export function printSynopsis(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([key, option]) =>
    option.required ? printOption(key, option) : `[${printOption(key, option)}]`,
  );
  return ["Usage: vitrine", printName(command), ...options].join(" ");
}

type Row = [left: string, right: string];

const printName = ({ name, arguments: required = [], more }: Command) =>
  [name, ...required, ...(more ? [`${more}…`] : [])].join(" ");
export const printOption = (key: string, { value }: Option) => `--${key}${value ? ` ${value}` : ""}`;

function printRows(rows: Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
