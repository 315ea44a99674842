import { late } from "../../platform/once.ts";
import { summarize } from "../../core/holdings/summary.ts";
import type { Module } from "../../module.ts";
import type { Notice } from "../../core/records/notice.ts";

const loadRoutes = late(() => import("./routes.ts"));

export const attentionModule: Module = {
  tags: { Attention: "What waits for somebody." },
  open({ db, config, holdings, disk, modules }) {
    const notices = Object.assign({}, ...modules.map(({ notices }) => notices)) as Record<string, Notice>;
    const countBytes = async () => summarize((await holdings.read()).site).bytes;
    return {
      lateRoutes: {
        names: ["GET /api/v1/attention"],
        async load() {
          const { attentionRoutes } = await loadRoutes();
          return attentionRoutes({ db, disk, quotaBytes: config.quotaBytes, countBytes }, notices);
        },
      },
    };
  },
};
