import type { Module } from "../../module.ts";
import { profileTable } from "./tables.ts";
import { profileRoutes } from "./routes.ts";
import { giveProfile } from "./store.ts";

export const profilesModule: Module = {
  tables: [profileTable],
  reactions: { personNamed: giveProfile },
  open: ({ db }) => ({ routes: profileRoutes(db) }),
};
