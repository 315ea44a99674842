import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { startWorker } from "./worker.ts";

const loadRoutes = late(() => import("./routes.ts"));

/** Other sites that link here, or to which posts link. */
export const openWebModule: Module = {
  tags: { "Open web": "Other sites that link to this one." },
  tables: [table("told_links", {}, { key: ["post_id", "target"], without: "passes by itself" })],
  async open({ db, trash, log, metrics, modules, config: { baseURL, allowPrivateMentions }, isCopy }) {
    const origin = URL.parse(baseURL)?.origin ?? "";
    const kinds = new Map(kindsOf(modules).map((kind) => [kind.name, kind]));
    const deps = { db, trash, origin, allowPrivate: allowPrivateMentions, kinds, log, metrics };
    const worker = isCopy ? null : await startWorker(deps);
    return {
      lateRoutes: {
        names: ["POST /webmention"],
        async load() {
          const { mentionRoutes } = await loadRoutes();
          return mentionRoutes(db, () => worker?.wake());
        },
      },
      close: async () => worker?.close(),
    };
  },
};
