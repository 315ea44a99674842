import { createRow, type GuestRow } from "./guest-row.ts";
import { sendPicture } from "./guest-send.ts";
import { fill, type GuestTexts } from "./guest-texts.ts";

const maxBytes = 2 ** 28;
/** While one picture is stored, the next one is sent. */
const atOnce = 2;

/** Turns the form for one picture into one for many: chosen, dropped or taken with the camera, and sent one after another. */
export function sendMany(form: HTMLFormElement): void {
  const texts = JSON.parse(form.dataset["texts"] ?? "{}") as GuestTexts;
  const url = form.dataset["guests"] ?? "";
  const input = form.querySelector<HTMLInputElement>("#file")!;
  const guestName = form.querySelector<HTMLInputElement>("#guest-name")!;
  const submit = form.querySelector<HTMLButtonElement>("[type=submit]")!;
  const sendLabel = submit.textContent;
  const rows: GuestRow[] = [];
  let isSending = false;
  let pause: Promise<void> | null = null;
  let pausedText = "";

  const list = document.createElement("ul");
  list.className = "uploads";
  list.ariaLabel = texts.list;
  const whole = document.createElement("progress");
  whole.ariaLabel = texts.list;
  const status = document.createElement("p");
  status.role = "status";
  for (const element of [list, whole]) element.hidden = true;

  const field = input.closest<HTMLElement>(".field")!;
  field.querySelector("label")!.textContent = texts.file;
  field.classList.add("drop");
  input.multiple = true;
  input.required = false;
  field.append(matchMedia("(pointer: coarse)").matches ? createCamera() : createHint());
  submit.closest(".actions")!.before(list, whole, status);
  rememberName(guestName, form.dataset["link"] ?? "");

  const take = (files: Iterable<File>) => {
    for (const file of files) add(file);
    showWhole();
  };
  input.addEventListener("change", () => {
    take(input.files ?? []);
    // The same picture may be chosen again after it was removed.
    input.value = "";
  });
  for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
    form.addEventListener(type, (event) => {
      event.preventDefault();
      field.classList.toggle("is-over", type === "dragenter" || type === "dragover");
      if (event instanceof DragEvent && type === "drop") take(event.dataTransfer?.files ?? []);
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (rows.length === 0) return input.click();
    for (const row of withState("failed")) row.show("waiting");
    void send();
  });
  addEventListener("beforeunload", (event) => {
    if (isSending) event.preventDefault();
  });
  showWhole();

  function add(file: File): void {
    const row = createRow(file, texts, (pressed) => {
      if (pressed.state === "failed") {
        pressed.show("waiting");
        void send();
      } else {
        rows.splice(rows.indexOf(pressed), 1);
        pressed.element.remove();
        input.focus();
      }
      showWhole();
    });
    const problem = problemOf(file);
    if (problem !== null) row.show("refused", { text: problem });
    rows.push(row);
    list.append(row.element);
  }

  function problemOf({ size, type }: File): string | null {
    if (size > maxBytes) return texts.tooLarge;
    // Browsers do not know the type of every picture.
    return type === "" || /^(image|video)\//.test(type) ? null : texts.notPicture;
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    showWhole();
    await Promise.all(Array.from({ length: atOnce }, sendWaiting));
    isSending = false;
    showWhole();
  }

  async function sendWaiting(): Promise<void> {
    for (let [row] = withState("waiting"); row; [row] = withState("waiting")) {
      await sendRow(row);
      await pause;
    }
  }

  async function waitFor(seconds: number): Promise<void> {
    pausedText = fill(texts.paused, { seconds });
    showWhole();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    [pause, pausedText] = [null, ""];
  }

  async function sendRow(row: GuestRow): Promise<void> {
    row.show("sending");
    const onProgress = (part: number) => {
      row.showPart(part);
      showWhole();
    };
    const result = await sendPicture(url, { file: row.file, guestName: guestName.value.trim(), onProgress });
    if (result.isSent) row.show("sent");
    else if ("wait" in result) {
      row.show("waiting");
      pause ??= waitFor(result.wait);
    } else {
      row.show("failed", result.sentence ? { text: result.sentence, lang: "en" } : { text: texts[result.reason] });
    }
    showWhole();
  }

  function showWhole(): void {
    const [done, refused, all] = [withState("sent").length, withState("refused").length, rows.length];
    const open = all - done - refused;
    const failed = withState("failed").length;
    list.hidden = all === 0;
    whole.hidden = !isSending;
    whole.max = Math.max(1, all);
    whole.value = rows.reduce((sum, { part }) => sum + part, 0);
    submit.disabled = isSending;
    submit.hidden = all > 0 && open === 0;
    const isRetry = failed > 0 && failed === open;
    const sentence = isRetry ? texts.retryFailed : open === 1 ? texts.sendOne : texts.sendMany;
    submit.textContent = open === 0 ? sendLabel : fill(sentence, { count: open });
    const isDone = !isSending && done + failed > 0 && failed === open;
    const left = failed + refused;
    const outcome = left > 0 ? texts.someFailed : texts.allSent;
    const text = isDone ? outcome : isSending ? pausedText || texts.progress : "";
    const shown = fill(text, { done, all, failed: left });
    if (status.textContent !== shown) status.textContent = shown;
    status.className = isDone ? (left > 0 ? "notice error" : "notice") : "quiet";
  }

  function withState(state: GuestRow["state"]): GuestRow[] {
    return rows.filter((row) => row.state === state);
  }

  function createHint(): HTMLElement {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = texts.drop;
    return hint;
  }

  function createCamera(): HTMLElement {
    const camera = document.createElement("input");
    Object.assign(camera, { type: "file", accept: "image/*", className: "visually-hidden", id: "camera" });
    camera.setAttribute("capture", "environment");
    camera.addEventListener("change", () => {
      take(camera.files ?? []);
      camera.value = "";
    });
    const label = document.createElement("label");
    label.className = "button quiet";
    label.append(texts.camera, camera);
    return label;
  }
}

/** For this link only. Where nothing can be stored, it is asked for again. */
function rememberName(field: HTMLInputElement, link: string): void {
  const key = `guest-name-${link}`;
  try {
    field.value ||= localStorage.getItem(key) ?? "";
    field.addEventListener("change", () => localStorage.setItem(key, field.value.trim()));
  } catch {
    // The browser refuses to store anything.
  }
}
