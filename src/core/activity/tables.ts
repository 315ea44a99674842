import { created, flag, id, local, number, person, table, text } from "../../platform/database/table.ts";

export const activityTable = table(
  "activity",
  {
    id: id(),
    created_at: created(),
    actor_id: person("who did it"),
    owner_id: number("its owner: a number in `people`"),
    kind: text("of the record"),
    record_id: number("the number of the record"),
    action: text("what was done"),
    name: text("of the record, at that time"),
    was_public: flag("whether guests could see the record"),
    is_page: flag("whether it was a page, if it was deleted"),
    transaction_id: local("means nothing in another database"),
  },
  { exported: { file: "activity", about: "Who changed what." } },
);
