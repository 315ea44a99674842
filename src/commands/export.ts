import type { Module } from "../module.ts";
import { type Command, dataOption, type Option, UsageError } from "./command.ts";

/** Loaded when they are used: a server starts sooner without them. */
const load = () => import("./export-work.ts");
const loadSite = () => import("./export-site.ts");

/** Of an export of everything. */
const ofData: Record<string, Option> = {
  since: { value: "EARLIER", summary: "an earlier export: files that are the same become links to it" },
  owner: { value: "NAME", summary: "only what belongs to this person" },
};
/** Of a static copy. */
const ofSite: Record<string, Option> = {
  url: { value: "URL", summary: "with --site, the public address of the copy, also with a path (default: BASE_URL)" },
};

export const exportCommand = (modules: readonly Module[]): Command => ({
  name: "export",
  arguments: ["TO"],
  summary: "write everything to a folder or a zip archive that is readable without Vitrine, even while it is in use",
  details:
    'TO is a folder that is new or has an earlier export, a file that ends in .zip, or - for a zip archive on standard output. In an earlier export only what has changed is written, and what is gone is removed. "vitrine import" makes the same site of an export. With --site, TO is a folder, or s3://BUCKET/PREFIX?endpoint=URL with the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  options: {
    ...ofData,
    site: { summary: "write a static copy of the public site instead, as files for any web server" },
    ...ofSite,
    ...dataOption,
  },
  async run(call) {
    const isSite = call.options["site"] !== undefined;
    const wrong = Object.keys(isSite ? ofData : ofSite).find((name) => call.options[name] !== undefined);
    if (wrong !== undefined)
      throw new UsageError(`--${wrong} is only for exports ${isSite ? "without" : "with"} --site.`);
    return isSite ? (await loadSite()).exportSite(call, modules) : (await load()).runExport(call);
  },
});
