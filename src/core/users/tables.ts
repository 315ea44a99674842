import {
  created,
  derived,
  id,
  local,
  person,
  secret,
  table,
  text,
  time,
  updated,
} from "../../platform/database/table.ts";
import { standInForUser } from "./stand-in.ts";

export const userTables = [
  table(
    "users",
    {
      id: person("its number, which is never reused"),
      username: text("the name for signing in"),
      role: text("`reader`, `author` or `admin`"),
      created_at: created(),
      updated_at: updated(),
      username_key: derived(),
      username_skeleton: derived(),
      password_hash: secret(),
      has_weak_password: local("follows from the password"),
    },
    { exported: { file: "people", about: "Accounts. Passwords are not exported." }, standIn: standInForUser },
  ),
  table(
    "sessions",
    {
      id: id(),
      user_id: person(),
      created_at: created("when they signed in"),
      seen_at: time("when it was last used, to within an hour"),
      expires_at: time("when it expires"),
      client: text("the browser and system, or the program, if it is known"),
      address: text("the address from which they signed in, if it is known"),
      token_id: secret(),
      confirmed_at: local("passes by itself"),
    },
    {
      exported: {
        file: "sessions",
        about: "Where the person is signed in: only in the export of one person. An import leaves it out.",
        isPersonal: true,
      },
    },
  ),
  table("familiar_addresses", {}, { key: ["user_id", "address"], without: "a secret" }),
  table("user_removals", {}, { without: "unfinished" }),
  table("invitations", {}, { without: "a secret" }),
];
