import type { Module } from "../../module.ts";
import { redirectRoutes } from "./routes.ts";

/** Where addresses of an earlier site lead. */
export const redirectsModule: Module = {
  tags: { Redirects: "Addresses of an earlier site, and where they lead. For admins." },
  open: ({ db }) => ({ routes: redirectRoutes(db) }),
};
