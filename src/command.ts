import type { Config } from "./config.ts";
import type { Schema } from "./platform/database/tables.ts";

/** A command of the command line. Its usage, its help and the errors about its words are made from this declaration. */
export type Command = {
  /** The words that choose it: `user add`. */
  name: string;
  /** What has to follow the name: `["NAME", "ROLE"]`. */
  arguments?: string[];
  /** One line, in small letters. */
  summary: string;
  details?: string;
  options?: Record<string, Option>;
  /** Returns the exit code: 0 done, 1 failed. */
  run(call: Call): Promise<number>;
};

export type Option = {
  /** What its value is called in the usage, such as DIR. An option without a value is a switch. */
  value?: string;
  summary: string;
  required?: true;
  /** The environment variable that it takes the place of. */
  variable?: string;
};

export type Call = {
  /** One for each name in `arguments`. */
  words: string[];
  /** The values of the options that were given; "" for a switch. */
  options: Record<string, string | undefined>;
  /** With the options that take the place of variables. */
  config: Config;
  /** What all modules expect of the database. */
  schema: Schema;
};

/** The command line cannot be understood; the message names the wrong word. */
export class UsageError extends Error {}

/** For every command that works with the data of a site. */
export const dataOption: Record<string, Option> = {
  data: { value: "DIR", variable: "DATA_DIR", summary: "the data directory, instead of DATA_DIR" },
};
