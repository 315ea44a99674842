import { json, person, ref, table, text, updated } from "../../platform/database/table.ts";

export const profileTable = table(
  "profiles",
  {
    user_id: person(),
    display_name: text("the name that the site shows"),
    portrait_id: ref("photo", "the portrait: a number in `photos`"),
    about: text("what the person says of themselves"),
    links: json("addresses, a list"),
    updated_at: updated(),
  },
  { key: ["user_id"], exported: { file: "profiles", about: "What the site shows of people." } },
);
