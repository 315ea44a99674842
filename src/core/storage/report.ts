import type { Totals } from "../holdings/count.ts";
import type { HoldingsCounter } from "../holdings/counter.ts";
import { amountsOf, countsOf, noTotals, nothing, summarize } from "../holdings/summary.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Page } from "../../platform/database/lists.ts";
import type { Slices } from "../../platform/database/slices.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { findUsers, listUserIDs } from "../users/store.ts";
import type { Fields, Holdings, OwnerStorage, StorageReport } from "./storage.ts";
import { readVariants } from "./sweep.ts";

export type Report = {
  fields: Fields;
  read(wanted: Wanted): Promise<{ body: Sliced; total: number }>;
};

type Wanted = {
  quotaBytes: number | null;
  /** For null, every user and the whole site. */
  ownerID: number | null;
  /** Those users who store the most come first. For null, all of them, by their ids. */
  page: Page | null;
};

type Sliced = Omit<StorageReport, "owners"> & { owners: Slices<OwnerStorage> };

const ownersAtOnce = 100;

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

  async function* describeOwners(
    ids: number[],
    byOwner: Map<number, Totals>,
    quotaBytes: number | null,
  ): AsyncGenerator<OwnerStorage[]> {
    for (let start = 0; start < ids.length; start += ownersAtOnce) {
      if (start > 0) await nextTurn();
      const some = ids.slice(start, start + ownersAtOnce);
      const users = await findUsers(db, some);
      yield some.flatMap((id) => {
        const user = users.get(id);
        if (!user) return [];
        const quota = user.role === "admin" ? null : quotaBytes;
        return { ownerID: id, username: user.username, ...toHoldings(byOwner.get(id) ?? noTotals), quota };
      });
    }
  }

  return {
    fields,
    async read({ quotaBytes, ownerID, page }) {
      const { countedAt, site, byOwner } = await holdings.read();
      const ids = ownerID === null ? await listUserIDs(db) : [ownerID];
      const bytesOf = (id: number) => byOwner.get(id)?.stored.bytes ?? 0;
      const shown = page
        ? ids.toSorted((one, other) => bytesOf(other) - bytesOf(one)).slice(page.offset, page.offset + page.size)
        : ids;
      const body = {
        countedAt: new Date(countedAt).toISOString(),
        owners: describeOwners(shown, byOwner, quotaBytes),
        months: toMonths(ownerID === null ? site : (byOwner.get(ownerID) ?? noTotals)),
        site: ownerID === null ? await toSite(site) : null,
      };
      return { body, total: ids.length };
    },
  };
}

/** Newest first, as in the timeline of photos. */
const toMonths = ({ months }: Totals): StorageReport["months"] =>
  [...months.keys()]
    .toSorted()
    .toReversed()
    .map((month) => ({ month, ...(months.get(month) ?? nothing) }));
