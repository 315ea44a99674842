import type { Module } from "../../module.ts";
import { imageTables } from "./tables.ts";
import { preparePublicNames } from "./public-names.ts";

/** What was read of the images in files. */
export const imagesModule: Module = {
  tables: imageTables,
  async open({ db }) {
    await preparePublicNames(db);
    return {};
  },
};
