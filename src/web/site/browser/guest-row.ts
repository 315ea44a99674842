import type { GuestTexts } from "./guest-texts.ts";

/** `refused` is what cannot be sent at all. */
type State = "waiting" | "sending" | "sent" | "failed" | "refused";

/** A picture in the list: what it looks like, how much of it was sent, and a button to remove it or to try again. */
export type GuestRow = {
  file: File;
  element: HTMLElement;
  readonly state: State;
  /** How much of it was sent, from 0 to 1. */
  readonly part: number;
  /** `problem` is why it failed; without a language, it is that of the page. */
  show(state: State, problem?: { text: string; lang?: string }): void;
  showPart(part: number): void;
};

export function createRow(file: File, texts: GuestTexts, onPress: (row: GuestRow) => void): GuestRow {
  const element = document.createElement("li");
  const name = textIn("span", file.name);
  name.className = "upload-name";
  name.dir = "auto";
  const status = textIn("span", texts.waiting);
  status.className = "upload-state";
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.ariaLabel = file.name;
  bar.hidden = true;
  const button = textIn("button", "");
  button.type = "button";
  button.className = "button quiet small";
  button.addEventListener("click", () => onPress(row));
  element.append(createThumbnail(file), name, status, bar, button);
  let state: State = "waiting";
  let part = 0;
  const row: GuestRow = {
    file,
    element,
    get state() {
      return state;
    },
    get part() {
      return part;
    },
    show(next, problem) {
      state = next;
      element.dataset["state"] = next;
      status.textContent = problem?.text ?? texts[next === "refused" ? "failed" : next];
      status.lang = problem?.lang ?? "";
      if (!problem?.lang) status.removeAttribute("lang");
      bar.hidden = next !== "sending";
      button.hidden = next === "sending" || next === "sent";
      button.textContent = next === "failed" ? texts.retry : texts.remove;
      button.ariaLabel = `${button.textContent}: ${file.name}`;
      row.showPart(next === "sent" ? 1 : 0);
    },
    showPart(next) {
      part = next;
      bar.value = next;
    },
  };
  row.show("waiting");
  return row;
}

function createThumbnail(file: File): HTMLElement {
  const frame = document.createElement("span");
  frame.className = "upload-picture";
  if (!file.type.startsWith("image/")) return frame;
  const image = new Image();
  image.alt = "";
  image.loading = "lazy";
  image.decoding = "async";
  image.src = URL.createObjectURL(file);
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  // Some browsers cannot show every format that the server reads.
  image.addEventListener("error", () => image.remove(), { once: true });
  frame.append(image);
  return frame;
}

function textIn<Tag extends "span" | "button">(tag: Tag, text: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
