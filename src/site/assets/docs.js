// Brings the page to life: sign-in, trying operations, finding them. The page is whole without it.

const storageKey = "vitrine.session";
const longestText = 200_000;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

let session = readSession();
showSession();
for (const span of $$("[data-origin]")) span.textContent = location.origin;
for (const button of $$("button[disabled]")) button.disabled = false;
if (navigator.clipboard) for (const pre of $$("pre[data-copy]")) pre.before(copyButton(pre));
revealTarget();
addEventListener("hashchange", revealTarget);
followReader();

// --- Account

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const path = event.submitter?.value ?? "/signin";
  const username = $("#username").value;
  const credentials = { username, password: $("#password").value };
  note(path === "/signup" ? "Signing up…" : "Signing in…");
  try {
    if (path === "/signup") await postJSON("/signup", credentials);
    keepSession(await postJSON("/signin", credentials));
    $("#password").value = "";
    note("");
    $("#sign-out").focus({ preventScroll: true });
  } catch (error) {
    note(error.message, "failure");
  }
});

$("#sign-out").addEventListener("click", async () => {
  const { token } = session ?? {};
  keepSession(null);
  $("#username").focus({ preventScroll: true });
  try {
    await postJSON("/signout", undefined, token);
    note("Signed out.");
  } catch (error) {
    note(error.message, "failure");
  }
});

document.addEventListener("click", (event) => {
  if (!event.target.closest('a[href="#account"]')) return;
  // Where the banner stays in sight, going there would only lose the reader's place.
  if (getComputedStyle($(".banner")).position === "sticky") event.preventDefault();
  setTimeout(() => $("#username").focus({ preventScroll: true }));
});

async function postJSON(path, body, token) {
  const headers = { ...(body && { "Content-Type": "application/json" }), ...(token && bearer(token)) };
  const response = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) }).catch(() => {
    throw new Error("The server does not answer.");
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answered ${response.status}.`);
  return answer;
}

function bearer(token) {
  return { Authorization: `Bearer ${token}` };
}

function readSession() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    return kept && Date.parse(kept.expiresAt) > Date.now() ? kept : null;
  } catch {
    return null;
  }
}

function keepSession(next) {
  session = next;
  if (next) sessionStorage.setItem(storageKey, JSON.stringify(next));
  else sessionStorage.removeItem(storageKey);
  showSession();
}

function showSession() {
  document.documentElement.toggleAttribute("data-signed-in", Boolean(session));
  $("#sign-in").hidden = Boolean(session);
  $("#signed-in").hidden = !session;
  $("#who").textContent = session?.user.username ?? "";
  $("#role").textContent = session?.user.role ?? "";
}

function note(text, className = "") {
  Object.assign($("#account-note"), { textContent: text, className });
}

// --- Trying an operation

document.addEventListener("submit", async (event) => {
  const form = event.target.closest(".try form");
  if (!form) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const outcome = $(".outcome", form);
  const content = $(".content", form);
  for (const image of $$("img", content)) URL.revokeObjectURL(image.src);
  content.replaceChildren();
  outcome.replaceChildren(element("p", { className: "quiet" }, "Sending…"));
  try {
    const answer = await send(form);
    outcome.replaceChildren(...answer.outcome);
    content.replaceChildren(...answer.content);
  } catch {
    outcome.replaceChildren(element("p", { className: "failure" }, "No answer: the server cannot be reached."));
  }
  form.ariaBusy = "false";
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.target.closest(".try form")?.requestSubmit();
});

async function send(form) {
  const { method, path, secured } = form.dataset;
  const token = secured === undefined ? null : session?.token;
  const { target, body, headers } = readForm(form, path);
  const started = performance.now();
  const response = await fetch(target, {
    method,
    body,
    headers: { ...headers, ...(token && bearer(token)) },
    cache: "no-store",
  });
  const { size, shown, value } = await readAnswer(response);
  const ms = Math.round(performance.now() - started);
  if (response.ok && path === "/signin") keepSession(value);
  if (token && (response.status === 401 || (response.ok && path === "/signout"))) keepSession(null);
  const status = `${response.status} ${response.statusText}`;
  return {
    outcome: [
      element("p", {}, element("code", {}, `${method} ${target}`)),
      element("p", {}, element("b", { className: `status s${status[0]}` }, status), ` in ${ms} ms, ${size}`),
    ],
    content: [headerList(response.headers), shown],
  };
}

function readForm(form, path) {
  const fields = $$("[data-in]", form);
  const inPlace = (place) => fields.filter((field) => field.dataset.in === place);
  const query = new URLSearchParams(
    inPlace("query").flatMap(({ name, value }) => (value === "" ? [] : [[name, value]])),
  );
  let target = path;
  // A path parameter may hold several steps: its slashes stay.
  for (const { name, value } of inPlace("path")) {
    target = target.replace(`{${name}}`, () => value.split("/").map(encodeURIComponent).join("/"));
  }
  if (query.size > 0) target += `?${query}`;
  const headers = Object.fromEntries(
    inPlace("header").flatMap(({ name, value }) => (value === "" ? [] : [[name, value]])),
  );
  const [json] = inPlace("body");
  if (json) return { target, body: json.value, headers: { ...headers, "Content-Type": "application/json" } };
  const [bytes] = inPlace("bytes");
  if (bytes) return { target, body: bytes.files[0] ?? "", headers: { ...headers, "Content-Type": bytes.dataset.type } };
  const inForm = inPlace("form");
  return { target, body: inForm.length > 0 ? readUpload(inForm) : undefined, headers };
}

function readUpload(fields) {
  const data = new FormData();
  for (const { name, value, files } of fields) {
    if (files) for (const file of files) data.append(name, file);
    else if (value !== "") data.append(name, value);
  }
  return data;
}

async function readAnswer(response) {
  const type = response.headers.get("content-type") ?? "";
  const length = response.headers.get("content-length");
  const isText = /^text\/|[/+](json|xml|javascript)\b/.test(type);
  if (!isText && !type.startsWith("image/") && length) {
    // Only its size is shown, so the bytes stay where they are.
    await response.body?.cancel();
    return { size: bytes(Number(length)), shown: element("p", { className: "quiet" }, `${type}, not shown.`) };
  }
  const blob = await response.blob();
  const size = bytes(blob.size);
  if (type.startsWith("image/")) {
    const image = element("img", { src: URL.createObjectURL(blob), alt: `The answer, as ${type}` });
    return { size, shown: element("figure", { className: "case" }, image) };
  }
  if (!isText || blob.size === 0) return { size, shown: element("p", { className: "quiet" }, type || "Nothing else.") };
  const text = await blob.slice(0, longestText).text();
  const value = type.includes("json") ? parse(text) : undefined;
  const pretty = value === undefined ? text : JSON.stringify(value, null, 2);
  const rest = blob.size > longestText ? "\n… and more." : "";
  return { size, value, shown: element("pre", { className: "case", tabIndex: 0 }, pretty + rest) };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerList(headers) {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return element(
    "details",
    {},
    element("summary", {}, "Headers"),
    element("pre", { className: "case" }, lines.join("\n")),
  );
}

function bytes(count) {
  const units = ["B", "KB", "MB", "GB"];
  const step = count < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(count) / 3));
  return `${step === 0 ? count : (count / 1000 ** step).toFixed(1)} ${units[step]}`;
}

// --- Finding and reading

$("#filter").addEventListener("input", () => {
  filter();
  scrollTo(0, 0);
});
$("#filter").addEventListener("keydown", (event) => {
  if (event.key === "Escape") showAll();
});
$("#nothing button").addEventListener("click", () => {
  showAll();
  $("#filter").focus();
});

function showAll() {
  $("#filter").value = "";
  filter();
}

function filter() {
  const words = $("#filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const operations = $$(".operation");
  for (const operation of operations) {
    operation.hidden = !words.every((word) => operation.dataset.words.includes(word));
    $(`.contents a[href="#${operation.id}"]`).parentElement.hidden = operation.hidden;
  }
  for (const group of $$(".groups > li:not(.rest)")) group.hidden = !$("ul > li:not([hidden])", group);
  for (const group of $$(".group:not(.reference)")) group.hidden = !$(".operation:not([hidden])", group);
  for (const other of $$(".introduction, .reference, .groups > .rest")) other.hidden = words.length > 0;
  const found = operations.filter(({ hidden }) => !hidden).length;
  $(".contents").classList.toggle("filtering", words.length > 0);
  $("#found").textContent = words.length > 0 ? `${found} of ${operations.length}` : "";
  $("#nothing").hidden = found > 0;
}

/** Marks in the contents what is being read. */
function followReader() {
  const links = new Map($$(".contents a").map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => {
      const entry = entries.findLast(({ isIntersecting }) => isIntersecting);
      if (!entry) return;
      for (const link of links.values()) link.removeAttribute("aria-current");
      const link = links.get(entry.target.id || entry.target.getAttribute("aria-labelledby"));
      link?.setAttribute("aria-current", "location");
      if (link) keepInSight(link, $(".contents"));
    },
    { rootMargin: "-20% 0px -75% 0px" },
  );
  for (const part of $$(".operation, .reference")) watcher.observe(part);
}

// Not scrollIntoView: where the contents do not scroll themselves, it would move the whole page.
function keepInSight(link, box) {
  const top = link.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - 40) box.scrollTop += top - box.clientHeight / 3;
}

/** A link into an operation that the filter hides shows everything again. */
function revealTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest("[hidden]")) return;
  showAll();
  target.scrollIntoView();
}

function copyButton(pre) {
  const button = element("button", { type: "button", className: "plain copy", ariaLabel: "Copy the command" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
