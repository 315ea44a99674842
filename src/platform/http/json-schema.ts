import { z } from "zod";

export type Json = { [key: string]: unknown };

/** Whether the schema describes what is sent to the server, or what it returns. */
type Direction = "input" | "output";

/** The JSON Schema. Named schemas are added to `schemas` once, and then referred to. */
export function toSchema(schema: z.ZodType, schemas: Record<string, Json>, io: Direction): Json {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => tidy(jsonSchema, io);
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, override });
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= pointToComponents(definition);
  const result = pointToComponents(own);
  const name = schema.meta()?.id;
  if (!name) return result;
  schemas[name] ??= result;
  return { $ref: `#/components/schemas/${name}` };
}

/** Removes what clients do not need, or what their tools would misinterpret. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  // A schema is named by its place in the document.
  delete schema.id;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Validators compile a pattern without the flags that it needs, and the format expresses the same.
  delete schema.pattern;
  // Later versions may return more fields.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (io === "input" && schema.default !== undefined) describeDefault(schema);
}

/** Generators assume that a field with a default is always present, and would require it in requests. */
function describeDefault(schema: z.core.JSONSchema.BaseSchema): void {
  const text = `Default: \`${JSON.stringify(schema.default)}\`.`;
  schema.description = schema.description ? `${schema.description} ${text}` : text;
  delete schema.default;
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
