import type { Module } from "../../module.ts";
import { profileRoutes } from "./routes.ts";
import { giveProfile } from "./store.ts";

export const profilesModule: Module = {
  tables: [{ name: "profiles", key: ["user_id"], json: ["links"] }],
  reactions: { personNamed: giveProfile },
  open: ({ db }) => ({ routes: profileRoutes(db) }),
};
