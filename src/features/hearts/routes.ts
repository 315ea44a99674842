import { getTarget, type TargetKind } from "../../content/comments/target.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Route, route, type Viewer } from "../../platform/http/route.ts";
import { findGiver, nameGiver } from "./giver.ts";
import { heartSchema } from "./heart.ts";
import { hasHearts, readHeart, setHeart, switchedOff } from "./store.ts";

const tag = "Hearts";
const words = {
  post: { path: "blog", name: "Post", what: "a blog post" },
  photo: { path: "photos", name: "Photo", what: "a photo" },
  album: { path: "albums", name: "Album", what: "an album" },
} as const;

const statuses = { 403: "This site has no hearts, or a page of another site has sent the request" };

function isOpen(_caller: unknown, record: { isOpen: boolean }): true {
  if (!record.isOpen) throw switchedOff();
  return true;
}

/** They are no part of the records: a heart would make the ETags of these outdated. */
export function heartRoutes(db: Database, kind: TargetKind): Route[] {
  const { name, what } = words[kind];
  const path = `/api/v1/${words[kind].path}/:id/heart` as const;
  const findOpen = async ({ id }: { id: number }, viewer: Viewer) => ({
    ...(await getTarget(db, viewer, { kind, id })),
    isOpen: await hasHearts(db),
  });
  return [
    route({
      method: "GET",
      path,
      name: `read${name}Heart`,
      tag,
      summary: `Read how many hearts ${what} has, and whether one is yours`,
      personal: true,
      isPrivate: true,
      isNeverKept: true,
      find: ({ id }, viewer) => getTarget(db, viewer, { kind, id }),
      response: heartSchema,
      handle: ({ record, viewer, exchange }) => readHeart(db, record, findGiver(exchange, viewer)),
    }),

    route({
      method: "PUT",
      path,
      name: `give${name}Heart`,
      tag,
      summary: `Give ${what} a heart`,
      details:
        "One for each account. A guest is known by a random number in a cookie, which is set with the first heart. Giving it again changes nothing.",
      personal: true,
      isPrivate: true,
      find: findOpen,
      may: isOpen,
      response: heartSchema,
      statuses,
      responseHeaders: ["Set-Cookie"],
      async handle({ record, viewer, exchange, transaction }) {
        const { giver, headers } = nameGiver(exchange, viewer);
        return { body: await transaction((tx) => setHeart(tx, record, giver, true)), headers };
      },
    }),

    route({
      method: "DELETE",
      path,
      name: `take${name}Heart`,
      tag,
      summary: `Take your heart back from ${what}`,
      personal: true,
      isPrivate: true,
      find: findOpen,
      may: isOpen,
      response: heartSchema,
      statuses,
      handle: ({ record, viewer, exchange, transaction }) =>
        transaction((tx) => setHeart(tx, record, nameGiver(exchange, viewer).giver, false)),
    }),
  ];
}
