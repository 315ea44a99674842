import { Problem } from "../../platform/errors.ts";
import { exampleOf } from "../../platform/http/json-schema.ts";
import { describeAccess, type OpenAPI } from "../../platform/http/openapi.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  description?: string;
  example?: unknown;
};

export type Content = { contentType: string; schema: Schema; example: unknown };

export type Answer = {
  status: string;
  description: string;
  content: Content | null;
  headers: { name: string; description: string }[];
  /** A response that many operations share, described once for all of them. */
  isShared: boolean;
};

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: Content | null;
  answers: Answer[];
  needsToken: boolean;
  /** Returns more to some callers who send a token. */
  takesToken: boolean;
  /** The minimum role of the caller, if the document names one. */
  role: string | null;
};

export type Group = { name: string; description: string; operations: Operation[] };

export type Api = {
  title: string;
  version: string;
  description: string;
  groups: Group[];
  schemas: [name: string, schema: Schema][];
  sharedAnswers: Answer[];
};

/**
 * The document in the form that the page needs: grouped by tag, with references resolved and one shape for everything.
 */
export function readDocument(document: OpenAPI): Api {
  const { info, tags, paths, components } = document as APIDocument;
  const schemas = components.schemas;
  const shared = components.responses ?? {};

  const groups = new Map<string, Group>();
  for (const { name, description = "" } of tags ?? []) groups.set(name, { name, description, operations: [] });
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, source] of Object.entries(methods)) {
      const name = source.tags?.[0] ?? "Other";
      if (!groups.has(name)) groups.set(name, { name, description: "", operations: [] });
      groups.get(name)?.operations.push(readOperation(path, method, source));
    }
  }

  return {
    title: info.title,
    version: info.version,
    description: info.description ?? "",
    groups: [...groups.values()].filter(({ operations }) => operations.length > 0),
    schemas: Object.entries(schemas),
    sharedAnswers: Object.entries(shared).map(([status, answer]) => readAnswer(status, answer, true)),
  };

  function readOperation(path: string, method: string, source: OperationSource): Operation {
    const { security = [], "x-required-role": role } = source;
    return {
      id: source.operationId,
      method: method.toUpperCase(),
      path,
      summary: source.summary,
      // The page shows in its own way who can call an operation.
      description: source.description === describeAccess(role) ? "" : (source.description ?? ""),
      parameters: source.parameters ?? [],
      body: readContent(source.requestBody?.content),
      answers: Object.entries(source.responses).map(([status, answer]) => {
        const target = answer.$ref && shared[nameOf(answer.$ref)];
        return readAnswer(status, target || answer, Boolean(target));
      }),
      takesToken: security.some((way) => "token" in way),
      needsToken: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
      role: role ?? null,
    };
  }

  function readAnswer(status: string, source: AnswerSource, isShared: boolean): Answer {
    const headers = Object.entries(source.headers ?? {});
    return {
      status,
      description: source.description ?? "",
      content: readContent(source.content),
      headers: headers.map(([name, { description = "" }]) => ({ name, description })),
      isShared,
    };
  }

  function readContent(content: Record<string, MediaSource> = {}): Content | null {
    const [first] = Object.entries(content);
    if (!first) return null;
    const [contentType, { schema = {}, example }] = first;
    return { contentType, schema, example: example ?? exampleOf(schema, schemas) };
  }
}

export function getOperation({ groups }: Api, id: string): Operation {
  const found = groups.flatMap(({ operations }) => operations).find((operation) => operation.id === id);
  if (!found) throw new Problem("missing", `There is no operation ${id}.`);
  return found;
}

/** The schema itself, and its name if it has one. */
export function resolve(api: Api, schema: Schema): { name: string | null; schema: Schema } {
  if (!schema.$ref) return { name: null, schema };
  const name = nameOf(schema.$ref);
  return { name, schema: api.schemas.find(([known]) => known === name)?.[1] ?? {} };
}

export function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

type APIDocument = {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, OperationSource>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, AnswerSource> };
};

type OperationSource = {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaSource> };
  responses: Record<string, AnswerSource>;
  security?: Record<string, string[]>[];
  "x-required-role"?: string;
};

type AnswerSource = {
  $ref?: string;
  description?: string;
  content?: Record<string, MediaSource>;
  headers?: Record<string, { description?: string }>;
};

type MediaSource = { schema?: Schema; example?: unknown };
