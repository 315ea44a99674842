import { findersOf, type Module } from "../../module.ts";
import { useRoutes } from "./routes.ts";

/** Which records use others. */
export const usesModule: Module = {
  open: ({ db, modules }) => ({
    routes: useRoutes(db, findersOf(modules)),
  }),
};
