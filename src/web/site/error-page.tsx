/** @jsxImportSource hono/jsx */
import type { ErrorPage } from "../../platform/http/failures.ts";
import type { Renderer } from "./render.ts";
import { errorTexts, textOf } from "./texts/errors.ts";

/** What a browser gets if a request has failed. */
export const errorPage =
  ({ openVisit, render }: Renderer): ErrorPage =>
  async (exchange, { code, status, message, headers }) => {
    const visit = await openVisit(exchange, null);
    const t = errorTexts[visit.language];
    const kind = textOf(code, status);
    const { title, text } = t[kind];
    const body = (
      <div class="notice-page">
        <p class="eyebrow">{status}</p>
        <h1>{title}</h1>
        <p>{text || message}</p>
        {kind === "factor" ? (
          <form method="post" action="/session/end">
            <p>
              <a class="button" href="/studio/account">
                {t.setUpFactor}
              </a>
            </p>
            <p>
              <button class="button quiet" type="submit">
                {t.signOut}
              </button>
            </p>
          </form>
        ) : (
          <p>
            <a class="button" href="/">
              {t.back}
            </a>
          </p>
        )}
        {status >= 500 ? (
          <p class="quiet">
            {t.reference}: <code>{exchange.id}</code>
          </p>
        ) : null}
      </div>
    );
    const answer = render(visit, { title, body, canonical: null, status });
    Object.assign(answer.plain.headers, headers);
    return answer;
  };
