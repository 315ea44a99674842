import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { indexMissing } from "./index-missing.ts";
import { indexWaiting } from "./index-records.ts";

const loadRoutes = late(() => import("./routes.ts"));

const second = 1000;
const hour = 3_600_000;

export const searchModule: Module = {
  tags: { Search: "Full-text search in titles, texts and names." },
  open({ db, modules, stopping }) {
    const kinds = kindsOf(modules);
    return {
      lateRoutes: {
        names: ["GET /api/v1/search"],
        async load() {
          const { searchRoutes } = await loadRoutes();
          return searchRoutes(db, kinds);
        },
      },
      jobs: [
        { name: "search index", everyMs: 10 * second, run: () => indexWaiting(db, kinds, stopping) },
        { name: "search", everyMs: hour, run: () => indexMissing(db, kinds, stopping) },
      ],
    };
  },
};
