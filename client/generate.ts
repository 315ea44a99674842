// Writes the types of the API and the table of its operations to build/client/, from the OpenAPI document; the build does this
// before everything else. `npm run client` also writes the contract, docs/reference/api.txt.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "../bin/format.ts";
import type { APIDocument, Operation, Parameter, Schema } from "./api-document.ts";
import { printContract } from "./contract.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const generated = `${root}build/client/`;
const notice = "// Generated from the OpenAPI document by `npm run build`: do not edit.";
const union = (types: string[]) => [...new Set(types)].join(" | ");
const nameOf = (reference: string) => reference.split("/").at(-1) ?? "";
const comment = (text: string | undefined) => (text ? `/** ${text.replaceAll("*/", "*\\/").trim()} */\n` : "");

/** Headers that the client sends by itself, or by an option of the call. An operation that needs others is left out. */
const knownHeaders = new Set(["Tus-Resumable", "X-Share-Token"]);
/** How to send the body, by its content type. */
const bodyKinds: Record<string, string> = {
  "application/json": "json",
  "multipart/form-data": "form",
  "application/octet-stream": "bytes",
};

if (import.meta.main) {
  const document = await readDocument();
  await writeClient(document);
  writeFileSync(`${root}docs/reference/api.txt`, printContract(document));
}

async function readDocument(): Promise<APIDocument> {
  const command = [process.execPath, "src/main.ts", "openapi"];
  const child = Bun.spawn(command, { cwd: root, env: { PATH: process.env.PATH }, stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("The OpenAPI document could not be made.");
  return JSON.parse(text) as APIDocument;
}

/** Replaces each file as a whole: other processes may read it. */
export async function writeClient(document?: APIDocument): Promise<void> {
  mkdirSync(generated, { recursive: true });
  for (const [name, source] of Object.entries(await generate(document ?? (await readDocument())))) {
    const draft = `${generated}${name}.${process.pid}`;
    writeFileSync(draft, source);
    renameSync(draft, generated + name);
  }
}

/** The formatted sources by their names. Throws if an operation cannot be called in the way of this client. */
export async function generate({ paths, components }: APIDocument): Promise<Record<string, string>> {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
    )
    .filter((operation) => operation !== null);
  const schemas = reachable(operations.map(({ type }) => type).join("\n"), components.schemas);
  const types = schemas.map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${print(schema)};`,
  );
  const calls = operations.map(({ name, type, about }) => `${comment(about)}${name}: ${type};`);
  const rows = operations.map(({ name, row }) => `${name}: ${JSON.stringify(row)},`);
  const api = [
    `${notice}\nimport type { Call, Download, IfMatch, Keyed, List, Shared } from "../../client/src/types.ts";`,
    ...types,
    `export type Operations = {\n${calls.join("\n\n")}\n};`,
  ];
  const table = [
    `${notice}\nimport type { Operations } from "./api.ts";`,
    `/** The method and the path of each operation, and what the client has to know about it. */
    export const operations: Record<keyof Operations, string> = {\n${rows.join("\n")}\n};`,
  ];
  return {
    "api.ts": await format("client/api.ts", api.join("\n\n")),
    "operations.ts": await format("client/operations.ts", table.join("\n\n")),
  };

  /** Null for an operation of a protocol of its own: tus and server-sent events, for which the client has functions. */
  function describe(method: string, path: string, operation: Operation) {
    const { operationId: name, parameters, requestBody, responses, summary, description } = operation;
    const headers = parameters.filter((parameter) => parameter.in === "header");
    const [success] = Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? response : []));
    const [answerType, answer] = Object.entries(success?.content ?? {})[0] ?? [];
    if (headers.some((header) => header.required && !knownHeaders.has(header.name))) return null;
    if (answerType === "text/event-stream" || answerType === "text/html") return null;

    const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const takes = (header: string) => headers.some((one) => one.name === header);
    const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const isList = answer?.schema.type === "array" && "Link" in (success?.headers ?? {});
    const isJSON = answerType === "application/json" || !answer;
    // Without the header with the next page, a page of this is of no use.
    const isPaged = ({ name }: Parameter) => "Link" in (success?.headers ?? {}) && /^(cursor|pageSize)$/.test(name);
    const query = named("query").filter((parameter) => isList || !isPaged(parameter));
    const bodyKind = bodyType === undefined ? "" : bodyKinds[bodyType];
    if (bodyKind === undefined) throw new Error(`${name} has a body of the type ${bodyType}, which is unknown.`);
    checkNames(name, [...named("path"), ...query], body && resolve(body.schema));
    if (body && query.length > 0) throw new Error(`${name} has a query and a body: the client would mix them up.`);

    const input = [
      named("path").length + query.length > 0 ? printParameters([...named("path"), ...query]) : "",
      body ? (bodyKind === "bytes" ? "{ body: Blob | ArrayBuffer | Uint8Array }" : print(body.schema)) : "",
    ].filter(Boolean);
    const given = input.join(" & ") || "{}";
    const options = [
      takes("If-Match") && "IfMatch",
      takes("Idempotency-Key") && "Keyed",
      takes("X-Share-Token") && "Shared",
    ].filter(Boolean);
    const more = options.length > 0 ? `, ${options.join(" & ")}` : "";
    const row = [
      `${method} ${path}`,
      bodyKind !== "json" && bodyKind,
      !body && (method === "POST" || method === "PUT") && "empty",
      isList && "list",
      isList && query.some((parameter) => parameter.name === "cursor") && "cursor",
      isList && query.some((parameter) => parameter.name === "pageSize") && "size",
      !isJSON && "response",
      takes("Idempotency-Key") && "key",
      operation["x-safe"] && "safe",
      takes("X-Share-Token") && "share",
      takes("Tus-Resumable") && "tus",
    ];
    return {
      name,
      about: `${summary}. ${description}`,
      row: row.filter(Boolean).join(" "),
      type: isList
        ? `List<${given}, ${print(answer.schema.items ?? {})}${more}>`
        : isJSON
          ? `Call<${given}, ${answer ? print(answer.schema) : "void"}${more}>`
          : `Download<${given}${more}>`,
    };
  }

  function resolve(schema: Schema): Schema {
    return schema.$ref ? (components.schemas[nameOf(schema.$ref)] ?? {}) : schema;
  }
}

/** The parameters and the body of a call are one object, so their names must differ. */
function checkNames(operation: string, parameters: Parameter[], body: Schema | undefined): void {
  const names = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new Error(`${operation} has two inputs with the name ${repeated}: rename one of them.`);
}

/** The schemas that the text names, and those that they name. */
function reachable(text: string, schemas: Record<string, Schema>): [string, Schema][] {
  const found = new Set<string>();
  const visit = (printed: string) => {
    for (const [name] of printed.matchAll(/\b[A-Z]\w+\b/g)) {
      if (found.has(name) || !schemas[name]) continue;
      found.add(name);
      visit(print(schemas[name]));
    }
  };
  visit(text);
  return Object.entries(schemas).filter(([name]) => found.has(name));
}

function print(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.anyOf) return union(schema.anyOf.map(print));
  if (schema.enum) return union(printEnum(schema.enum));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => print({ ...schema, type })));
  switch (schema.type) {
    case "object":
      return schema.properties && Object.keys(schema.properties).length > 0
        ? printObject(schema)
        : "Record<string, unknown>";
    case "array":
      return printArray(print(schema.items ?? {}));
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

function printArray(item: string): string {
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

/** `true` and `false` in a query or a form are text: a boolean is sent as such. */
function printEnum(values: unknown[]): string[] {
  const isFlag = values.length === 2 && values.includes("true") && values.includes("false");
  return [...(isFlag ? ["boolean"] : []), ...values.map((value) => JSON.stringify(value))];
}

function printObject({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    printField(name, schema, required.includes(name), schema.description),
  );
  return `{\n${fields.join("\n")}\n}`;
}

function printParameters(parameters: Parameter[]): string {
  const fields = parameters.map(({ name, schema, required, description }) =>
    printField(name, schema, Boolean(required), description),
  );
  return `{\n${fields.join("\n")}\n}`;
}

function printField(name: string, schema: Schema, isRequired: boolean, about: string | undefined): string {
  return `${comment(about)}${name}${isRequired ? "" : "?"}: ${print(schema)}${isRequired ? "" : " | undefined"};`;
}
