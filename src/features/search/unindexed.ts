import type { Reader } from "../../platform/database/database.ts";
import type { Engine } from "../../platform/database/migrate.ts";
import { countOrphans, countUnindexed } from "../../platform/search/compare-index.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { walkMissing } from "./index-missing.ts";

/** How many records the search index lacks, and how many it has that do not exist. */
export async function compareIndex(
  db: Reader,
  engine: Engine,
  kinds: RecordKind[],
): Promise<{ lacks: number; extra: number }> {
  let lacks = await countUnindexed(db, engine);
  let extra = 0;
  for (const kind of kinds) {
    extra += await countOrphans(db, kind.name, kind.table);
    for await (const ids of walkMissing(db, kind)) {
      // Nothing is indexed of records below a directory in the trash.
      lacks += (await kind.readTexts(db, ids)).size;
    }
  }
  return { lacks, extra };
}
