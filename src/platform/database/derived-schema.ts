import { hashOfText } from "../hash.ts";
import { deriveCounts } from "./counts.ts";
import type { Statements } from "./database.ts";
import { readSetting, storeSetting } from "./settings.ts";
import { raw } from "./sql.ts";
import { platformTables } from "./platform-tables.ts";
import { blobColumnsOf, type Schema } from "./tables.ts";

type Engine = "sqlite" | "postgres";

const settingName = "derived-schema";

/**
 * Creates the views and the triggers that follow from what the modules declare, where that has changed:
 *
 * - the view `blob_references` has every row that refers to a blob, in the trash or not. The database has it, and not the
 *   program, so that servers of an older version keep the blobs that a newer one has stored;
 * - triggers count, where a table of counts is declared;
 * - what modules derive from the tables of all modules;
 * - triggers remove the search document of a record that is deleted, however that happens.
 *
 * The caller holds a transaction, and keeps others out.
 */
export async function deriveSchema(tx: Statements, engine: Engine, schema: Schema): Promise<void> {
  const tables = [...schema.tables, ...platformTables];
  const references = blobColumnsOf(tables).map(
    ({ table, column, label }) =>
      `SELECT ${column} AS sha256, ${label(table)} AS label FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const statements = [
    "DROP VIEW IF EXISTS blob_references",
    `CREATE VIEW blob_references AS ${references.join(" UNION ALL ")}`,
    ...deriveCounts(tables, engine),
    ...schema.deriveSchema.flatMap((derive) => derive(tables, engine)),
    ...schema.documents.flatMap(({ kind, table }) => createDocumentTrigger(engine, kind, table)),
  ];
  const version = hashOfText(statements.join(";"));
  if ((await readSetting(tx, settingName)) === version) return;
  for (const statement of statements) await tx.run(raw(statement));
  await storeSetting(tx, settingName, version);
}

function createDocumentTrigger(engine: Engine, kind: string, table: string): string[] {
  const created = `CREATE TRIGGER ${table}_gone AFTER DELETE ON ${table}`;
  return engine === "sqlite"
    ? [
        `DROP TRIGGER IF EXISTS ${table}_gone`,
        `${created} BEGIN DELETE FROM documents WHERE kind = '${kind}' AND record_id = OLD.id; END`,
      ]
    : [
        `DROP TRIGGER IF EXISTS ${table}_gone ON ${table}`,
        `${created} FOR EACH ROW EXECUTE FUNCTION forget_document('${kind}')`,
      ];
}
