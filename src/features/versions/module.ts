import type { Module } from "../../module.ts";
import { versionRoutes } from "./routes.ts";

export const versionsModule: Module = {
  tags: { Versions: "Earlier contents of a file." },
  open: ({ db, blobs, intake }) => ({ routes: versionRoutes(db, blobs, intake) }),
};
