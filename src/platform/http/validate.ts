import { z } from "zod";
import { invalid, type Problem } from "../errors.ts";
import { isStorable } from "../text.ts";

/** The value as defined by the schema, without unknown fields. Throws an error whose sentence names the field. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw describe(result.error.issues[0] as z.core.$ZodIssue, value);
}

/** Ids and the like: a positive integer that both engines and JavaScript represent exactly. */
export const id = () => z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** A line of text: not blank, no control characters. */
export const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.trim() !== "", { error: "must not be blank" })
    .refine((value) => isStorable(value) && !/\p{Cc}/u.test(value), {
      error: "must not contain control characters or broken Unicode",
    })
    .meta({ minLength: 1 });

/** Multi-line text. */
export const text = (max: number) =>
  z.string().max(max).refine(isStorable, { error: "must not contain NUL characters or broken Unicode" });

export const filledText = (max: number) =>
  text(max)
    .refine((value) => value.trim() !== "", { error: "must not be blank" })
    .meta({ minLength: 1 });

/** A field whose `null` counts as not sent, because it has no other meaning: programs send it for what they do not set. */
export const unlessNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** The same for a field that has a default. */
export const nullAs = (usual: string, schema: z.ZodString) =>
  schema
    .nullable()
    .default(usual)
    .transform((value) => value ?? usual);

/** A whole number in a query string. */
export const queryInteger = (max: number, min = 1) =>
  z
    .string()
    .regex(/^-?\d{1,16}$/, { error: "must be a whole number" })
    // Not -0.
    .transform((digits) => Number(digits) || 0)
    .pipe(z.int().min(min).max(max));

/** Several ids in a query string, such as `3,5,8`, for `toIDs`. */
export const queryIDs = (max: number) =>
  z
    .string()
    .max(17 * max)
    .regex(/^\d{1,16}(,\d{1,16})*$/, { error: "must be ids with commas between them, such as 3,5,8" })
    .refine((value) => toIDs(value).length <= max, { error: `must have at most ${max} ids` })
    .refine((value) => toIDs(value).every((one) => id().safeParse(one).success), {
      error: "must have only possible ids",
    })
    .meta({ example: "3,5,8" });

/** Each id once, in the order of the query. */
export const toIDs = (query: string): number[] => [...new Set(query.split(",").map(Number))];

/** A body of changes: fields that are not sent stay as they are, but at least one must be sent. */
export function changes<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z
    .object(shape)
    .partial()
    .refine((value) => Object.values(value).some((field) => field !== undefined), {
      error: `Send at least one of: ${names.join(", ")}.`,
    })
    .meta({ minProperties: 1 });
}

function describe(issue: z.core.$ZodIssue, value: unknown): Problem {
  const field = issue.path.map(String).join(".");
  if (!field) return invalid(issue.message);
  return invalid(`"${field}" ${complaint(issue, valueAt(value, issue.path))}.`, field);
}

function complaint(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      // A schema can have a sentence of its own.
      if (!issue.message.startsWith("Invalid input")) return issue.message;
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "too_small":
      if (issue.origin in parts && issue.minimum === 1) return "must not be empty";
      return issue.origin in parts
        ? `must have at least ${issue.minimum} ${parts[issue.origin]}`
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin in parts
        ? `must have at most ${issue.maximum} ${parts[issue.origin]}`
        : `must be at most ${issue.maximum}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    default:
      return issue.message;
  }
}

const kinds: Record<string, string> = {
  string: "a string",
  int: "a whole number",
  number: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};
const parts: Record<string, string> = { string: "characters", array: "entries" };

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
