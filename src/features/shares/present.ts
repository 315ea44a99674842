import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { findInSlices } from "../../core/records/record-kind.ts";
import { type Shareable, type StoredShare, toISO } from "./share.ts";

/** Links as the API returns them, with the titles of what they lead to. */
export async function presentShares(
  db: Reader,
  viewer: Viewer,
  shareables: Map<string, Shareable>,
  shares: StoredShare[],
) {
  const titles = new Map<string, string>();
  for (const [name, some] of Map.groupBy(shares, ({ kind }) => kind)) {
    const { kind } = shareables.get(name) as Shareable;
    const ids = [...new Set(some.map(({ recordID }) => recordID))];
    for await (const [id, { title }] of findInSlices(db, kind, viewer, ids)) titles.set(`${name} ${id}`, title);
  }
  return shares.map(({ passwordHash, uploads: _, ...share }) => ({
    ...share,
    title: titles.get(`${share.kind} ${share.recordID}`) ?? null,
    hasPassword: passwordHash !== null,
    expiresAt: toISO(share.expiresAt),
    lastUsedAt: toISO(share.lastUsedAt),
    createdAt: new Date(share.createdAt).toISOString(),
    updatedAt: new Date(share.updatedAt).toISOString(),
  }));
}
