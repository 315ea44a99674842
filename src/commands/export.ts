import { type Command, dataOption } from "./command.ts";

/** Loaded when it is used: a server starts sooner without it. */
const load = () => import("./export-work.ts");

export const exportCommand: Command = {
  name: "export",
  arguments: ["TO"],
  summary: "write everything to a folder or a zip archive that is readable without Vitrine, even while it is in use",
  details:
    'TO is a folder that is new or has an earlier export, a file that ends in .zip, or - for a zip archive on standard output. In an earlier export only what has changed is written, and what is gone is removed. "vitrine import" makes the same site of an export.',
  options: {
    since: { value: "EARLIER", summary: "an earlier export: files that are the same become links to it" },
    owner: { value: "NAME", summary: "only what belongs to this person" },
    ...dataOption,
  },
  run: async (call) => (await load()).runExport(call),
};
