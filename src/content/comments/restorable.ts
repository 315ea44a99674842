import type { Restorable } from "../../core/records/restorable.ts";

/** Comments come back along with what they are on. */
export const restorableComments: Restorable = {
  name: "content",
  words: {},
  references: {
    post_id: { kind: "post", isNeeded: true, comesAlong: true },
    photo_id: { kind: "photo", isNeeded: true, comesAlong: true },
    album_id: { kind: "album", isNeeded: true, comesAlong: true },
    parent_id: { kind: "comment" },
  },
  isPersonal: true,
};
