/* Searches a static copy of the site, which has no server: in an index that is loaded, in parts, with the first search. */

import MiniSearch, { type SearchResult } from "minisearch";
import { copiedIndex, type CopiedPage } from "../search/copied-index.ts";

type Texts = { kinds: Record<string, string>; found: string; nothing: string; failed: string };
type Hit = SearchResult & Pick<CopiedPage, "title" | "link" | "kind" | "excerpt">;

const maxShown = 50;
const pauseMs = 150;

const page = document.querySelector<HTMLElement>(".search-page[data-index]");
const form = page?.querySelector("form");
const input = page?.querySelector<HTMLInputElement>('input[type="search"]');
if (page && form && input) start(page, form, input);

function start(page: HTMLElement, form: HTMLFormElement, input: HTMLInputElement): void {
  const { index: address = "", texts: json = "{}" } = page.dataset;
  const texts = JSON.parse(json) as Texts;
  const status = page.querySelector("[role=status]");
  const list = page.querySelector(".hits");
  let loading: Promise<MiniSearch<CopiedPage>[]> | null = null;
  let timer = 0;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void search();
  });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), pauseMs);
  });
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  if (input.value !== "") void search();

  async function search(): Promise<void> {
    const query = input.value.trim();
    history.replaceState(null, "", query === "" ? location.pathname : `?q=${encodeURIComponent(query)}`);
    try {
      if (query === "") return show(query, []);
      const parts = await (loading ??= load(address));
      const hits = parts
        .flatMap((part) => part.search(query) as Hit[])
        .toSorted((one, other) => other.score - one.score);
      if (query === input.value.trim()) show(query, hits);
    } catch {
      loading = null;
      if (status) status.textContent = texts.failed;
    }
  }

  function show(query: string, hits: Hit[]): void {
    list?.replaceChildren(...hits.slice(0, maxShown).map((hit) => toItem(hit, texts.kinds)));
    if (!status) return;
    const sentence = hits.length === 0 ? texts.nothing.replace("…", () => query) : `${texts.found}${hits.length}`;
    status.textContent = query === "" ? "" : sentence;
  }
}

async function load(address: string): Promise<MiniSearch<CopiedPage>[]> {
  const list = await read(address);
  const parts = (await list.json()) as string[];
  return Promise.all(
    parts.map(async (part) =>
      MiniSearch.loadJSON(await (await read(new URL(part, list.url).href)).text(), copiedIndex),
    ),
  );
}

async function read(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.statusText);
  return response;
}

function toItem({ title, link, kind, excerpt }: Hit, kinds: Texts["kinds"]): HTMLElement {
  const [item, box, heading, anchor] = [create("li", "hit"), create("div"), create("h2"), create("a", "", title)];
  anchor.setAttribute("href", link);
  anchor.dir = "auto";
  heading.append(anchor);
  box.append(create("p", "eyebrow", kinds[kind] ?? ""), heading, ...(excerpt ? [create("p", "", excerpt)] : []));
  item.append(box);
  return item;
}

function create(name: string, className = "", text = ""): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}
