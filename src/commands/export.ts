import type { Module } from "../module.ts";
import { type Command, dataOption, UsageError } from "./command.ts";

/** Loaded when it is used: a server starts sooner without it. */
const loadSite = () => import("./export-site.ts");

export const exportCommand = (modules: readonly Module[]): Command => ({
  name: "export",
  arguments: ["TO"],
  summary: "write a static copy of the public site, even while the site is in use",
  details:
    "With --site, TO is a folder, or s3://BUCKET/PREFIX?endpoint=URL with the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Run it again to update the copy: only what has changed is written, and what is no longer public is removed.",
  options: {
    site: { summary: "write a copy of the public site, as files for any web server" },
    url: { value: "URL", summary: "the public address of the copy (default: BASE_URL)" },
    ...dataOption,
  },
  async run(call) {
    if (call.options["site"] === undefined) throw new UsageError("export needs --site.");
    return (await loadSite()).exportSite(call, modules);
  },
});
