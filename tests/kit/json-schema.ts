import type { Json } from "../../src/platform/http/json-schema.ts";

type Schema = Json & { properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[]; items?: Schema };

/** What is wrong with the value, or null. */
type Check = (value: any, schema: any, schemas: Record<string, Schema>) => string | null;

/** Further elements of a list are not checked. */
const maxElements = 50;
const notes = new Set(["description", "example", "default", "properties", "required", "additionalProperties"]);
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const formats: Record<string, (text: string) => boolean> = {
  "date-time": (text) => dateTime.test(text) && !Number.isNaN(Date.parse(text)),
};

/**
 * Returns where the value violates the schema, or null. Only the keywords that the document uses are supported; any
 * other is an error. A property that the schema does not declare is an error, unless the schema allows additional ones.
 */
export function findMismatch(value: unknown, schema: Schema, schemas: Record<string, Schema>): string | null {
  for (const [keyword, argument] of Object.entries(schema)) {
    if (notes.has(keyword)) continue;
    const check = keywords[keyword];
    if (!check) return `the schema has the keyword "${keyword}", which the tests do not know`;
    const problem = check(value, argument, schemas);
    if (problem) return problem;
  }
  return isObject(value) && schema.type === "object" ? checkProperties(value, schema, schemas) : null;
}

const failing = (value: unknown, problem: string) => `${show(value)} ${problem}`;

const keywords: Record<string, Check> = {
  $ref: (value, reference, schemas) => {
    const target = schemas[reference.replace("#/components/schemas/", "")];
    return target ? findMismatch(value, target, schemas) : `${reference} does not exist`;
  },
  type: (value, types) =>
    [types].flat().some((type) => isType(value, type)) ? null : failing(value, `is not of the type ${types}`),
  enum: (value, values) => (values.includes(value) ? null : failing(value, `is not one of ${values}`)),
  anyOf: (value, options: Schema[], schemas) => {
    const problems: string[] = [];
    for (const option of options) {
      const problem = findMismatch(value, option, schemas);
      if (problem === null) return null;
      problems.push(problem);
    }
    return `matches none: ${problems.join("; or ")}`;
  },
  items: (value, items, schemas) => {
    if (!Array.isArray(value)) return null;
    for (const [index, element] of value.slice(0, maxElements).entries()) {
      const problem = at(index, findMismatch(element, items, schemas));
      if (problem) return problem;
    }
    return null;
  },
  format: (value, format) => {
    const isRight = formats[format];
    if (!isRight) return `the schema has the format "${format}", which the tests do not know`;
    return typeof value !== "string" || isRight(value) ? null : failing(value, `is not a ${format}`);
  },
  minimum: (value, low) => (typeof value !== "number" || value >= low ? null : failing(value, `is less than ${low}`)),
  maximum: (value, high) =>
    typeof value !== "number" || value <= high ? null : failing(value, `is more than ${high}`),
  minLength: (value, low) =>
    typeof value !== "string" || lengthOf(value) >= low ? null : failing(value, "is too short"),
  // A text has at most as many characters as UTF-16 units.
  maxItems: (value, high) =>
    !Array.isArray(value) || value.length <= high ? null : failing(value, "has too many entries"),
  maxLength: (value, high) =>
    typeof value !== "string" || value.length <= high || lengthOf(value) <= high ? null : failing(value, "is too long"),
};

function checkProperties(value: Json, schema: Schema, schemas: Record<string, Schema>): string | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required) if (!(name in value)) return `"${name}" is missing`;
  for (const [name, field] of Object.entries(value)) {
    const declared = properties[name];
    if (!declared && additionalProperties === undefined) return `"${name}" is not declared`;
    const problem = declared && at(name, findMismatch(field, declared, schemas));
    if (problem) return problem;
  }
  return null;
}

function isType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const at = (place: string | number, problem: string | null) => problem && `${place}: ${problem}`;

const show = (value: unknown) => (JSON.stringify(value) ?? "undefined").slice(0, 100);

/** JSON Schema counts characters, and not UTF-16 units. */
const lengthOf = (text: string) => Array.from(text).length;
