import { fillIDs } from "./created.ts";
import { element, find, findAll } from "./page.ts";

/** An operation is loaded from its own page when it is opened. */
export function startOpening(): void {
  for (const part of findAll(".operation, .introduction")) prepare(part);
  for (const link of findAll(".operation .open")) link.setAttribute("aria-expanded", "false");
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(".operation .open");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void toggle(link);
  });
  addEventListener("hashchange", openTarget);
  openTarget();
}

async function toggle(link: HTMLAnchorElement): Promise<void> {
  const details = link.closest(".operation")?.querySelector<HTMLElement>(".details");
  if (!details) return load(link);
  details.hidden = !details.hidden;
  link.ariaExpanded = String(!details.hidden);
}

async function load(link: HTMLAnchorElement): Promise<void> {
  const operation = link.closest<HTMLElement>(".operation");
  if (!operation || operation.ariaBusy === "true") return;
  operation.ariaBusy = "true";
  try {
    const response = await fetch(link.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const details = document.adoptNode(find(".operation .details", page));
    // On its own page, the operation is the title.
    for (const heading of findAll("h2", details)) heading.ariaLevel = "4";
    prepare(details);
    operation.append(details);
    link.ariaExpanded = "true";
  } catch {
    // If it cannot be loaded here, its page may still be reachable.
    location.assign(link.href);
  }
  operation.ariaBusy = "false";
}

/** Opens the operation that the URL names. */
function openTarget(): void {
  const link = document.getElementById(location.hash.slice(1))?.querySelector<HTMLAnchorElement>(".open");
  if (link && link.ariaExpanded !== "true") void toggle(link);
}

/** Completes the HTML from the server: the address of this server, buttons, and ids of existing records. */
function prepare(part: HTMLElement): void {
  for (const span of findAll("[data-origin]", part)) span.textContent = location.origin;
  for (const button of findAll<HTMLButtonElement>("button[disabled]", part)) button.disabled = false;
  if (navigator.clipboard) for (const pre of findAll("pre[data-copy]", part)) pre.before(copyButton(pre));
  for (const form of findAll<HTMLFormElement>(".try form", part)) fillIDs(form);
}

function copyButton(pre: HTMLElement): HTMLButtonElement {
  const button = element(
    "button",
    { type: "button", className: "button quiet small copy", ariaLabel: "Copy the command" },
    "Copy",
  );
  const copy = async () => {
    await navigator.clipboard.writeText(pre.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  };
  button.addEventListener("click", () => void copy());
  return button;
}
