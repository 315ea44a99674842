import type { Module } from "../module.ts";
import type { Notice } from "../notice.ts";
import { attentionRoutes } from "./routes.ts";

export const attentionModule: Module = {
  tags: { Attention: "What waits for somebody." },
  open({ db, config, holdings, disk, modules }) {
    const notices = Object.assign({}, ...modules.map(({ notices }) => notices)) as Record<string, Notice>;
    return { routes: attentionRoutes({ db, config, holdings, disk }, notices) };
  },
};
