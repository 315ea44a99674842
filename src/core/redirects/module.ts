import type { Module } from "../../module.ts";
import { removeRedirectsTo } from "./store.ts";

/** The list of old addresses; `features/redirects` says where they lead. */
export const oldAddressesModule: Module = {
  tables: [{ name: "redirects", key: ["id"] }],
  eraseUser: removeRedirectsTo,
};
