import { type Api, nameOf, type Parameter, resolve, type Schema } from "./api-document.ts";
import { type Html, html, json, prose } from "../../platform/markup.ts";

type Row = { name: string; type: Html; need: string; limits: string; description: Html | null };

export function parameterTable(parameters: Parameter[]): Html {
  const rows = parameters.map((parameter) => ({
    ...toRow(parameter.name, parameter.schema, parameter.required ?? false),
    type: html`${typeOf(parameter.schema)} <span class="quiet">in ${parameter.in}</span>`,
    description: parameter.description ? prose(parameter.description) : null,
  }));
  return table("Parameters", rows);
}

/** The fields of an object; for anything else, its type. */
export function fieldTable(api: Api, named: Schema, caption: string): Html {
  const { schema } = resolve(api, named);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return table(
    caption,
    fields.map(([name, field]) => toRow(name, field, schema.required?.includes(name) ?? false)),
  );
}

function toRow(name: string, schema: Schema, isRequired: boolean): Row {
  return {
    name,
    type: typeOf(schema),
    need: isRequired ? "required" : "optional",
    limits: limitsOf(schema),
    description: schema.description ? prose(schema.description) : null,
  };
}

// Explicit roles, because on a narrow screen the rows are laid out as blocks, which would hide the table from screen
// readers.
function table(caption: string, rows: Row[]): Html {
  const hasLimits = rows.some(({ limits }) => limits);
  const hasDescription = rows.some(({ description }) => description);
  return html`<table role="table" aria-label="${caption}">
    <thead role="rowgroup">
      <tr role="row">
        ${["Name", "Type", "Required", hasLimits && "Limits", hasDescription && "Description"].map(
          (title) => title && html`<th role="columnheader" scope="col">${title}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ({ name, type, need, limits, description }) =>
          html`<tr role="row">
            <th role="rowheader" scope="row"><code>${name}</code></th>
            <td role="cell">${type}</td>
            <td role="cell" class="${need}">${need}</td>
            ${hasLimits && html`<td role="cell">${limits}</td>`}
            ${hasDescription && html`<td role="cell" class="about">${description}</td>`}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

export function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="/docs/reference#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf) return either(schema.anyOf.map(typeOf));
  if (schema.enum) return either(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  if (schema.type === "array") return html`array of ${schema.items ? typeOf(schema.items) : "anything"}`;
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === "object" && schema.properties) return html`{ ${Object.keys(schema.properties).join(", ")} }`;
  if (schema.format === "date-time") return html`time, ISO 8601`;
  if (schema.format === "binary") return html`bytes`;
  return html`${schema.type ?? "anything"}`;
}

function either(parts: Html[]): Html {
  return html`${parts.map((part, index) => [index > 0 && " or ", part])}`;
}

export function limitsOf(schema: Schema): string {
  const value = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const limits = [
    range(value.minimum, value.maximum, ""),
    range(value.minLength, value.maxLength, " characters"),
    range(value.minItems, value.maxItems, " items"),
    schema.default === undefined ? "" : `default ${json(schema.default)}`,
  ];
  return limits.filter(Boolean).join(", ");
}

/** The maximum safe integer is not a limit worth showing. */
function range(low: number | undefined, high: number | undefined, unit: string): string {
  const from = low === undefined || low <= Number.MIN_SAFE_INTEGER ? null : low.toLocaleString("en");
  const to = high === undefined || high >= Number.MAX_SAFE_INTEGER ? null : high.toLocaleString("en");
  if (from !== null && to !== null) return `${from} to ${to}${unit}`;
  if (from !== null) return `at least ${from}${low === 1 ? unit.replace(/s$/, "") : unit}`;
  return to === null ? "" : `up to ${to}${unit}`;
}
