import { translate } from "./language.ts";

const t = translate({ en: { done: "Done", open: "Not done" }, de: { done: "Erledigt", open: "Nicht erledigt" } });

/** Rendered Markdown as the site shows it: the keyboard reaches what can be scrolled, and tasks say whether they are done. */
export function reachableHTML(html: string): string {
  const template = document.createElement("template");
  // The HTML comes from the sanitizer of the server.
  template.innerHTML = html;
  for (const text of template.content.querySelectorAll("pre")) text.tabIndex = 0;
  for (const box of template.content.querySelectorAll("input")) {
    box.setAttribute("aria-label", box.hasAttribute("checked") ? t.done : t.open);
  }
  return template.innerHTML;
}
