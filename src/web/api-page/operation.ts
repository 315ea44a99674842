import { type Answer, type Api, type Operation, resolve, type Schema } from "./api-document.ts";
import { curlFor, exampleOrigin } from "./curl.ts";
import { fieldTable, parameterTable, typeOf } from "./fields.ts";
import { type Html, html, json, prose } from "../../platform/markup.ts";
import { tryForm } from "./try-form.ts";

const longExample = 16;

/** One operation in the list. The script loads its details from its own page when it is opened. */
export function operationEntry(operation: Operation, number: string): Html {
  const { id, summary } = operation;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title" data-words="${words(operation)}">
    <header>
      <h3 id="${id}-title">
        <a class="open" href="${operationPath(id)}"
          ><span class="number" aria-hidden="true">${number}</span> ${summary}</a
        >
      </h3>
      ${routeLine(operation)}
    </header>
  </article> `;
}

/** All of one operation: description, input, output, and how to call it. */
export function operationSection(api: Api, operation: Operation): Html {
  const { id, summary, description, parameters, body, answers } = operation;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
    <header>
      <h1 id="${id}-title">${summary}</h1>
      ${routeLine(operation)}
    </header>
    <div class="details">
      ${description && html`<p class="about">${prose(description)}</p>`}
      <div class="facts">
        ${
          parameters.length > 0 &&
          html`<h2>Parameters</h2>
            ${parameterTable(parameters)}`
        }
        ${
          body &&
          html`<h2>Body <small>${body.contentType}, ${typeOf(body.schema)}</small></h2>
            ${body.schema.format !== "binary" && html`${bodyNote(api, body.schema)}${fieldTable(api, body.schema, "Fields of the body")}`}`
        }
        <h2>Responses</h2>
        <ul class="answers">
          ${answers.map(answerLine)}
        </ul>
      </div>
      <div class="samples">
        ${body?.contentType === "application/json" && sample("Example body", json(body.example))}
        <figure class="case">
          <figcaption>curl</figcaption>
          <pre data-copy>${curl(api, operation)}</pre>
        </figure>
        ${answers.filter(({ isShared }) => !isShared).map(answerSample)}
      </div>
      ${tryForm(api, operation)}
    </div>
  </article> `;
}

export const operationPath = (id: string): `/${string}` => `/docs/${encodeURIComponent(id)}`;

function routeLine(operation: Operation): Html {
  const { method, path } = operation;
  return html`<p class="route">
    ${methodName(method)} ${pathName(path)} <span class="need">${need(operation)}</span>
  </p>`;
}

export function methodName(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function pathName(path: string): Html {
  const parts = path.split(/(\{\w+\})/);
  return html`<code class="path"
    >${parts.map((part) => (part.startsWith("{") ? html`<var>${part}</var>` : part))}</code
  >`;
}

function need({ needsToken, takesToken, role }: Operation): string {
  if (!needsToken) return takesToken ? "No token required; owners see more" : "No token required";
  return role ? `Requires role ${role} or higher` : "Token required";
}

function bodyNote(api: Api, named: Schema): Html {
  const { description = "", minProperties = 0 } = resolve(api, named).schema;
  const least = minProperties > 0 ? "Send at least one of these. " : "";
  return html`${(least || description) && html`<p>${prose(least + description)}</p>`}`;
}

function answerLine({ status, description, content, headers, isShared }: Answer): Html {
  const text = isShared
    ? html`<a href="/docs/reference#answer-${status}">${prose(description)}</a>`
    : prose(description);
  const type = !isShared && content && html`: ${typeOf(content.schema)}`;
  return html`<li>
    <b class="status s${status[0]}">${status}</b>
    <span
      >${text}${type}${headers.map(
        ({ name, description }) => html`<small><code>${name}</code> ${prose(description)}</small>`,
      )}</span
    >
  </li> `;
}

function curl(api: Api, operation: Operation): Html {
  const [before = "", after = ""] = curlFor(api, operation).split(exampleOrigin);
  return html`${before}<span data-origin>${exampleOrigin}</span>${after}`;
}

function answerSample({ status, content }: Answer): Html {
  if (content?.contentType !== "application/json" || Number(status) >= 400) return html``;
  return sample(`Response ${status}`, json(content.example));
}

export function sample(title: string, text: string): Html {
  if (text.split("\n").length <= longExample)
    return html`<figure class="case">
      <figcaption>${title}</figcaption>
      <pre>${text}</pre>
    </figure>`;
  return html`<details class="case">
    <summary>${title}</summary>
    <pre>${text}</pre>
  </details>`;
}

function words({ id, method, path, summary, description }: Operation): string {
  return [id, method, path, summary, description].join(" ").toLowerCase();
}
