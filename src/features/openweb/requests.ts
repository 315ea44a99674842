import { putMention, removeMention } from "../../content/comments/mentions.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Database } from "../../platform/database/database.ts";
import { readPage } from "../../platform/outgoing/page.ts";
import { post } from "../../platform/outgoing/post.ts";
import { findEndpointIn, readMentionIn } from "./read-page.ts";
import { findTarget } from "./target.ts";
import { findPostPath, type Payload } from "./tasks.ts";

/** Of a page; what comes after it is not read. */
const maxPageBytes = 2 ** 19;

export type RequestDeps = {
  db: Database;
  trash: Trash;
  /** Where this site is; "" if nobody has said so. */
  origin: string;
  allowPrivate: boolean;
  signal: AbortSignal;
};

/** Whether the other site could not respond for now, so that it should be asked again. */
type Outcome = { isTemporary: boolean };

const isTemporary = (status: number): Outcome => ({ isTemporary: status >= 500 || status === 429 || status === 408 });

/** Does what a task asks for. Loaded with the first task. */
export function performTask(deps: RequestDeps, task: Payload): Promise<Outcome> {
  if (task.kind === "send") return send(deps, task);
  return task.kind === "receive" ? receive(deps, task) : ping(deps, task);
}

type Addresses = { source: string; target: string };

/** Reads the page that says it links here. What it says is held for approval. */
async function receive({ db, trash, ...options }: RequestDeps, task: Addresses): Promise<Outcome> {
  const [source, address] = [new URL(task.source), new URL(task.target)];
  const target = await findTarget(db, address);
  if (!target) return { isTemporary: false };
  const page = await readPage(source, { ...options, maxBytes: maxPageBytes });
  const { status, headers } = page;
  const isGone = status === 404 || status === 410;
  if (!isGone && (status < 200 || status > 299)) return isTemporary(status);
  const isHTML = /^(text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
  const mention = isHTML && !isGone ? await readMentionIn(page, address) : null;
  await db.transaction((tx) =>
    mention ? putMention(tx, target, source, mention) : removeMention(tx, trash, target, source),
  );
  return { isTemporary: false };
}

/** Tells the page to which a post links. */
async function send(
  { db, origin, ...options }: RequestDeps,
  { postID, target }: { postID: number; target: string },
): Promise<Outcome> {
  const path = await findPostPath(db, postID);
  if (path === null || origin === "") return { isTemporary: false };
  const page = await readPage(new URL(target), { ...options, maxBytes: maxPageBytes });
  if (page.status < 200 || page.status > 299) return isTemporary(page.status);
  const endpoint = await findEndpointIn(page);
  if (!endpoint) return { isTemporary: false };
  return sendForm(endpoint, { source: origin + path, target }, options);
}

/** Tells the hub that a feed has changed. Older hubs read `hub.url`. */
const ping = (options: RequestDeps, { source, target }: Addresses): Promise<Outcome> =>
  sendForm(new URL(target), { "hub.mode": "publish", "hub.topic": source, "hub.url": source }, options);

async function sendForm(
  url: URL,
  fields: Record<string, string>,
  { allowPrivate, signal }: Pick<RequestDeps, "allowPrivate" | "signal">,
): Promise<Outcome> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": "Vitrine" };
  const body = new URLSearchParams(fields).toString();
  return isTemporary((await post(url, { headers, body, allowPrivate, signal })).status);
}
