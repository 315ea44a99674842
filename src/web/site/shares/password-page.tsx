/** @jsxImportSource hono/jsx */
import { Problem } from "../../../platform/errors.ts";
import type { Stream } from "../../../platform/http/content.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import type { ShareLinks } from "../../../features/shares/links.ts";
import { redirect, type View, type Visit } from "../page.ts";
import { shareTexts } from "../texts/shares.ts";

/**
 * Without a referrer, browsers do not say which origin a form comes from, and it would be refused. A page with a form
 * therefore tells its address to this server, and to no one else.
 */
export const formHeaders = { "Referrer-Policy": "same-origin" };

type Failed = { status: number; error: string; headers?: Record<string, string> | undefined };

/** Says nothing of what the link leads to. */
export function passwordView(visit: Visit, next: string, failed?: Failed): View {
  const t = shareTexts[visit.language];
  return {
    title: t.locked,
    canonical: null,
    isForm: true,
    status: failed?.status ?? 401,
    headers: { ...failed?.headers, ...formHeaders },
    body: (
      <div class="account">
        <h1>{t.locked}</h1>
        <p class="quiet">{t.lockedText}</p>
        <form class="stack" method="post" action={visit.links.prefix}>
          <div class="field">
            <label for="password">{t.password}</label>
            <input
              id="password"
              name="password"
              type="password"
              required
              autofocus
              autocomplete="current-password"
              maxlength={256}
              aria-invalid={failed ? "true" : undefined}
              aria-describedby={failed ? "password-error" : undefined}
            />
            {failed ? (
              <p class="error" id="password-error" role="alert">
                {failed.error}
              </p>
            ) : null}
          </div>
          <input type="hidden" name="next" value={next} />
          <button class="button" type="submit">
            {t.unlock}
          </button>
        </form>
      </div>
    ),
  };
}

/** Sets the cookie that opens the link, and leads to the page that was asked for. */
export async function unlock(visit: Visit, shareLinks: ShareLinks): Promise<View | Stream> {
  const { language, exchange, links } = visit;
  const t = shareTexts[language];
  const { password = "", next = "" } = await readPageForm(exchange);
  const target = isInLink(next) ? next : "";
  try {
    const headers = await shareLinks.unlock(exchange, password);
    if (headers) return redirect(links.prefix + target, 303, headers);
    return passwordView(visit, target, { status: 401, error: t.wrong });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "limited") throw error;
    const { status, headers } = error;
    return passwordView(visit, target, { status, error: t.tooMany(Number(headers?.["Retry-After"] ?? 60)), headers });
  }
}

/** Whether this is the rest of the address of a page below a link. */
const isInLink = (rest: string) => rest.length < 4096 && /^\/[\w./~!*'()%?=&-]+$/.test(rest);
