import { currentToken, keepSession } from "./account.ts";
import { rememberCreated } from "./created.ts";
import { element, find, findAll, parse } from "./page.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type ResponseView = { size: string; value: unknown; content: HTMLElement[] };

/** A longer text is truncated on the page, but saved completely. */
const maxText = 200_000;
/** Larger responses are not kept in memory only to be shown. */
const maxHeld = 256_000_000;

export function startTrying(): void {
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>(".try form");
    if (!form) return;
    event.preventDefault();
    if (form.ariaBusy !== "true") void submit(form);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    (event.target as Element).closest<HTMLFormElement>(".try form")?.requestSubmit();
  });
}

async function submit(form: HTMLFormElement): Promise<void> {
  form.ariaBusy = "true";
  const outcome = find(".outcome", form);
  const content = find(".content", form);
  for (const link of findAll<HTMLAnchorElement>("a[download]", content)) URL.revokeObjectURL(link.href);
  content.replaceChildren();
  outcome.replaceChildren(element("p", { className: "quiet" }, "Sending…"));
  try {
    const answer = await send(form);
    outcome.replaceChildren(...answer.outcome);
    content.replaceChildren(...answer.content);
  } catch {
    outcome.replaceChildren(element("p", { className: "failure" }, "The server cannot be reached."));
  }
  form.ariaBusy = "false";
}

async function send(form: HTMLFormElement) {
  const { method = "GET", path = "", secured } = form.dataset;
  const token = secured === undefined ? null : currentToken();
  const { target, body, headers } = readForm(form, path);
  if (token) headers.Authorization = `Bearer ${token}`;
  const started = performance.now();
  const response = await fetch(target, { method, body, headers, cache: "no-store" });
  const { size, value, content } = await readAnswer(response, form.dataset.name ?? "result");
  const ms = Math.round(performance.now() - started);
  if (response.ok && (path === "/signin" || path === "/api/v1/signin/factor"))
    keepSession(value as Parameters<typeof keepSession>[0]);
  if (token && (response.status === 401 || (response.ok && path === "/signout"))) keepSession(null);
  if (response.status === 201) rememberCreated(response.headers.get("location"), value);
  const status = `${response.status} ${response.statusText}`;
  return {
    outcome: [
      element("p", {}, element("code", {}, `${method} ${target}`)),
      element("p", {}, element("b", { className: `status s${status[0]}` }, status), ` in ${ms} ms, ${size}`),
    ],
    content: [headerList(response.headers), ...content],
  };
}

function readForm(form: HTMLFormElement, path: string) {
  const fields = findAll<Field>("[data-in]", form);
  const inPlace = (place: string) => fields.filter((field) => field.dataset.in === place);
  const filled = (place: string) =>
    inPlace(place).flatMap(({ name, value }) => (value === "" ? [] : [[name, value] as [string, string]]));
  let target = path;
  // A path parameter may consist of several segments, so its slashes are not encoded.
  for (const { name, value } of inPlace("path")) {
    target = target.replace(`{${name}}`, () => value.split("/").map(encodeURIComponent).join("/"));
  }
  const query = new URLSearchParams(filled("query"));
  if (query.size > 0) target += `?${query}`;
  const headers: Record<string, string> = Object.fromEntries(filled("header"));
  return { target, headers, body: readBody(inPlace, headers) };
}

function readBody(inPlace: (place: string) => Field[], headers: Record<string, string>): BodyInit | null {
  const [json] = inPlace("body");
  if (json) {
    headers["Content-Type"] = "application/json";
    return json.value;
  }
  const [bytes] = inPlace("bytes") as HTMLInputElement[];
  if (bytes) {
    headers["Content-Type"] = bytes.dataset.type ?? "";
    return bytes.files?.[0] ?? "";
  }
  const inForm = inPlace("form");
  if (inForm.length === 0) return null;
  const data = new FormData();
  for (const field of inForm) {
    if (field instanceof HTMLInputElement && field.files) for (const file of field.files) data.append(field.name, file);
    else if (field.value !== "") data.append(field.name, field.value);
  }
  return data;
}

async function readAnswer(response: Response, name: string): Promise<ResponseView> {
  const type = response.headers.get("content-type") ?? "";
  const length = Number(response.headers.get("content-length") ?? 0);
  const isEndless = type.startsWith("text/event-stream");
  if (length > maxHeld || isEndless) {
    await response.body?.cancel();
    const reason = isEndless ? "a stream without an end" : "too large for this page";
    const advice = `${type}: ${reason}. Use the curl command above to ${isEndless ? "read" : "save"} it.`;
    return { size: describeBytes(length), value: null, content: [element("p", { className: "quiet" }, advice)] };
  }
  const blob = await response.blob();
  const size = describeBytes(blob.size);
  if (blob.size === 0) return { size, value: null, content: [element("p", { className: "quiet" }, "No content.")] };
  const href = URL.createObjectURL(blob);
  const download = fileName(response.headers.get("content-disposition"), type, name);
  const link = element("a", { className: "button quiet", href, download }, `Save as ${download}`);
  const { shown, value } = await show(blob, type, href);
  return { size, value, content: [shown, element("p", {}, link)] };
}

async function show(blob: Blob, type: string, href: string): Promise<{ shown: HTMLElement; value: unknown }> {
  if (type.startsWith("image/")) {
    const image = element("img", { src: href, alt: `The response, as ${type}` });
    return { shown: element("figure", { className: "case" }, image), value: null };
  }
  if (!/^text\/|[/+](json|xml|javascript)\b/.test(type)) {
    return { shown: element("p", { className: "quiet" }, `${type}, not shown.`), value: null };
  }
  const text = await blob.slice(0, maxText).text();
  const value = type.includes("json") ? parse(text) : null;
  const rest = blob.size > maxText ? "\n… and more." : "";
  const pretty = value === null ? text : JSON.stringify(value, null, 2);
  return { shown: element("pre", { className: "case", tabIndex: 0 }, pretty + rest), value };
}

function fileName(disposition: string | null, type: string, name: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "") ?? [];
  if (encoded) return decodeURIComponent(encoded);
  const extension = /^\w+\/(?:[\w.-]*\+)?([\w-]+)/.exec(type)?.[1] ?? "bin";
  return `${name}.${extension}`;
}

function headerList(headers: Headers): HTMLElement {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return element(
    "details",
    {},
    element("summary", {}, "Headers"),
    element("pre", { className: "case" }, lines.join("\n")),
  );
}

function describeBytes(count: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const step = count < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(count) / 3));
  return `${step === 0 ? count : (count / 1000 ** step).toFixed(1)} ${units[step]}`;
}
