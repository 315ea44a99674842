import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { StandIn } from "../../platform/database/tables.ts";
import { usernameSkeleton } from "./skeleton.ts";
import { usernameKey } from "./user.ts";

/** Keeps what a lost user owns. Nobody can sign in as the user before an admin sets a password and a role. */
export const standInForUser: StandIn = (id, known) => {
  const username = String(known.username_key ?? `user-${id}`);
  const now = Date.now();
  return {
    id,
    username,
    username_key: usernameKey(username),
    username_skeleton: usernameSkeleton(username),
    password_hash: noPasswordHash,
    role: "reader",
    created_at: now,
    updated_at: now,
  };
};
