import { created, flag, id, json, local, secret, table, text, updated } from "../../platform/database/table.ts";

const elsewhere = "means nothing in another database";

export const webhookTables = [
  table(
    "webhooks",
    {
      id: id(),
      url: text("where changes are sent"),
      events: json("which, a list"),
      is_active: flag("whether they are sent"),
      inactive_reason: text("why not"),
      created_at: created(),
      updated_at: updated(),
      salt: secret(),
      position_transaction_id: local(elsewhere),
      position_id: local(elsewhere),
    },
    {
      exported: {
        file: "webhooks",
        about: "Where changes are sent. Secrets are not exported, so they are switched off after an import.",
      },
    },
  ),
];
