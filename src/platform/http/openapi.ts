import { z } from "zod";
import { nextTurn } from "../event-loop.ts";
import { exampleOf, type Json, toSchema } from "./json-schema.ts";
import { comparesIfMatch } from "./if-match.ts";
import { pageQuery } from "./pages.ts";
import { type Header, isMedia, isOwnerOrAdmin, type Media, type Route } from "./route.ts";
import { neededScopes } from "./scopes.ts";

type Operation = Json & { operationId: string; tags: string[]; summary: string };
export type OpenAPI = Json & {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
};

/** The parts of the document other than its operations. */
type About = {
  version: string;
  description: string;
  tags: Record<string, string>;
  /** Where a client gets its token, as a sentence. */
  tokenSource: string;
  /** The public URL, or "" if unknown. */
  baseURL: string;
  /** The headers of routes that are `granted`. */
  grantHeaders: Record<string, Header>;
};

const errorSchema = z
  .object({
    error: z.string().meta({ example: '"title" is required.', description: "What is wrong, and what to do about it." }),
    code: z.string().meta({ example: "invalid" }),
    field: z.string().optional().meta({ example: "title" }),
    reason: z.string().nullable().optional().meta({
      description: "Of a file that cannot be shown as a photo: why.",
      example: "JPEG XL is not supported yet.",
    }),
    ticket: z.string().optional().meta({
      description:
        "With `factor_required`: what the second step of the sign-in is sent with. It is valid for five minutes.",
    }),
    factors: z
      .array(z.string())
      .optional()
      .meta({
        description: "With `factor_required`: how the second step can be taken.",
        example: ["totp", "recovery_code"],
      }),
    requestID: z.string().meta({ example: "3f2a9c01-1k" }),
  })
  .meta({ id: "Error" });

/** The errors that many operations share, each with an example. */
const problems: Record<number, { description: string; code: string; error: string; field?: string }> = {
  400: { description: "The input is invalid", code: "invalid", error: '"title" is required.', field: "title" },
  401: {
    description: "The token is missing or invalid",
    code: "unauthorized",
    error: "This token is invalid, expired or revoked; sign in again.",
  },
  403: {
    description: "The caller is not allowed to do this",
    code: "forbidden",
    error: "Only the owner or an admin can do this.",
  },
  404: { description: "The record does not exist", code: "missing", error: "There is no record 7." },
  429: {
    description: "Too many requests; wait for the number of seconds in `Retry-After`",
    code: "limited",
    error: "Too many requests; try again in a second.",
  },
  500: {
    description: "Internal server error",
    code: "broken",
    error: "Internal server error; look up the request ID in the server log.",
  },
  503: {
    description: "The database is locked or has too much to do; wait for the number of seconds in `Retry-After`",
    code: "busy",
    error: "Another program has locked the database; try again in a moment.",
  },
  507: {
    description: "The storage is full",
    code: "full",
    error:
      "The server's storage is full, so nothing was stored. Delete what you no longer need and empty the trash, or ask the operator for more space.",
  },
};

const header = (description: string, type = "string", required = true) => ({ description, required, schema: { type } });
const retryHeader = { "Retry-After": header("Seconds to wait.", "integer") };

/** Headers that every response of this status has. */
const statusHeaders: Record<number, Json> = {
  206: { "Content-Range": header("The range of the returned bytes, and the total size.") },
  302: { Location: header("The URL of the bytes; valid for a minute.") },
  416: { "Content-Range": header("The total size.") },
  429: retryHeader,
  503: retryHeader,
};

const pageHeaders = ({ paged, cursor }: Route) => ({
  ...(paged && {
    "X-Total-Count": cursor
      ? header("Total number of records; not sent if the list is read by cursor.", "integer", false)
      : header("Total number of records.", "integer"),
    Link: header(
      `The first, previous, next and last page (RFC 8288)${cursor ? "; by cursor, the first and the next" : ""}.`,
    ),
  }),
  ...(!paged && cursor && { Link: header("The first and the next page (RFC 8288), with `cursor`.", "string", false) }),
});

const routesAtOnce = 8;

/** OpenAPI 3.1, generated from the route declarations. Other requests are handled meanwhile. */
export async function createOpenAPI(
  routes: Route[],
  { tags, tokenSource, baseURL, grantHeaders, ...info }: About,
): Promise<OpenAPI> {
  const schemas: Record<string, Json> = {};
  const paths: OpenAPI["paths"] = {};
  for (const [index, route] of routes.entries()) {
    if (index % routesAtOnce === 0) await nextTurn();
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describe(
      route.granted ? { ...route, headers: { ...route.headers, ...grantHeaders } } : route,
      schemas,
    );
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine",
      ...info,
      contact: { name: "The operator of this server", ...(baseURL && { url: baseURL }) },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseURL || "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: `${tokenSource} \`x-required-role\` is the minimum role of its user. An app key needs one of the scopes in \`x-required-scope\`; where that is \`session\`, none is enough. One that is limited to a directory or an album also needs that word in \`x-open-to-limited-keys\`.`,
        },
      },
      responses: Object.fromEntries(
        Object.entries(problems).map(([status, { description, ...example }]) => [
          status,
          failure(Number(status), description, schemas, { ...example, requestID: "3f2a9c01-1k" }),
        ]),
      ),
    },
  } as OpenAPI;
}

function describe(route: Route, schemas: Record<string, Json>): Operation {
  const body = requestBody(route, schemas);
  const ownersOnly = route.may === (isOwnerOrAdmin as Route["may"]) ? "Restricted to the owner and admins." : "";
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: [route.details, ownersOnly].filter(Boolean).join(" ") || describeAccess(route.role),
    parameters: parameters(route, schemas),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: responses(route, schemas),
    security: route.role ? [{ token: [] }] : route.personal ? [{}, { token: [] }] : [],
    ...(route.role && { "x-required-role": route.role, "x-required-scope": neededScopes(route) }),
    ...(route.openTo && { "x-open-to-limited-keys": route.openTo }),
    // A POST that changes nothing; all clients know this of GET.
    ...(route.noIdempotency === "read" && { "x-safe": true }),
  };
}

/** The description of an operation that has no other. */
export function describeAccess(role: string | undefined): string {
  return role ? `Requires a token whose user has the ${role} role or higher.` : "Requires no token.";
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
  const shape = { ...route.query?.shape, ...(route.paged && pageQuery.shape), ...route.cursor?.query.shape };
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
  const inHeader = Object.entries(headersOf(route)).map(([name, { description, example, required = false }]) => {
    return { name, in: "header", required, schema: { type: "string" }, description, example };
  });
  return [...inPath, ...(route.path.endsWith("*") ? [rest] : []), ...inQuery, ...inHeader];
}

/** What the handler reads, and what the pipeline reads for it. */
function headersOf(route: Route): Record<string, Header> {
  const { current, headers } = route;
  const ifMatch = {
    description: "The `ETag` of the record as you have read it: if it has changed since, the response is 412.",
    example: 'W/"2f1qk3x9v8a0c"',
  };
  const key = {
    description:
      "Chosen by the client, different for every request: 1 to 255 visible ASCII characters. If the same request is sent again within a day, the first result is returned and nothing is done.",
    example: "7d0f1c52-64b8-4f5e-9c7b-2f1d8a0e6b13",
  };
  return {
    ...headers,
    ...(current && { "If-Match": ifMatch }),
    ...(isRepeatable(route) && { "Idempotency-Key": key }),
  };
}

function requestBody(route: Route, schemas: Record<string, Json>): Json | null {
  if (route.bytes) return { [route.bytes]: { schema: binary } };
  const schema = route.body ?? route.form;
  if (!schema) return null;
  const described = toSchema(schema, schemas, "input");
  if (route.form) return { "multipart/form-data": { schema: described } };
  return {
    "application/json": { schema: described, example: exampleOf(described, schemas) },
    ...(route.acceptsForm && { "application/x-www-form-urlencoded": { schema: described } }),
  };
}

const binary = { type: "string", format: "binary" };

function responses(route: Route, schemas: Record<string, Json>): Json {
  const result: Json = {};
  const { status: success = 200 } = route;
  const content = isMedia(route.response)
    ? mediaContent(route.response, schemas)
    : jsonContent(route.response, schemas);
  const headers = successHeaders(route);
  result[success] = {
    description: isMedia(route.response) ? route.response.description : success === 201 ? "Created" : "Done",
    ...(success !== 204 && { content }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  for (const status of expectedProblems(route)) result[status] = { $ref: `#/components/responses/${status}` };
  for (const [code, description] of Object.entries(furtherStatuses(route))) {
    const status = Number(code);
    if (status >= 400) result[status] = failure(status, description, schemas);
    else result[status] = { description, ...withHeaders(status), ...(status === 206 && { content }) };
  }
  return result;
}

function mediaContent({ contentTypes, schema }: Media, schemas: Record<string, Json>): Json {
  if (schema) return jsonContent(schema, schemas);
  return Object.fromEntries(
    contentTypes.map((type) => [type, { schema: type.startsWith("text/") ? { type: "string" } : binary }]),
  );
}

function jsonContent(response: z.ZodType, schemas: Record<string, Json>): Json {
  const schema = toSchema(response, schemas, "output");
  return { "application/json": { schema, example: exampleOf(schema, schemas) } };
}

function successHeaders(route: Route): Json {
  return {
    ...(isRepeatable(route) && {
      "Idempotent-Replayed": header("`true` if this is the result of an earlier request.", "string", false),
    }),
    ...(isTagged(route) && {
      ETag: header("Changes with the response; not sent if that is very long.", "string", false),
    }),
    ...(route.method === "PUT" &&
      route.current && {
        ETag: header("The tag of the record after the change, for the next `If-Match`.", "string", false),
      }),
    ...pageHeaders(route),
    ...(route.status === 201 && { Location: header("The URL of the new record.") }),
  };
}

const isRepeatable = ({ method, noIdempotency }: Route) => method === "POST" && !noIdempotency;
const isTagged = ({ method, response }: Route) => method === "GET" && !isMedia(response);

const reused =
  "The `Idempotency-Key` was sent with another request, or the request was carried out and its response is no longer stored";
const either = (...meanings: (string | undefined)[]) => meanings.filter(Boolean).join("; or: ");

function furtherStatuses(route: Route): Record<number, string> {
  const { current, statuses = {} } = route;
  const outdated = current
    ? "The record has changed: its `ETag` is not in `If-Match`"
    : "This does not support `If-Match`";
  return {
    ...(isTagged(route) && { 304: "Not modified" }),
    ...statuses,
    ...(comparesIfMatch(route) && { 412: either(statuses[412], outdated) }),
    ...(isRepeatable(route) && { 409: either(statuses[409], reused) }),
  };
}

function expectedProblems(route: Route): number[] {
  const statuses: [number, boolean][] = [
    [400, true],
    [401, Boolean(route.role)],
    // Without a role, only an app key that is limited to another record gets it.
    [403, Boolean(route.role) || route.limit !== "none"],
    [404, /[:*]/.test(route.path)],
    [429, route.limit !== "none"],
    [500, true],
    // Endpoints of the base specification have 500 instead.
    [503, !route.base && route.limit !== "none"],
    [507, !route.base && route.method !== "GET"],
  ];
  return statuses.flatMap(([status, isExpected]) => (isExpected ? [status] : []));
}

function failure(status: number, description: string, schemas: Record<string, Json>, example?: Json): Json {
  const schema = toSchema(errorSchema, schemas, "output");
  return {
    description,
    ...withHeaders(status),
    content: { "application/json": { schema, ...(example && { example }) } },
  };
}

const withHeaders = (status: number) => (statusHeaders[status] ? { headers: statusHeaders[status] } : {});
