import { z } from "zod";
import { forbidden } from "../../platform/errors.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import type { HoldingsCounter } from "../holdings/counter.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { changeRole, removePerson, resetFactorsOf, signOutEverywhere } from "./admin-changes.ts";
import { createPeople } from "./people.ts";
import { peopleQuery, personChangesSchema, personSchemaOf, removalQuery } from "./person.ts";

const tag = "People";
const path = "/api/v1/users";
const onePath = `${path}/:id` as const;

type Uses = {
  /** They count kinds of records. */
  fields: string[];
  mails: AccountMails;
  /** Starts what removes people in the background. */
  finishRemovals: () => void;
};

export function peopleRoutes(
  db: Database,
  holdings: HoldingsCounter,
  { fields, mails, finishRemovals }: Uses,
): Route[] {
  const people = createPeople(db, holdings, fields);
  const personSchema = personSchemaOf(fields);
  /** Who has an account is for admins alone, so that nobody can count through the ids. */
  const find = async ({ id }: { id: number }, viewer: Caller) => {
    if (viewer.role !== "admin") throw forbidden("This requires the admin role.");
    return people.get(id);
  };
  return [
    route({
      method: "GET",
      path,
      name: "listPeople",
      tag,
      summary: "List everyone with an account, newest first",
      role: "admin",
      query: peopleQuery,
      paged: true,
      response: z.array(personSchema),
      handle: ({ query, page }) => people.list(query.q, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readPerson",
      tag,
      summary: "Read an account",
      role: "admin",
      find,
      response: personSchema,
      handle: ({ record }) => record,
    }),

    route({
      method: "PUT",
      path: onePath,
      name: "changePerson",
      tag,
      summary: "Change the role of a person",
      details:
        "Applies from the next request of the person on. The last admin stays an admin. Whoever has a weak password has to change it before becoming an admin.",
      role: "admin",
      scope: "admin",
      find,
      current: (tx, _caller, { id }) => people.lock(tx, id),
      body: personChangesSchema,
      response: personSchema,
      statuses: { 409: "The person is the only admin, or is being removed" },
      handle: ({ record: { id, role }, body, caller, transaction }) =>
        transaction(async (tx) => {
          await changeRole(tx, caller, id, body.role ?? role);
          return people.getIn(tx, id);
        }),
    }),

    route({
      method: "DELETE",
      path: `${onePath}/sessions`,
      name: "signOutPerson",
      tag,
      summary: "Sign a person out everywhere",
      details: "Revokes all of the person's sessions. The person can sign in again.",
      role: "admin",
      scope: "admin",
      find,
      response: messageSchema,
      async handle({ record, caller }) {
        await db.transaction((tx) => signOutEverywhere(tx, caller, record.id));
        return { message: `${record.username} was signed out everywhere.` };
      },
    }),

    route({
      method: "DELETE",
      path: `${onePath}/factors`,
      name: "resetFactors",
      tag,
      summary: "Remove the second factors of a person",
      details:
        "For somebody who has lost them: the password alone is enough to sign in again. Revokes all of the person's sessions, and removes the recovery codes.",
      role: "admin",
      scope: "session",
      find,
      response: messageSchema,
      async handle({ record, caller }) {
        await db.transaction(async (tx) => {
          await resetFactorsOf(tx, caller, record.id);
          await mails.tell(tx, record.id, { name: "factorRemoved", words: [record.username] });
        });
        return { message: `${record.username} can sign in with the password alone.` };
      },
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "removePerson",
      tag,
      summary: "Remove a person",
      details:
        "The person is signed out at once and can no longer sign in. Their records go to another user, or to your trash, from which you can restore them as your own. That happens in the background: until it is done, the person is listed with `isBeingRemoved`. Then the account is deleted, and the activity says so.",
      role: "admin",
      scope: "admin",
      find,
      current: (tx, _caller, { id }) => people.lock(tx, id),
      query: removalQuery,
      response: messageSchema,
      statuses: { 409: "The person is being removed already" },
      async handle({ record, query, caller, transaction }) {
        await transaction((tx) => removePerson(tx, caller, record.id, query));
        finishRemovals();
        return { message: `${record.username} was signed out everywhere and is being removed.` };
      },
    }),
  ];
}
