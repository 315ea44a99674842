import type { Answer, Api, Group, Operation, Schema } from "./api-document.ts";
import { exampleOrigin } from "./curl.ts";
import { fieldTable, typeOf } from "./fields.ts";
import { type Html, html, json, prose } from "../../platform/markup.ts";
import { methodName, operationEntry, operationSection, sample } from "./operation.ts";
import { mark, page } from "./page.ts";

/** The operations of the API. Without a script, each is read on its own page; with one, it is opened and tried here. */
export function docsPage(api: Api): string {
  return frame(
    api,
    `${api.title} API`,
    html`<div class="columns">
      ${contents(api)}
      <main id="content">
        ${introduction(api)} ${api.groups.map((group, index) => groupSection(group, index + 1))}
        <p id="nothing" hidden>
          No operation matches. <button type="button" class="button quiet small">Show all</button>
        </p>
      </main>
    </div>`,
  );
}

export function operationPage(api: Api, operation: Operation): string {
  return frame(
    api,
    `${operation.summary} · ${api.title} API`,
    html`<main id="content" class="single">
      <p><a href="/docs#${operation.id}">All operations</a></p>
      ${operationSection(api, operation)}
    </main>`,
  );
}

/** What many operations share: errors and schemas. */
export function referencePage(api: Api): string {
  return frame(
    api,
    `Errors and schemas · ${api.title} API`,
    html`<main id="content" class="single">
      <p><a href="/docs">All operations</a></p>
      <h1>Errors and schemas</h1>
      ${sharedAnswers(api.sharedAnswers)} ${schemas(api)}
    </main>`,
  );
}

function frame(api: Api, title: string, body: Html): string {
  return page(
    title,
    api.description,
    html`<a class="skip" href="#content">Skip to the content</a>
      ${banner()} ${body}
      <footer>
        <p class="quiet">
          ${api.title} ${api.version} · <a href="/openapi.json">openapi.json</a> ·
          <a href="#content">Back to the top</a>
        </p>
      </footer>`,
    { styles: ["/assets/docs.css", "/assets/operation.css"], script: "/assets/docs.js" },
  );
}

function banner(): Html {
  return html`<header class="banner">
    <a class="brand" href="/">${mark} Vitrine</a>
    <a class="bell scripted" href="#account">Sign in</a>
    <section id="account" class="scripted" aria-label="Your account" tabindex="-1">
      <form id="sign-in" method="post">
        <p>
          <label for="username">Username</label>
          <input id="username" autocomplete="username" autocapitalize="off" spellcheck="false" required />
        </p>
        <p>
          <label for="password">Password</label>
          <input id="password" type="password" autocomplete="current-password" required />
        </p>
        <p class="buttons">
          <button class="button small" value="/signin" disabled>Sign in</button>
          <button class="button quiet small" value="/signup" disabled>Sign up</button>
        </p>
      </form>
      <p id="signed-in" hidden>
        Signed in as <b id="who"></b> <span class="quiet" id="role"></span>
        <button type="button" class="button quiet small" id="sign-out">Sign out</button>
      </p>
      <p id="account-note" role="status"></p>
    </section>
  </header>`;
}

function contents({ groups }: Api): Html {
  return html`<nav class="contents" aria-label="Contents">
    <p class="scripted find">
      <label for="filter">Find an operation</label>
      <input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="photo, delete, /files" />
      <small id="found" role="status"></small>
    </p>
    <ul class="groups">
      ${groups.map(
        ({ name, operations }) =>
          html`<li>
            <a href="#${groupID(name)}">${name}</a>
            <ul>
              ${operations.map(
                ({ id, method, summary }) =>
                  html`<li>
                    <a href="#${id}">${methodName(method)} <span>${summary}</span></a>
                  </li> `,
              )}
            </ul>
          </li> `,
      )}
      <li class="rest"><a href="/docs/reference#answers">Errors</a></li>
      <li class="rest"><a href="/docs/reference#schemas">Schemas</a></li>
    </ul>
  </nav>`;
}

function introduction({ title, version, description }: Api): Html {
  const origin = html`<span data-origin>${exampleOrigin}</span>`;
  return html`<section class="introduction" aria-labelledby="title">
    <h1 id="title">${title} API <small>${version}</small></h1>
    <p class="lead">${prose(description)}</p>
    <div class="facts">
      <p>
        Reading requires no account. To write, <a href="#signUp">create an account</a>,
        <a href="#signIn">get a token</a>, and send it as <code>Authorization: Bearer</code>.
        <span class="scripted"
          >Sign in at the top of this page, and the requests you try here will include your token.</span
        >
      </p>
      <p>
        Responses are JSON. An error says in <code>error</code> what went wrong and what to do. Unknown fields are
        ignored.
      </p>
    </div>
    <div class="samples">
      <figure class="case">
        <figcaption>A token for the examples</figcaption>
        <pre data-copy>
TOKEN=$(curl -s ${origin}/signin \\
  -H 'Content-Type: application/json' \\
  -d '{"username":"ada","password":"correct horse battery"}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')</pre>
      </figure>
    </div>
  </section>`;
}

function groupSection({ name, description, operations }: Group, number: number): Html {
  return html`<section class="group" aria-labelledby="${groupID(name)}">
    <h2 id="${groupID(name)}"><span class="number" aria-hidden="true">${number}</span> ${name}</h2>
    ${description && html`<p class="lead">${prose(description)}</p>`}
    ${operations.map((operation, index) => operationEntry(operation, `${number}.${index + 1}`))}
  </section> `;
}

function groupID(name: string): string {
  return `group-${name.toLowerCase().replaceAll(/\W+/g, "-")}`;
}

/** The errors that nearly every operation may return. */
function sharedAnswers(answers: Answer[]): Html {
  const shape = answers[0]?.content?.schema;
  return html`<section class="group reference" aria-labelledby="answers">
    <h2 id="answers">Errors</h2>
    <p class="lead">Errors that operations have in common${shape && html`. The body is an ${typeOf(shape)}`}.</p>
    <div class="shelf">
      ${answers.map(
        ({ status, description, content }) =>
          html`<article id="answer-${status}">
            <h3><b class="status s${status[0]}">${status}</b> ${prose(description)}</h3>
            ${content && sample("Example", json(content.example))}
          </article> `,
      )}
    </div>
  </section>`;
}

function schemas(api: Api): Html {
  return html`<section class="group reference" aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    <p class="lead">The fields of requests and responses.</p>
    ${api.schemas.map(([name, schema]) => schemaSection(api, name, schema))}
  </section>`;
}

function schemaSection(api: Api, name: string, schema: Schema): Html {
  return html`<article class="schema" id="schema-${name}">
    <h3>${name}</h3>
    ${schema.description && html`<p>${prose(schema.description)}</p>`}
    <div class="facts">${fieldTable(api, schema, `Fields of ${name}`)}</div>
  </article> `;
}
