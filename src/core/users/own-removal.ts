import { z } from "zod";
import type { Database, Queries } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { checkOwnPassword, wrongPassword } from "./check-own-password.ts";
import { beginErasure } from "./remove.ts";
import { type Account, findUser, lockUsers, refuseLastAdmin } from "./store.ts";

const bodySchema = z
  .object({ password: text(256).meta({ format: "password", example: "correct horse battery" }) })
  .meta({ id: "OwnRemoval" });

/** Wrong passwords are counted as for a change of the password. `finishRemovals` starts what removes people in the background. */
export function ownRemovalRoutes(db: Database, guesses: RateLimit, finishRemovals: () => void): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/me/removal",
      name: "removeMe",
      tag: "Accounts",
      summary: "Remove your account with everything",
      details:
        "You are signed out everywhere at once, and your app keys are revoked. Your files, photos, posts with their comments, albums, comments, hearts, share links, profile and what is in your trash are permanently deleted in the background, and then the account. What others have written or uploaded elsewhere stays. This cannot be undone. The only admin is refused.",
      role: "reader",
      scope: "session",
      body: bodySchema,
      noIdempotency: "token",
      whenFull: () => true,
      response: messageSchema,
      statuses: { 401: "The password is wrong", 409: "You are the only admin" },
      async handle({ caller, body }) {
        const account = await checkOwnPassword(db, guesses, caller, body.password);
        await db.transaction((tx) => begin(tx, account));
        finishRemovals();
        return { message: "You are signed out everywhere. Your account is being removed with everything." };
      },
    }),
  ];
}

async function begin(tx: Queries, account: Account): Promise<void> {
  await lockUsers(tx);
  const user = await findUser(tx, account.id);
  // It was changed, or the account is being removed, since it was checked.
  if (user?.passwordHash !== account.passwordHash) throw wrongPassword();
  await refuseLastAdmin(tx, user, user.id);
  await beginErasure(tx, user, user.id);
}
