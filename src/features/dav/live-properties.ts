import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { readUsage } from "../../core/storage/quota.ts";
import { presentFile } from "../../content/files/file.ts";
import type { Lock } from "./locks.ts";
import { lockDiscovery, supportedLock } from "./lock-xml.ts";
import { etagOf, isDirectory, type Resource } from "./resources.ts";
import type { Visitor } from "./visit.ts";
import { element, escapeXML } from "./xml-writer.ts";

/** What is known of a resource besides itself. */
export type Known = {
  caller: Visitor;
  /** When its content was written. */
  contentAt: number | null;
  locks: Lock[];
  quota: QuotaState | null;
};

/** In bytes; `available` is null where there is no limit. */
type QuotaState = { used: number; available: number | null };

/** In the order in which they are listed. Those that take more than a look at the resource are not part of `allprop`. */
export const livePropertyNames = [
  "resourcetype",
  "displayname",
  "creationdate",
  "getlastmodified",
  "getcontentlength",
  "getcontenttype",
  "getetag",
  "supportedlock",
  "lockdiscovery",
] as const;
export const quotaPropertyNames = ["quota-available-bytes", "quota-used-bytes"] as const;

type Property = (resource: Resource, known: Known) => string | null;

/** The value as XML; null if the resource does not have the property. */
const properties: Record<string, Property> = {
  resourcetype: (resource) => (isDirectory(resource) ? element("collection", "") : ""),
  displayname: (resource) => (resource.kind === "root" ? null : escapeXML(resource.file.name)),
  creationdate: (resource) =>
    resource.kind === "root" ? null : new Date(resource.file.createdAt).toISOString().replace(/\.\d+Z$/, "Z"),
  getlastmodified: (resource, { contentAt }) => {
    const time = modifiedAt(resource, contentAt);
    return time === null ? null : new Date(time).toUTCString();
  },
  getcontentlength: (resource, { caller }) => {
    if (isDirectory(resource) || resource.kind === "root") return null;
    return String(resource.kind === "file" ? presentFile(resource.file, caller).size : resource.file.size);
  },
  getcontenttype: (resource) => {
    if (resource.kind === "root") return null;
    if (isDirectory(resource)) return "httpd/unix-directory";
    return escapeXML(resource.file.contentType ?? "application/octet-stream");
  },
  getetag: (resource, { caller }) => {
    const etag = etagOf(resource, caller);
    return etag && escapeXML(etag);
  },
  supportedlock: (resource) => (resource.kind === "root" ? "" : supportedLock),
  lockdiscovery: (_resource, { locks, caller }) => lockDiscovery(locks, caller),
  "quota-available-bytes": (resource, { quota }) =>
    isDirectory(resource) && quota && quota.available !== null ? String(quota.available) : null,
  "quota-used-bytes": (resource, { quota }) => (isDirectory(resource) && quota ? String(quota.used) : null),
};

const isLive = (name: string): boolean => Object.hasOwn(properties, name);

export function liveProperty(name: string, resource: Resource, known: Known): string | null {
  return isLive(name) ? (properties[name] as Property)(resource, known) : null;
}

/** A file changes with its content; renaming it changes nothing that a client has stored. */
export function modifiedAt(resource: Resource, contentAt: number | null): number | null {
  if (resource.kind === "root") return null;
  if (resource.kind === "side") return resource.file.updatedAt;
  return contentAt ?? Date.parse(resource.file.isDirectory ? resource.file.updatedAt : resource.file.createdAt);
}

/** When the contents of these files were written, for those that were replaced. */
export async function findContentTimes(db: Reader, fileIDs: number[]): Promise<Map<number, number>> {
  const rows = await inChunks(fileIDs, (some) =>
    db.all<{ id: number; at: number }>(sql`
      SELECT id, content_at AS at FROM files WHERE id IN (${list(some)}) AND content_at IS NOT NULL`),
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** What the caller has stored, and may still store. Admins have no quota. */
export async function readQuota(db: Reader, callerID: number, quotaBytes: number | null): Promise<QuotaState | null> {
  const usage = quotaBytes === null ? null : await readUsage(db, callerID);
  if (!usage || quotaBytes === null) return null;
  const used = usage.stored + usage.reserved;
  return { used, available: Math.max(0, quotaBytes - used) };
}
