import type { Module } from "../module.ts";
import { type Command, dataOption } from "./command.ts";

export const rescueCommand = (modules: readonly Module[]): Command => ({
  name: "rescue",
  arguments: ["TO"],
  summary: "read what can be read of a site whose database is damaged into a new site in TO",
  details:
    "TO is an empty directory. The damaged site is only read: stop its server first. What is missing is listed, and the command then exits with 1.",
  options: {
    "to-database-dir": { value: "DIR", summary: "an empty directory for the new database, instead of TO" },
    ...dataOption,
  },
  // Loaded when it is used: a server starts sooner without it.
  run: async (call) => (await import("./rescue-work.ts")).rescue(call, modules),
});
