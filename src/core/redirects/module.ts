import type { Module } from "../../module.ts";
import { created, id, local, number, table, text } from "../../platform/database/table.ts";
import { removeRedirectsTo } from "./store.ts";

/** The list of old addresses; `features/redirects` says where they lead. */
export const oldAddressesModule: Module = {
  tables: [
    table(
      "redirects",
      {
        id: id(),
        address: text("a path of an earlier site"),
        kind: text("what it leads to"),
        record_id: number("the number of the record"),
        target: text("the tag or the path that it leads to"),
        created_at: created(),
        import_id: local("how records came here"),
      },
      { exported: { file: "redirects", about: "Addresses of an earlier site, and where they lead." } },
    ),
  ],
  eraseUser: removeRedirectsTo,
};
