import type { APIDocument, Operation, Schema } from "./api-document.ts";

const introduction = `# The API as its clients see it: a line for each operation, and one for each type. Written by \`npm run client\`.
# An operation: method path name [role, scopes of app keys] (parameters of the query, unless another place is named) body -> result`;

/** What clients rely on, in a form in which a review sees each change. */
export function printContract({ paths, components }: APIDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => printOperation(`${method.toUpperCase()} ${path}`, operation)),
  );
  const types = Object.entries(components.schemas).map(([name, schema]) => `${name} = ${print(schema)}`);
  return `${[introduction, operations.join("\n"), types.toSorted().join("\n")].join("\n\n")}\n`;
}

function printOperation(place: string, operation: Operation): string {
  const { operationId, parameters, requestBody, responses, security } = operation;
  const given = parameters.map(({ name, in: from, required, schema }) => {
    const mark = required ? "" : "?";
    return `${from === "query" ? "" : `${from} `}${name}${mark}: ${print(schema)}`;
  });
  const role = operation["x-required-role"] ?? (security.length > 0 ? "anyone" : "without a token");
  const scopes = operation["x-required-scope"] ?? [];
  const results = Object.entries(responses).flatMap(([status, { content, headers = {} }]) => {
    if (Number(status) >= 400 || status === "304") return [];
    return [[status, ...printContent(content), ...("Link" in headers ? ["in pages"] : [])].join(" ")];
  });
  return [
    place,
    operationId,
    `[${[role, ...scopes].join(", ")}]`,
    given.length > 0 ? `(${given.join(", ")})` : "",
    ...printContent(requestBody?.content),
    "->",
    results.join(" or "),
  ]
    .filter(Boolean)
    .join(" ");
}

function printContent(content: Operation["responses"][string]["content"]): string[] {
  const kinds = Object.entries(content ?? {}).map(([type, { schema }]) =>
    type === "application/json" ? print(schema) : isEmpty(schema) ? type : `${type} ${print(schema)}`,
  );
  return kinds.length > 0 ? [kinds.join(" or ")] : [];
}

const isEmpty = (schema: Schema | undefined): boolean => !schema || ["string", "binary"].includes(print(schema));

function print(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.anyOf) return schema.anyOf.map(print).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => print({ ...schema, type })).join(" | ");
  if (schema.type === "array") {
    const item = print(schema.items ?? {});
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type !== "object") return schema.format ?? schema.type ?? "any";
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${print(field)}`,
  );
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : "object";
}
