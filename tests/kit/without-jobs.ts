import type { Module } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Job } from "../../src/platform/jobs/jobs.ts";

/** The modules of a server that does nothing by itself. What they would run regularly is added to `jobs`. */
export const withoutJobs = (jobs: Job[] = []): Module[] =>
  modules.map((module) => ({
    ...module,
    async open(site) {
      const { jobs: own = [], ...opened } = (await module.open?.(site)) ?? {};
      jobs.push(...own);
      return opened;
    },
  }));
