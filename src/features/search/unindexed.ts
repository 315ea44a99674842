import type { Reader } from "../../platform/database/database.ts";
import type { Engine } from "../../platform/database/migrate.ts";
import { countOrphans, countUnindexed } from "../../platform/search/compare-index.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { walkMissing } from "./index-missing.ts";

/**
 * How many records the search index lacks, how many have not been given to it yet, and how many it has that do not exist. A server
 * indexes those that wait soon after its start, such as after an upgrade.
 */
export async function compareIndex(
  db: Reader,
  engine: Engine,
  kinds: RecordKind[],
): Promise<{ lacks: number; waiting: number; extra: number }> {
  const lacks = await countUnindexed(db, engine);
  let [waiting, extra] = [0, 0];
  for (const kind of kinds) {
    extra += await countOrphans(db, kind.name, kind.table);
    for await (const ids of walkMissing(db, kind)) {
      // Nothing is indexed of records below a directory in the trash.
      waiting += (await kind.readTexts(db, ids)).size;
    }
  }
  return { lacks, waiting, extra };
}
