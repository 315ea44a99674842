import type { Restorable } from "../../core/records/restorable.ts";

/** Comments come back along with their post. */
export const restorableComments: Restorable = {
  name: "content",
  words: {},
  references: { post_id: { kind: "post", isNeeded: true, comesAlong: true }, parent_id: { kind: "comment" } },
  isPersonal: true,
};
