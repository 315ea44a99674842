import type { Module } from "../../module.ts";
import { profileRoutes } from "./routes.ts";

export const profilesModule: Module = {
  tables: [{ name: "profiles", key: ["user_id"], json: ["links"] }],
  open: ({ db }) => ({ routes: profileRoutes(db) }),
};
