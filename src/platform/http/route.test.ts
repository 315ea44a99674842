import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { Slices } from "../database/slices.ts";
import { type Caller, type Route, route } from "./route.ts";

const wordSchema = z.object({ word: z.string() });
const word = { word: "hello" };
const about = { method: "GET", path: "/words/:id", name: "", tag: "", summary: "", response: wordSchema } as const;

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
/** Compiles only with `true` for two equal types. */
const isSame = <One, Other>(_same: Same<One, Other>) => word;

async function* slices(): Slices<{ word: string }> {
  yield [word];
}

/** The type checker tests these declarations: an error that is expected and missing is an error itself. */
const declarations: Route[] = [
  // A handler gets what its route declares.
  route({ ...about, handle: ({ caller }) => isSame<typeof caller, null>(true) }),
  route({ ...about, handle: ({ viewer }) => isSame<typeof viewer, null>(true) }),
  route({ ...about, handle: ({ record }) => isSame<typeof record, null>(true) }),
  route({ ...about, handle: ({ page }) => isSame<typeof page, null>(true) }),
  route({ ...about, handle: ({ body }) => isSame<typeof body, null>(true) }),
  route({ ...about, role: "reader", handle: ({ caller }) => isSame<typeof caller, Caller>(true) }),
  route({ ...about, role: "reader", handle: ({ viewer }) => isSame<typeof viewer, Caller>(true) }),
  route({ ...about, personal: true, handle: ({ viewer }) => isSame<typeof viewer, Caller | null>(true) }),
  route({ ...about, personal: true, handle: ({ caller }) => isSame<typeof caller, null>(true) }),
  route({
    ...about,
    find: async ({ id }) => ({ ownerID: id }),
    may: (_caller, { ownerID }) => ownerID === 1,
    handle: ({ record }) => isSame<typeof record, { ownerID: number }>(true),
  }),
  route({ ...about, handle: ({ query }) => isSame<typeof query, null>(true) }),
  route({ ...about, body: wordSchema, handle: ({ body }) => isSame<typeof body, { word: string }>(true) }),
  route({ ...about, query: wordSchema, handle: ({ query }) => isSame<typeof query.word, string>(true) }),
  // @ts-expect-error The query has no such parameter.
  route({ ...about, query: wordSchema, handle: ({ query }) => isSame<typeof query.other, string>(true) }),

  // The parameters are those in the path.
  route({ ...about, path: "/a/:id/b/:otherID/c", handle: ({ params }) => isSame<typeof params.otherID, number>(true) }),
  // @ts-expect-error The path has no such parameter.
  route({ ...about, handle: ({ params }) => isSame<typeof params.otherID, number>(true) }),
  // @ts-expect-error The path has no such parameter.
  route({ ...about, find: async ({ otherID }) => otherID, handle: () => word }),
  // @ts-expect-error The path has no parameters.
  route({ ...about, path: "/words", handle: ({ params }) => isSame<typeof params.id, number>(true) }),

  // The result fits the schema.
  route({ ...about, handle: async () => word }),
  // @ts-expect-error A field is missing.
  route({ ...about, handle: () => ({}) }),
  // @ts-expect-error A field has another type.
  route({ ...about, handle: async () => ({ word: 1 }) }),
  // @ts-expect-error A response of its own would not be checked.
  route({ ...about, handle: () => Response.json(word) }),
  route({ ...about, response: z.array(wordSchema), handle: () => [word] }),
  route({ ...about, response: z.array(wordSchema), handle: () => slices() }),
  route({ ...about, response: z.object({ words: z.array(wordSchema) }), handle: () => ({ words: slices() }) }),
  // @ts-expect-error The items do not fit.
  route({ ...about, response: z.array(z.string()), handle: () => slices() }),
  // @ts-expect-error A list was declared.
  route({ ...about, response: z.array(wordSchema), handle: () => word }),
  route({ ...about, paged: true, response: z.array(wordSchema), handle: () => ({ items: slices(), total: 1 }) }),
  // @ts-expect-error The total is missing.
  route({ ...about, paged: true, response: z.array(wordSchema), handle: () => slices() }),
  route({ ...about, responseHeaders: ["X-Word"], handle: () => ({ body: word, headers: { "X-Word": "hello" } }) }),
  // @ts-expect-error The header was not declared.
  route({ ...about, responseHeaders: ["X-Word"], handle: () => ({ body: word, headers: { "X-Other": "hello" } }) }),
  route({
    ...about,
    response: { contentTypes: ["text/plain"], description: "" },
    handle: () => ({ headers: {}, body: new Blob(["hello"]) }),
  }),
  // @ts-expect-error Bytes were declared.
  route({ ...about, response: { contentTypes: ["text/plain"], description: "" }, handle: () => word }),
];

describe("a route", () => {
  test("is the declaration that the type checker has checked", () => {
    expect(declarations.every(({ path }) => path.startsWith("/"))).toBe(true);
  });
});
