import type { Totals } from "../holdings/count.ts";
import type { HoldingsCounter } from "../holdings/counter.ts";
import { amountsOf, countsOf, noTotals, nothing, summarize } from "../holdings/summary.ts";
import type { Database } from "../../platform/database/database.ts";
import { findUser, listUsers } from "../users/store.ts";
import type { Fields, Holdings, StorageReport } from "./storage.ts";
import { readVariants } from "./sweep.ts";

export type Report = {
  fields: Fields;
  /** The storage of one owner; for null, of every user and of the whole site. */
  read(quotaBytes: number | null, ownerID: number | null): Promise<StorageReport>;
};

export function createReport(db: Database, holdings: HoldingsCounter, fields: Fields): Report {
  const { counts, parts } = fields;

  function toHoldings(totals: Totals): Holdings {
    // What is written during the count may be in one of these sums only.
    const savedByDeduplication = Math.max(0, totals.contents.bytes - totals.different.bytes);
    return { ...summarize(totals), ...amountsOf(totals, parts), ...countsOf(totals, counts), savedByDeduplication };
  }

  async function toSite(totals: Totals): Promise<StorageReport["site"]> {
    return {
      ...toHoldings(totals),
      stored: totals.different,
      variants: await readVariants(db),
    };
  }

  return {
    fields,
    async read(quotaBytes, ownerID) {
      const { countedAt, site, byOwner } = await holdings.read();
      const isForAll = ownerID === null;
      const users = isForAll ? await listUsers(db) : [await findUser(db, ownerID)].flatMap((user) => user ?? []);
      return {
        countedAt: new Date(countedAt).toISOString(),
        owners: users.map(({ id, username, role }) => ({
          ownerID: id,
          username,
          ...toHoldings(byOwner.get(id) ?? noTotals),
          quota: role === "admin" ? null : quotaBytes,
        })),
        months: toMonths(isForAll ? site : (byOwner.get(ownerID) ?? noTotals)),
        site: isForAll ? await toSite(site) : null,
      };
    },
  };
}

/** Newest first, as in the timeline of photos. */
const toMonths = ({ months }: Totals): StorageReport["months"] =>
  [...months.keys()]
    .toSorted()
    .toReversed()
    .map((month) => ({ month, ...(months.get(month) ?? nothing) }));
