import { find, findAll, findInput } from "./page.ts";

/** Filters operations by words, and marks the current one in the contents. */
export function startFilter(): void {
  const input = findInput("#filter");
  input.addEventListener("input", () => {
    filter();
    scrollTo(0, 0);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") showAll();
  });
  find("#nothing button").addEventListener("click", () => {
    showAll();
    input.focus();
  });
  addEventListener("hashchange", revealTarget);
  revealTarget();
  followReader();
}

function showAll(): void {
  findInput("#filter").value = "";
  filter();
}

function filter(): void {
  const words = findInput("#filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const operations = findAll(".operation");
  for (const operation of operations) {
    const text = operation.dataset.words ?? "";
    operation.hidden = !words.every((word) => text.includes(word));
    const entry = document.querySelector(`.contents a[href$="#${operation.id}"]`)?.closest("li");
    if (entry) entry.hidden = operation.hidden;
  }
  for (const group of findAll(".groups > li:not(.rest)")) group.hidden = !group.querySelector("ul > li:not([hidden])");
  for (const group of findAll(".group")) group.hidden = !group.querySelector(".operation:not([hidden])");
  for (const other of findAll(".introduction, .groups > .rest")) other.hidden = words.length > 0;
  const found = operations.filter(({ hidden }) => !hidden).length;
  find(".contents").classList.toggle("filtering", words.length > 0);
  find("#found").textContent = words.length > 0 ? `${found} of ${operations.length}` : "";
  find("#nothing").hidden = found > 0;
}

function followReader(): void {
  const links = new Map(findAll<HTMLAnchorElement>(".contents a").map((link) => [link.hash.slice(1), link]));
  const operations = findAll(".operation");
  const seen = new Set<Element>();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      const read = operations.find((operation) => seen.has(operation));
      if (!read) return;
      for (const link of links.values()) link.removeAttribute("aria-current");
      const link = links.get(read.id);
      link?.setAttribute("aria-current", "location");
      if (link) keepInSight(link, find(".contents"));
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const operation of operations) watcher.observe(operation);
}

// Not scrollIntoView: if the contents have no scroll bar of their own, it would scroll the whole page.
function keepInSight(link: HTMLElement, box: HTMLElement): void {
  const top = link.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - 40) box.scrollTop += top - box.clientHeight / 3;
}

/** A link to an operation that the filter hides shows everything again. */
function revealTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest("[hidden]")) return;
  showAll();
  target.scrollIntoView();
}
