import type { Config } from "../config.ts";
import type { Schema } from "../platform/database/tables.ts";

/** A command of the command line. Its usage, its help and its error messages are generated from this declaration. */
export type Command = {
  /** The words that select it: `user add`. */
  name: string;
  /** The required arguments: `["NAME", "ROLE"]`. */
  arguments?: string[];
  /** The name of further arguments, of which there may be any number: `"SOURCE"`. */
  more?: string;
  /** One line, in lower case. */
  summary: string;
  details?: string;
  options?: Record<string, Option>;
  /** Returns the exit code: 0 for success, 1 for failure, `doneWithWarnings`. */
  run(call: Call): Promise<number>;
};

export type Option = {
  /** The placeholder for its value in the usage, such as DIR. An option without a value is a flag. */
  value?: string;
  summary: string;
  required?: true;
  /** The environment variable that it overrides. */
  variable?: string;
};

export type Call = {
  /** One for each name in `arguments`, and those that `more` allows. */
  words: string[];
  /** The values of the given options; "" for a flag. */
  options: Record<string, string | undefined>;
  /** The configuration, with overrides from the options applied. */
  config: Config;
  /** What all modules expect of the database. */
  schema: Schema;
};

/** The command line is invalid; the message names the wrong word. */
export class UsageError extends Error {}

/** A site cannot be moved to other engines; the message is one sentence. */
export class MoveError extends Error {}

/** For every command that uses the data of a site. */
export const dataOption: Record<string, Option> = {
  data: { value: "DIR", variable: "DATA_DIR", summary: "the data directory, instead of DATA_DIR" },
};
