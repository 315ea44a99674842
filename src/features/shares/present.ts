import type { Reader } from "../../platform/database/database.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { findInSlices } from "../../core/records/record-kind.ts";
import { toISO } from "../../platform/http/times.ts";
import type { Shareable, StoredShare } from "./share.ts";

/** Links as the API returns them, with the titles of what they lead to. */
export async function presentShares(
  db: Reader,
  viewer: Viewer,
  shareables: Map<string, Shareable>,
  shares: StoredShare[],
) {
  const found = new Map<string, { title: string; image: string | null }>();
  for (const [name, some] of Map.groupBy(shares, ({ kind }) => kind)) {
    const { kind } = shareables.get(name) as Shareable;
    const ids = [...new Set(some.map(({ recordID }) => recordID))];
    for await (const [id, { title, image }] of findInSlices(db, kind, viewer, ids))
      found.set(`${name} ${id}`, { title, image });
  }
  return shares.map(({ passwordHash, uploads: _, ...share }) => ({
    ...share,
    ...(found.get(`${share.kind} ${share.recordID}`) ?? { title: null, image: null }),
    hasPassword: passwordHash !== null,
    expiresAt: toISO(share.expiresAt),
    lastUsedAt: toISO(share.lastUsedAt),
    createdAt: new Date(share.createdAt).toISOString(),
    updatedAt: new Date(share.updatedAt).toISOString(),
  }));
}
