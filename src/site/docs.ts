import type { OpenAPI } from "../platform/http/openapi.ts";
import { type Answer, type Api, type Group, readDocument, type Schema } from "./api-document.ts";
import { exampleOrigin } from "./curl.ts";
import { fieldTable, typeOf } from "./fields.ts";
import { type Html, html, json, prose } from "./markup.ts";
import { methodName, operationSection, sample } from "./operation.ts";
import { mark, page } from "./page.ts";

/** The whole API on one page, to read without a script and to try with one. */
export function docsPage(document: OpenAPI): string {
  const api = readDocument(document);
  const body = html`<a class="skip" href="#content">Skip to the content</a>
    ${banner()}
    <div class="columns">
      ${contents(api)}
      <main id="content">
        ${introduction(api)} ${api.groups.map((group, index) => groupSection(api, group, index + 1))}
        <p id="nothing" hidden>No operation has these words. <button type="button" class="plain">Show all</button></p>
        ${sharedAnswers(api.sharedAnswers)} ${schemas(api)}
      </main>
    </div>
    <footer>
      <p class="quiet">
        ${api.title} ${api.version} · <a href="/openapi.json">openapi.json</a> · <a href="#content">Back to the top</a>
      </p>
    </footer>`;
  return page(`${api.title} API`, api.description, body, {
    styles: ["/assets/docs.css", "/assets/operation.css"],
    script: "/assets/docs.js",
  });
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
          <button value="/signin" disabled>Sign in</button>
          <button value="/signup" class="plain" disabled>Sign up</button>
        </p>
      </form>
      <p id="signed-in" hidden>
        Signed in as <b id="who"></b> <span class="quiet" id="role"></span>
        <button type="button" class="plain" id="sign-out">Sign out</button>
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
      <li class="rest"><a href="#answers">Errors</a></li>
      <li class="rest"><a href="#schemas">Schemas</a></li>
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
        Anybody may read. To write, <a href="#signUp">make an account</a>, <a href="#signIn">get a token</a>, and send
        it along as <code>Authorization: Bearer</code>.
        <span class="scripted">Sign in at the top of this page, and what you try here sends it for you.</span>
      </p>
      <p>
        Answers are JSON. An error says in <code>error</code> what went wrong and what to do. Fields that are not known
        are ignored.
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

function groupSection(api: Api, { name, description, operations }: Group, number: number): Html {
  return html`<section class="group" aria-labelledby="${groupID(name)}">
    <h2 id="${groupID(name)}"><span class="number" aria-hidden="true">${number}</span> ${name}</h2>
    ${description && html`<p class="lead">${prose(description)}</p>`}
    ${operations.map((operation, index) => operationSection(api, operation, `${number}.${index + 1}`))}
  </section> `;
}

function groupID(name: string): string {
  return `group-${name.toLowerCase().replaceAll(/\W+/g, "-")}`;
}

/** What nearly every operation may answer, told once. */
function sharedAnswers(answers: Answer[]): Html {
  const shape = answers[0]?.content?.schema;
  return html`<section class="group reference" aria-labelledby="answers">
    <h2 id="answers">Errors</h2>
    <p class="lead">
      The same for every operation that names them${shape && html`. What comes back is an ${typeOf(shape)}`}.
    </p>
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
    <p class="lead">The shapes of what goes in and comes out.</p>
    ${api.schemas.map(([name, schema]) => schemaSection(api, name, schema))}
  </section>`;
}

function schemaSection(api: Api, name: string, schema: Schema): Html {
  return html`<article class="schema" id="schema-${name}">
    <h3><a href="#schema-${name}">${name}</a></h3>
    ${schema.description && html`<p>${prose(schema.description)}</p>`}
    <div class="facts">${fieldTable(api, schema, `Fields of ${name}`)}</div>
  </article> `;
}
