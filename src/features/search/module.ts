import { kindsOf, type Module } from "../../module.ts";
import { indexMissing } from "./index-missing.ts";
import { indexWaiting } from "./index-records.ts";
import { searchRoutes } from "./routes.ts";

const second = 1000;
const hour = 3_600_000;

export const searchModule: Module = {
  tags: { Search: "Full-text search in titles, texts and names." },
  open({ db, modules, stopping }) {
    const kinds = kindsOf(modules);
    return {
      routes: searchRoutes(db, kinds),
      jobs: [
        { name: "search index", everyMs: 10 * second, run: () => indexWaiting(db, kinds, stopping) },
        { name: "search", everyMs: hour, run: () => indexMissing(db, kinds, stopping) },
      ],
    };
  },
};
