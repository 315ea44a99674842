/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { z } from "zod";
import {
  confirm,
  findAsked,
  findSubscribed,
  subscribe,
  unsubscribeWith,
} from "../../../features/newsletter/subscribe.ts";
import type { Database } from "../../../platform/database/database.ts";
import { missing, Problem } from "../../../platform/errors.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import type { RateLimit } from "../../../platform/limits/rate-limit.ts";
import { trapField } from "../comments/forms.tsx";
import { type Page, page, type PageCall, type View, type Visit } from "../page.ts";
import { newsletterTexts } from "../texts/newsletter.ts";
import { canSubscribe, SubscribeForm } from "./form.tsx";

type Deps = {
  db: Database;
  guesses: RateLimit;
  /** A page that a person has written for the same address, for a site without a newsletter. */
  written: Page;
};

const tokenQuery = z.object({ token: z.string().max(200).optional() });

/** Subscribing to new posts and ending it, without a script. What changes something is never a GET: scanners of mail open every link. */
export function newsletterPages({ db, guesses, written }: Deps): Page[] {
  return [
    page({
      path: "/newsletter",
      async handle(call) {
        if (!canSubscribe(call)) return written.handle({ ...call, params: { slug: "newsletter" } });
        return formView(call);
      },
    }),

    page({
      path: "/newsletter",
      method: "POST",
      async handle(call) {
        const { language, exchange } = call;
        if (!canSubscribe(call)) throw missing("such page");
        const { email = "", [trapField]: trap } = await readPageForm(exchange);
        if (trap) return sentView(call);
        try {
          const { address: from, baseURL } = exchange;
          await subscribe({ db, guesses, baseURL }, { email, from, language });
          return sentView(call);
        } catch (error) {
          return formView(call, { email, ...explain(error, call) });
        }
      },
    }),

    page({
      path: "/newsletter/confirm",
      query: tokenQuery,
      async handle({ query, ...visit }) {
        const t = newsletterTexts[visit.language];
        const asked = await findAsked(db, query.token ?? "");
        if (!asked) return lostView(visit, t.lostConfirm);
        return askView(visit, {
          title: t.confirmTitle,
          text: t.confirm(asked.address),
          action: "/newsletter/confirm",
          token: query.token ?? "",
          button: t.confirmButton,
        });
      },
    }),

    page({
      path: "/newsletter/confirm",
      method: "POST",
      async handle(visit) {
        const t = newsletterTexts[visit.language];
        const { token = "" } = await readPageForm(visit.exchange);
        if (!(await db.transaction((tx) => confirm(tx, token)))) return lostView(visit, t.lostConfirm);
        return plainView(visit, { title: t.confirmedTitle, body: <p>{t.confirmed}</p> });
      },
    }),

    page({
      path: "/newsletter/unsubscribe",
      query: tokenQuery,
      async handle({ query, ...visit }) {
        const t = newsletterTexts[visit.language];
        const found = await findSubscribed(db, query.token ?? "");
        if (!found) return lostView(visit, t.lostUnsubscribe);
        if (found.state === "unsubscribed") return leftView(visit);
        return askView(visit, {
          title: t.leaveTitle,
          text: t.leave(found.address),
          action: `/newsletter/unsubscribe?token=${encodeURIComponent(query.token ?? "")}`,
          token: "",
          button: t.leaveButton,
        });
      },
    }),

    page({
      path: "/newsletter/unsubscribe",
      method: "POST",
      query: tokenQuery,
      // Mail programs send this automatically (RFC 8058), so it may come from anywhere, and its body does not matter.
      async handle({ query, ...visit }) {
        const isKnown = await db.transaction((tx) => unsubscribeWith(tx, query.token ?? ""));
        return isKnown ? leftView(visit) : lostView(visit, newsletterTexts[visit.language].lostUnsubscribe);
      },
    }),
  ];
}

function explain(
  error: unknown,
  { language }: Visit,
): { error: string; status: number; headers?: Record<string, string> | undefined } {
  const t = newsletterTexts[language];
  if (!(error instanceof Problem)) throw error;
  const { code, status, headers } = error;
  if (code === "invalid") return { error: t.invalid, status };
  if (code === "limited") return { error: t.limited, status, headers };
  if (code === "busy") return { error: t.full, status, headers };
  throw error;
}

type SubscribeForm = { email?: string; error?: string; status?: number; headers?: Record<string, string> | undefined };

function formView(visit: PageCall<unknown> | Visit, { email, error, status = 200, headers }: SubscribeForm = {}): View {
  const t = newsletterTexts[visit.language];
  return {
    title: t.title,
    description: t.about(visit.settings.siteName),
    canonical: error ? null : "/newsletter",
    isForm: true,
    status,
    headers,
    body: (
      <div class="account">
        <h1>{t.invite}</h1>
        <p>{t.about(visit.settings.siteName)}</p>
        <SubscribeForm visit={visit} value={email} error={error} />
      </div>
    ),
  };
}

const sentView = (visit: Visit): View => {
  const t = newsletterTexts[visit.language];
  return plainView(visit, {
    title: t.sentTitle,
    body: (
      <>
        <p>{t.sent}</p>
        <p class="quiet">{t.sentHint}</p>
      </>
    ),
  });
};

const leftView = (visit: Visit): View => {
  const t = newsletterTexts[visit.language];
  const again = canSubscribe(visit) ? <a href="/newsletter">{t.subscribeAgain}</a> : null;
  return plainView(visit, {
    title: t.leftTitle,
    body: (
      <>
        <p>{t.left}</p>
        {again ? <p>{again}</p> : null}
      </>
    ),
  });
};

const lostView = (visit: Visit, text: string): View => ({
  ...plainView(visit, { title: newsletterTexts[visit.language].lostTitle, body: <p>{text}</p> }),
  status: 410,
});

type Question = { title: string; text: string; action: string; token: string; button: string };

/** A page with one button. */
const askView = (visit: Visit, { title, text, action, token, button }: Question): View =>
  plainView(visit, {
    title,
    isQuestion: true,
    body: (
      <>
        <p>{text}</p>
        <form method="post" action={action} class="stack">
          {token === "" ? null : <input type="hidden" name="token" value={token} />}
          <button class="button" type="submit">
            {button}
          </button>
        </form>
      </>
    ),
  });

/** Its address may have a token in it: no cache keeps it. */
const plainView = (
  { language }: Visit,
  { title, body, isQuestion = false }: { title: string; body: Child; isQuestion?: boolean },
): View => ({
  title,
  canonical: null,
  isForm: true,
  headers: { "Cache-Control": "private, no-store" },
  body: (
    <div class="account">
      <h1>{title}</h1>
      {body}
      {isQuestion ? null : (
        <p class="quiet">
          <a href="/">{newsletterTexts[language].home}</a>
        </p>
      )}
    </div>
  ),
});
