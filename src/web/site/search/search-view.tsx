/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Language } from "../language.ts";
import { Pager } from "../pager.tsx";
import { commonTexts } from "../texts/common.ts";
import { searchTexts } from "../texts/search.ts";
import type { Hit } from "./hits.ts";

type SearchQuery = { q: string; kind: string | undefined; page: number };

type Props = { language: Language; wanted: SearchQuery; names: string[]; hits: Hit[]; hasMore: boolean };

export function SearchView({ language, wanted, names, hits, hasMore }: Props) {
  const t = searchTexts[language];
  const { q, kind, page } = wanted;
  return (
    <div class="column search-page">
      <h1>{t.title}</h1>
      <form class="search-form" action="/search" method="get" role="search">
        <label class="field">
          <span class="visually-hidden">{t.label}</span>
          <input
            type="search"
            name="q"
            value={q}
            maxlength={200}
            placeholder={t.label}
            dir="auto"
            autofocus={q === ""}
          />
        </label>
        {kind === undefined ? null : <input type="hidden" name="kind" value={kind} />}
        <button class="button" type="submit">
          {t.submit}
        </button>
      </form>
      {q === "" ? <p class="quiet">{t.hint}</p> : <Kinds language={language} wanted={wanted} names={names} />}
      {q !== "" && hits.length === 0 ? (
        <div class="empty">
          <p dir="auto">{t.nothing(q)}</p>
          <ul>
            {t.advice.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {hits.length > 0 ? (
        <ol class="hits" data-list>
          {hits.map((hit) => (
            <Found hit={hit} language={language} />
          ))}
        </ol>
      ) : null}
      <Pager
        label={t.title}
        previous={page > 1 ? [addressOf({ ...wanted, page: page - 1 }), t.back] : null}
        next={hasMore ? [addressOf({ ...wanted, page: page + 1 }), t.more] : null}
      />
    </div>
  );
}

function Kinds({ language, wanted, names }: Pick<Props, "language" | "wanted" | "names">) {
  const t = searchTexts[language];
  const choices = [undefined, ...names.filter((name) => name in t.kind)];
  return (
    <nav class="kinds" aria-label={t.kinds}>
      <ul>
        {choices.map((kind) => (
          <li>
            <a
              class="chip"
              href={addressOf({ ...wanted, kind, page: 1 })}
              aria-current={kind === wanted.kind ? "true" : undefined}
            >
              {kind === undefined ? t.all : t.kind[kind]?.many}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Found({ hit, language }: { hit: Hit; language: Language }) {
  const { kind, href, title, excerptHTML, detail, picture, isPrivate } = hit;
  // The search has escaped everything but its own <mark> elements.
  const shown = "html" in title ? raw(title.html) : title.text;
  return (
    <li class="hit">
      <div>
        <p class="eyebrow">
          {searchTexts[language].kind[kind]?.one ?? kind}
          {detail === "" ? null : (
            <>
              {" · "}
              <bdi>{detail}</bdi>
            </>
          )}
          {isPrivate ? <span class="chip">{commonTexts[language].private}</span> : null}
        </p>
        <h2 dir="auto">{href === null ? shown : <a href={href}>{shown}</a>}</h2>
        {excerptHTML === "" ? null : <p dir="auto">{raw(excerptHTML)}</p>}
      </div>
      {picture ? (
        <img src={picture.url} width={picture.width} height={picture.height} alt="" loading="lazy" decoding="async" />
      ) : null}
    </li>
  );
}

function addressOf({ q, kind, page }: SearchQuery): string {
  const parameters = new URLSearchParams({ q, ...(kind && { kind }), ...(page > 1 && { page: String(page) }) });
  return `/search?${parameters.toString()}`;
}
