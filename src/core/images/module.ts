import type { Module } from "../../module.ts";
import { preparePublicNames } from "./public-names.ts";

/** What was read of the images in files. */
export const imagesModule: Module = {
  tables: [
    { name: "images", key: ["sha256"], otherHashes: ["sha256", "clean_sha256"], json: ["camera", "place"] },
    {
      name: "public_name_keys",
      key: ["purpose"],
      contradictions: [
        {
          where: "length(child.secret) <> 64 OR ltrim(child.secret, '0123456789abcdef') <> ''",
          what: "with a damaged secret",
          repair: "delete the row: the next start writes another one, and the addresses of pictures change",
        },
      ],
    },
  ],
  async open({ db }) {
    await preparePublicNames(db);
    return {};
  },
};
