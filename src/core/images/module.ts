import type { Module } from "../../module.ts";
import { preparePublicNames } from "./public-names.ts";
import { unreadablePictures } from "./unreadable-notice.ts";

const hour = 3_600_000;

/** What was read of the images in files. */
export const imagesModule: Module = {
  tables: [
    { name: "images", key: ["sha256"], otherHashes: ["sha256", "clean_sha256"] },
    { name: "public_name_keys", key: ["purpose"] },
  ],
  notices: { unreadablePictures },
  async open({ db, images }) {
    await preparePublicNames(db);
    return { jobs: [{ name: "images", everyMs: hour, run: images.readMissing }] };
  },
};
