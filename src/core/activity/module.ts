import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { activityTable } from "./tables.ts";
import { forgetForeignTransactions } from "./feed.ts";
import { forgetNames, removeOldActivity } from "./store.ts";
import { createStreams } from "./streams.ts";

const loadRoutes = late(() => import("./routes.ts"));

const hour = 3_600_000;

export const activityModule: Module = {
  tags: { Activity: "Who changed what: a list of past changes, and changes as they happen." },
  tables: [activityTable],
  eraseUser: forgetNames,
  async open({ db, log, modules, config: { activityDays }, isDraining }) {
    await forgetForeignTransactions(db);
    const kinds = new Map(kindsOf(modules).map((kind) => [kind.name, kind]));
    const streams = createStreams(db, kinds, log, isDraining);
    return {
      lateRoutes: {
        headers: ["Last-Event-ID"],
        names: ["GET /api/v1/activity", "GET /api/v1/events"],
        async load() {
          const { activityRoutes } = await loadRoutes();
          return activityRoutes(db, kinds, streams);
        },
      },
      jobs: [{ name: "activity", everyMs: hour, deletesByAge: true, run: () => removeOldActivity(db, activityDays) }],
      close: async () => streams.close(),
    };
  },
};
