import { z } from "zod";
import { type Json, toSchema } from "../../platform/http/json-schema.ts";
import { pageQuery } from "../../platform/http/pages.ts";
import { isMedia, mayActAs, type Caller, type Route } from "../../platform/http/route.ts";
import { isInScope } from "../../platform/http/scopes.ts";
import { type Offer, offers } from "./offered.ts";

/** Where the value of an argument is sent. */
export type Place = "path" | "query" | "body" | "header";

/** A tool as `tools/list` has it. */
type Described = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Json; required: string[]; additionalProperties: false };
  annotations: ReturnType<typeof annotationsOf>;
};

export type Tool = {
  route: Route;
  offer: Offer;
  /** Whether it returns a list, page by page. */
  isList: boolean;
  places: Map<string, Place>;
  required: string[];
  described: Described;
};

/** A program reads the whole page of a list. */
export const maxItems = 50;
export const usualItems = 20;

const pageSize = {
  type: "integer",
  minimum: 1,
  maximum: maxItems,
  description: `Records per page. Default: ${usualItems}.`,
};
const cursor = { type: "string", description: "The `next` of the page before. Left out: the first page." };
const headerArguments = {
  idempotencyKey: {
    type: "string",
    description: "A text of your choice. If the same call is sent again with it, nothing is done twice.",
  },
  ifMatch: { type: "string", description: "The etag of the record as you have read it." },
};

/** The tools, made from the declarations of the API. */
export function createTools(operations: readonly Route[]): Map<string, Tool> {
  const byName = new Map(operations.map((route) => [route.name, route]));
  return new Map(
    Object.entries(offers).flatMap(([name, offer]) => {
      const route = byName.get(name);
      return route ? [[name, createTool(route, offer)]] : [];
    }),
  );
}

/** Whether the key of the caller is for this tool. */
export const isFor = ({ route }: Pick<Tool, "route">, caller: Caller): boolean =>
  isInScope(route, caller) && isWithinLimit(route, caller) && (!route.role || mayActAs(caller, route.role));

const isWithinLimit = ({ openTo = [] }: Route, { limit }: Caller) => !limit || openTo.includes(limit.kind);

function createTool(route: Route, offer: Offer): Tool {
  const isList = Boolean(route.cursor);
  const inputs = [
    ...pathInputs(route),
    ...queryInputs(route),
    ...bodyInputs(route),
    ...headerInputs(route, offer),
  ].filter(({ name }) => !isHidden(offer, name));
  const summary = offer.summary ?? route.summary;
  const required = inputs.filter((input) => input.isRequired && !(input.name in (offer.defaults ?? {})));
  return {
    route,
    offer,
    isList,
    places: new Map(inputs.map(({ name, place }) => [name, place])),
    required: required.map(({ name }) => name),
    described: {
      name: route.name,
      title: summary,
      description: [`${summary}.`, offer.details ?? route.details].filter(Boolean).join(" "),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, schema])),
        required: required.map(({ name }) => name),
        additionalProperties: false,
      },
      annotations: annotationsOf(route, offer),
    },
  };
}

const isHidden = ({ without = [], fixed = {} }: Offer, name: string) => without.includes(name) || name in fixed;

function annotationsOf({ method }: Route, { isAdding, isRepeatable }: Offer) {
  const isReading = method === "GET";
  return {
    readOnlyHint: isReading,
    destructiveHint: !isReading && !isAdding,
    idempotentHint: isReading || method === "PUT" || Boolean(isRepeatable),
    openWorldHint: false,
  };
}

type Input = { name: string; place: Place; schema: Json; isRequired: boolean };

function pathInputs({ path }: Route): Input[] {
  const schema = { type: "integer", minimum: 1 };
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => ({ name, place: "path", schema, isRequired: true }));
}

function queryInputs({ query, paged, cursor: byCursor }: Route): Input[] {
  const shape = { ...query?.shape, ...(paged && pageQuery.shape), ...byCursor?.query.shape };
  return Object.entries(shape).flatMap(([name, field]) => {
    // A list is read by cursor alone.
    if (byCursor && name === "page") return [];
    const own = byCursor && name === "pageSize" ? pageSize : byCursor && name === "cursor" ? cursor : null;
    const isRequired = !(field as z.ZodType).safeParse(undefined).success;
    return [{ name, place: "query" as const, schema: own ?? inlined(field, "output"), isRequired }];
  });
}

function bodyInputs({ body }: Route): Input[] {
  if (!body) return [];
  const { properties = {}, required = [] } = inlined(body, "input") as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: "body",
    schema: schema as Json,
    isRequired: required.includes(name),
  }));
}

function headerInputs({ method, noIdempotency, current }: Route, { isTagged }: Offer): Input[] {
  const { idempotencyKey, ifMatch } = headerArguments;
  const input = (name: string, schema: Json): Input => ({ name, place: "header", schema, isRequired: false });
  return [
    ...(method === "POST" && !noIdempotency ? [input("idempotencyKey", idempotencyKey)] : []),
    ...(isTagged && current ? [input("ifMatch", ifMatch)] : []),
  ];
}

/** Every list of a tool is. */
const byCursorAnyway = / The list is then read by cursor\.?/;

/** The JSON Schema without references, which not every program follows, and without examples, which take space. */
function inlined(schema: z.ZodType, io: "input" | "output"): Json {
  const named: Record<string, Json> = {};
  return resolve(toSchema(schema, named, io), named) as Json;
}

function resolve(part: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(part)) return part.map((one) => resolve(one, named));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...own } = part as Json;
  const target = typeof $ref === "string" ? named[$ref.split("/").at(-1) ?? ""] : undefined;
  return Object.fromEntries(
    Object.entries({ ...target, ...own }).flatMap(([name, value]) => {
      if (name === "example") return [];
      // There are also fields that are called so.
      if (name === "description" && typeof value === "string") return [[name, value.replace(byCursorAnyway, "")]];
      return [[name, resolve(value, named)]];
    }),
  );
}

export const returnsBytes = ({ route }: Tool): boolean => isMedia(route.response);
