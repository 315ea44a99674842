import { type Api, type Content, type Operation, type Parameter, resolve, type Schema } from "./api-document.ts";
import { limitsOf } from "./fields.ts";
import { type Html, html, json, plain } from "../../platform/markup.ts";

/**
 * The form from which the page's script sends requests. Its button is disabled until the script runs, so that the
 * browser never submits the form itself.
 */
export function tryForm(api: Api, operation: Operation): Html {
  const { id, method, path, parameters, body, needsToken, takesToken } = operation;
  return html`<details class="try">
    <summary class="button quiet small">Try it<span class="visually-hidden">: ${operation.summary}</span></summary>
    <form method="post" data-method="${method}" data-path="${path}" data-name="${id}" ${takesToken && "data-secured"}>
      <div class="inputs">
        ${needsToken && html`<p class="guests">This requires a token: <a href="#account">sign in</a> first.</p>`}
        ${parameters.map((parameter) => parameterInput(id, parameter))} ${body && bodyInputs(api, id, body)}
        <div class="needs"></div>
        <p class="send"><button class="button" disabled>Send</button> <code>${method} ${path}</code></p>
      </div>
      <div class="answer">
        <div class="outcome" role="status"></div>
        <div class="content"></div>
      </div>
    </form>
  </details>`;
}

function parameterInput(operationID: string, { name, in: place, required, schema, example }: Parameter): Html {
  const id = `${operationID}-${place}-${name}`;
  const value = required ? plain(example) : "";
  const hint = required ? "" : plain(schema.default);
  const isNumber = schema.type === "integer" || schema.type === "number";
  const label = html`<label for="${id}"><code>${name}</code> <small>in ${place}</small></label>`;
  if (schema.enum) return html`<p class="field">${label} ${choice(id, name, place, schema.enum)}</p> `;
  return html`<p class="field">
    ${label}
    <input
      id="${id}"
      name="${name}"
      data-in="${place}"
      value="${value}"
      placeholder="${hint}"
      autocomplete="off"
      ${isNumber && html`inputmode="numeric"`}
      ${place === "path" && "required"}
    />
  </p> `;
}

function choice(id: string, name: string, place: string, values: unknown[]): Html {
  return html`<select id="${id}" name="${name}" data-in="${place}">
    <option value="">leave out</option>
    ${values.map((value) => html`<option>${String(value)}</option>`)}
  </select>`;
}

function bodyInputs(api: Api, operationID: string, { contentType, schema, example }: Content): Html {
  if (schema.format === "binary") {
    const id = `${operationID}-bytes`;
    return html`<p class="field">
      <label for="${id}">Body <small>any file</small></label>
      <input type="file" id="${id}" data-in="bytes" data-type="${contentType}" />
    </p> `;
  }
  if (contentType !== "application/json") {
    const { properties = {} } = resolve(api, schema).schema;
    return html`${Object.entries(properties).map(([name, field]) => formInput(operationID, name, field))}`;
  }
  const id = `${operationID}-body`;
  const text = json(example);
  return html`<p class="field">
    <label for="${id}">Body <small>JSON</small></label>
    <textarea
      id="${id}"
      data-in="body"
      rows="${text.split("\n").length + 1}"
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
    >
${text}</textarea>
  </p>`;
}

function formInput(operationID: string, name: string, field: Schema): Html {
  const id = `${operationID}-form-${name}`;
  const control = () => {
    if (field.format === "binary") return html`<input type="file" id="${id}" name="${name}" data-in="form" />`;
    if (!field.enum)
      return html`<input
        id="${id}"
        name="${name}"
        data-in="form"
        placeholder="${limitsOf(field)}"
        autocomplete="off"
      />`;
    return choice(id, name, "form", field.enum);
  };
  return html`<p class="field">
    <label for="${id}"><code>${name}</code></label> ${control()}
  </p> `;
}
