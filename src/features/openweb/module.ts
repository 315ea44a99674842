import { kindsOf, type Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { mentionRoutes } from "./routes.ts";
import { startWorker } from "./worker.ts";

/** Other sites that link here, or to which posts link. */
export const openWebModule: Module = {
  tags: { "Open web": "Other sites that link to this one." },
  tables: [table("web_tasks", {}, { without: "passes by itself" })],
  open({ db, trash, log, modules, config: { baseURL, allowPrivateMentions }, isCopy }) {
    const stopping = new AbortController();
    const origin = URL.parse(baseURL)?.origin ?? "";
    const kinds = new Map(kindsOf(modules).map((kind) => [kind.name, kind]));
    const deps = { db, trash, origin, allowPrivate: allowPrivateMentions, signal: stopping.signal };
    const worker = isCopy ? null : startWorker(deps, kinds, log);
    return {
      routes: mentionRoutes(db, () => worker?.wake()),
      async close() {
        stopping.abort();
        await worker?.ended;
      },
    };
  },
};
