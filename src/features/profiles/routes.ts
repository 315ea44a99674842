import { recordActivity } from "../../core/activity/record.ts";
import { hasPublished } from "./published.ts";
import { activityOf, findUser } from "../../core/users/store.ts";
import type { Database } from "../../platform/database/database.ts";
import { missing } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { profileChangesSchema, profileSchema, publicPersonSchema } from "./profile.ts";
import { findPeople, lockProfile, readProfile, writeProfile } from "./store.ts";

export function profileRoutes(db: Database): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/me/profile",
      name: "readProfile",
      tag: "Accounts",
      summary: "Read your profile",
      role: "reader",
      response: profileSchema,
      handle: ({ caller }) => readProfile(db, caller.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/me/profile",
      name: "changeProfile",
      tag: "Accounts",
      summary: "Change your profile",
      details:
        "Omitted fields keep their values. The site shows the profile with what you have published. A portrait that is private is shown to nobody.",
      role: "reader",
      scope: "session",
      current: (tx, caller) => lockProfile(tx, caller.id),
      body: profileChangesSchema,
      response: profileSchema,
      handle: ({ caller, body, transaction }) =>
        transaction(async (tx) => {
          const profile = await writeProfile(tx, caller.id, await lockProfile(tx, caller.id), body);
          const user = await findUser(tx, caller.id);
          if (user) recordActivity(tx, caller.id, "changed", activityOf(user));
          return profile;
        }),
    }),

    route({
      method: "GET",
      path: "/api/v1/people/:id",
      name: "readPublicPerson",
      tag: "People",
      summary: "Read what everyone sees of a person",
      details: "People without a public post, photo or album are not found.",
      response: publicPersonSchema,
      async handle({ params: { id } }) {
        const person = (await hasPublished(db, id)) && (await findPeople(db, [id])).get(id);
        if (!person) throw missing(`person ${id}`);
        return person;
      },
    }),
  ];
}
