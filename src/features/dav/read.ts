import { matches } from "../../platform/http/conditional.ts";
import { respondWith } from "../../platform/http/content.ts";
import { isOwnerOrAdmin } from "../../platform/http/route.ts";
import { contentOf } from "../../content/files/content.ts";
import { findContentTimes, modifiedAt } from "./live-properties.ts";
import { missingHere, Refusal } from "./refusal.ts";
import { findResource, isDirectory } from "./resources.ts";
import type { Visit } from "./visit.ts";

/** GET and HEAD: the bytes that the API gives to the same caller. */
export async function read(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db, blobs, images } = visit;
  const resource = await findResource(db, caller, names);
  if (!resource) throw missingHere();
  if (isDirectory(resource) || resource.kind === "root") return describeDirectory();
  const { file } = resource;
  const shown = resource.kind === "side" || isOwnerOrAdmin(caller, file) ? "all" : await images.readPublic(file);
  if (shown === "none")
    throw new Refusal(403, "This file may contain private data that cannot be removed: only its owner can read it.");
  const clean = shown === "all" ? null : shown;
  const content = contentOf(blobs, file, { isDownload: false, clean });
  const ifMatch = exchange.request.headers.get("if-match");
  if (ifMatch !== null && !matches(ifMatch, content.etag)) throw new Refusal(412, "The content has changed.");
  const times = resource.kind === "file" ? await findContentTimes(db, [file.id]) : new Map<number, number>();
  const time = modifiedAt(resource, times.get(file.id) ?? null);
  const headers = { ...content.headers, ...(time !== null && { "Last-Modified": new Date(time).toUTCString() }) };
  return respondWith(exchange, { ...content, headers }, 200, {});
}

function describeDirectory(): Response {
  const text = "This is a directory. Open this address with a program for WebDAV, such as a file manager.\n";
  return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
