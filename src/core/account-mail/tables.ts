import { derived, json, local, person, secret, table, text } from "../../platform/database/table.ts";

const elsewhere = "means nothing on another site";

export const accountMailTables = [
  table(
    "user_addresses",
    {
      user_id: person(),
      address: text("the mail address, which the person has confirmed"),
      notices: json("the mail notifications that the person has chosen, a list"),
      address_key: derived(),
      pending: local("not confirmed"),
      pending_hash: secret(),
      pending_until: local("not confirmed"),
      last_notified_comment_id: local(elsewhere),
      last_notified_upload_id: local(elsewhere),
      last_notified_at: local(elsewhere),
      last_digest_week: local(elsewhere),
    },
    {
      key: ["user_id"],
      exported: {
        file: "addresses",
        about: "The person's mail address: only in the export of one person. An import leaves it out.",
        isPersonal: true,
      },
    },
  ),
  table("password_links", {}, { without: "a secret" }),
];
