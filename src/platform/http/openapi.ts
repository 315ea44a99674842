import { z } from "zod";
import { pageQuery } from "./pages.ts";
import { isOwnerOrAdmin, type Media, type Route } from "./route.ts";

export type Json = { [key: string]: unknown };
type Operation = Json & { operationId: string; tags: string[]; summary: string };
export type OpenAPI = Json & {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
};

export const errorSchema = z
  .object({
    error: z.string().meta({ example: '"title" is required.', description: "A sentence a person can act on." }),
    code: z.string().meta({ example: "invalid" }),
    field: z.string().optional().meta({ example: "title" }),
    requestID: z.string().meta({ example: "3f2a9c01-1k" }),
  })
  .meta({ id: "Error" });

/** What can go wrong, and what is said then, for instance. */
const problems: Record<number, { description: string; code: string; error: string; field?: string }> = {
  400: { description: "The input is wrong", code: "invalid", error: '"title" is required.', field: "title" },
  401: {
    description: "There is no valid token",
    code: "unauthorized",
    error: "This token is not valid, or no longer: sign in again.",
  },
  403: {
    description: "The caller may not do this",
    code: "forbidden",
    error: "Only its owner or an admin may do this.",
  },
  404: { description: "There is no such record", code: "missing", error: "There is no photo 7." },
  429: {
    description: "Too many requests: wait as long as `Retry-After` says",
    code: "limited",
    error: "Too many requests: try again in a second.",
  },
  500: {
    description: "The server failed",
    code: "broken",
    error: "Something went wrong on the server; the request id finds it in the log.",
  },
};

/** OpenAPI 3.1, made of the very declarations that answer the requests. */
export function createOpenAPI(
  routes: Route[],
  { tags, ...info }: { version: string; description: string; tags: Record<string, string> },
): OpenAPI {
  const schemas: Record<string, Json> = {};
  const paths: OpenAPI["paths"] = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describe(route, schemas);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Vitrine", ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      responses: Object.fromEntries(
        Object.keys(problems).map((status) => [status, problemResponse(Number(status), schemas)]),
      ),
    },
  } as OpenAPI;
}

function describe(route: Route, schemas: Record<string, Json>): Operation {
  const body = requestBody(route, schemas);
  const ownersOnly = route.may === (isOwnerOrAdmin as Route["may"]) ? "Only its owner or an admin may." : "";
  const description = [route.details, ownersOnly].filter(Boolean).join(" ");
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(description && { description }),
    parameters: parameters(route, schemas),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: responses(route, schemas),
    security: route.role ? [{ token: [route.role] }] : route.personal ? [{}, { token: [] }] : [],
  };
}

function parameters(route: Route, schemas: Record<string, Json>): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  }));
  const rest = { name: "path", in: "path", required: true, schema: { type: "string" }, example: "2026/lisbon" };
  const shape = { ...route.query?.shape, ...(route.paged && pageQuery.shape) };
  const inQuery = Object.entries(shape).map(([name, field]) => {
    const { description, example, ...schema } = toSchema(field, schemas, "output");
    const required = !(field as z.ZodType).safeParse(undefined).success;
    return {
      name,
      in: "query",
      required,
      schema,
      ...(description ? { description } : {}),
      ...(example ? { example } : {}),
    };
  });
  const inHeader = Object.entries(route.headers ?? {}).map(([name, { description, example, required = false }]) => {
    return { name, in: "header", required, schema: { type: "string" }, description, example };
  });
  return [...inPath, ...(route.path.endsWith("*") ? [rest] : []), ...inQuery, ...inHeader];
}

function requestBody(route: Route, schemas: Record<string, Json>): Json | null {
  if (route.bytes) return { [route.bytes]: { schema: { type: "string", format: "binary" } } };
  const schema = route.body ?? route.form;
  if (!schema) return null;
  const described = toSchema(schema, schemas, "input");
  if (route.form) return { "multipart/form-data": { schema: described } };
  return { "application/json": { schema: described, example: exampleOf(described, schemas) } };
}

function responses(route: Route, schemas: Record<string, Json>): Json {
  const result: Json = {};
  if (isMedia(route.answer)) {
    const { contentType, description, statuses = {} } = route.answer;
    const content = { [contentType]: { schema: { type: "string", format: "binary" } } };
    result[String(route.status ?? 200)] = route.status === 204 ? { description } : { description, content };
    for (const [status, text] of Object.entries(statuses)) result[status] = { description: text };
  } else {
    const schema = toSchema(route.answer, schemas, "output");
    const content = { "application/json": { schema, example: exampleOf(schema, schemas) } };
    result[String(route.status ?? 200)] = {
      description: route.status === 201 ? "Created" : "Done",
      content,
      ...(route.paged && { headers: pageHeaders }),
    };
  }
  for (const status of expectedProblems(route)) result[status] = { $ref: `#/components/responses/${status}` };
  return result;
}

const pageHeaders = {
  "X-Total-Count": { description: "How many records there are in all", schema: { type: "integer" } },
  Link: { description: "The first, previous, next and last page (RFC 8288)", schema: { type: "string" } },
};

function expectedProblems(route: Route): number[] {
  const limited = /^\/(api|sign)/.test(route.path);
  const namesRecord = /[:*]/.test(route.path) || Boolean(route.query?.shape.path || route.query?.shape.blogPostID);
  const statuses: [number, boolean][] = [
    [400, true],
    [401, Boolean(route.role) || route.path === "/signin"],
    [403, Boolean(route.role) || route.path === "/signup"],
    [404, namesRecord || route.name === "createComment"],
    [429, limited],
    [500, true],
  ];
  return statuses.flatMap(([status, isExpected]) => (isExpected ? [status] : []));
}

function problemResponse(status: number, schemas: Record<string, Json>): Json {
  const { description, ...example } = problems[status] as (typeof problems)[number];
  const schema = toSchema(errorSchema, schemas, "output");
  return {
    description,
    content: { "application/json": { schema, example: { ...example, requestID: "3f2a9c01-1k" } } },
  };
}

/** The JSON Schema; whatever has a name goes into `schemas` once, and is referred to. */
function toSchema(schema: z.ZodType, schemas: Record<string, Json>, io: "input" | "output"): Json {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, override: tidy });
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= pointToComponents(definition);
  const result = pointToComponents(own);
  const name = schema.meta()?.id;
  if (!name) return result;
  schemas[name] ??= result;
  return { $ref: `#/components/schemas/${name}` };
}

/** Names are given by where a schema stands; limits that every safe integer has say nothing. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function pointToComponents(schema: object): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/$defs/", "#/components/schemas/")) as Json;
}

/** An example that the schema would accept, from the examples of its parts. */
export function exampleOf(schema: Json, schemas: Record<string, Json>): unknown {
  if (typeof schema.$ref === "string") return exampleOf(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, schemas);
  if (schema.example !== undefined) return schema.example;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Json, schemas);
  if (schema.type === "array") return [exampleOf(schema.items as Json, schemas)];
  if (schema.type === "object") {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, schemas)]));
  }
  if (schema.type === "integer") return 1;
  if (schema.type === "boolean") return false;
  return schema.format === "date-time" ? "2026-11-15T09:30:00.000Z" : "text";
}

function isMedia(answer: z.ZodType | Media): answer is Media {
  return "contentType" in answer;
}
