import { targetKinds } from "../../content/comments/target.ts";
import type { Module } from "../../module.ts";
import { heartTables } from "./tables.ts";
import { heartRoutes } from "./routes.ts";
import { purgeHearts, takeBackHearts } from "./store.ts";

export const heartsModule: Module = {
  tags: { Hearts: "Hearts on posts, photos and albums, where the site has them." },
  tables: heartTables,
  reactions: { purged: purgeHearts },
  eraseUser: takeBackHearts,
  open: ({ db }) => ({ routes: targetKinds.flatMap((kind) => heartRoutes(db, kind)) }),
};
