import { exampleOf, type Json } from "../../src/platform/http/json-schema.ts";
import type { OpenAPI } from "../../src/platform/http/openapi.ts";

/** A part of a request that holds text chosen by the client. */
export type TextParameter = {
  name: string;
  method: string;
  path: string;
  isIn: "path" | "query" | "body" | "form";
  field: string;
  /** The maximum number of characters; null if no limit is known. */
  longest: number | null;
  /** The other fields of the body. */
  rest: Json;
};

export type Sent = { method: string; path: string; headers: Record<string, string>; body: string | null };

/** Every text parameter in the API description. */
export function textParametersOf({ paths, components }: OpenAPI): TextParameter[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const where = { method: method.toUpperCase(), path };
      const parameter = (isIn: TextParameter["isIn"], field: string, schema: Json, rest: Json = {}): TextParameter => {
        const longest = (schema.maxLength as number | undefined) ?? null;
        return { ...where, name: `${where.method} ${path} ${isIn} ${field}`, isIn, field, longest, rest };
      };
      const parameters = (operation.parameters as Json[]).flatMap(({ name, in: isIn, schema }) =>
        isIn === "path" || isIn === "query" ? parameter(isIn, String(name), schema as Json) : [],
      );
      const { form, json } = bodyOf(operation);
      const fields = Object.entries(json.properties ?? {}).filter(([, schema]) => hasText(schema as Json));
      const example = exampleOf(json, components.schemas) as Json;
      return [
        ...parameters,
        ...fields.map(([field, schema]) => parameter("body", field, schema as Json, example)),
        ...Object.keys(form.properties ?? {}).map((field) => parameter("form", field, {})),
      ];
    }),
  );

  function bodyOf(operation: Json): { form: Json; json: Json } {
    const content = (operation.requestBody as Json | undefined)?.content as
      Record<string, { schema: Json }> | undefined;
    const read = (type: string) => resolve(content?.[type]?.schema ?? {});
    return { form: read("multipart/form-data"), json: read("application/json") };
  }

  function resolve(schema: Json): Json {
    const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
    return name ? (components.schemas[name] ?? {}) : schema;
  }
}

const hasText = (schema: Json) => schema.type === "string";

/** The request with `text` as this parameter. `ids` has the ids of existing records, by the prefix of their paths. */
export function fill(parameter: TextParameter, text: string, ids: Record<string, number>): Sent {
  const { method, isIn, field, rest } = parameter;
  const id = Object.entries(ids).find(([start]) => parameter.path.startsWith(start))?.[1] ?? 1;
  const path = parameter.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return isIn === "path" && name === field ? encodeURIComponent(text) : String(id);
  });
  if (isIn === "query")
    return { method, path: `${path}?${field}=${encodeURIComponent(text)}`, headers: {}, body: null };
  if (isIn === "path") return { method, path, headers: {}, body: null };
  if (isIn === "form") return { method, path, ...formWith(field, text) };
  const body = JSON.stringify({ ...rest, [field]: text });
  return { method, path, headers: { "Content-Type": "application/json" }, body };
}

/** A form with one field and a file. */
function formWith(field: string, text: string): Pick<Sent, "headers" | "body"> {
  const head = `--x\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`;
  const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n`;
  return { headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: `${head}${file}--x--\r\n` };
}
