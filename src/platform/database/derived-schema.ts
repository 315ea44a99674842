import { hashOfText } from "../hash.ts";
import type { Statements } from "./database.ts";
import { readSetting, storeSetting } from "./settings.ts";
import { raw } from "./sql.ts";
import type { BlobColumn, ReleasedBlob, Schema } from "./tables.ts";

type Engine = "sqlite" | "postgres";
type Reference = BlobColumn & { table: string };

const settingName = "derived-schema";

/**
 * Creates the view and the triggers that follow from what the modules declare, where that has changed:
 *
 * - the view `blob_references` has every row that refers to a blob, in the trash or not. The database has it, and not the
 *   program, so that servers of an older version keep the blobs that a newer one has stored;
 * - on SQLite, triggers run the statements of the modules when the last reference to a blob is removed;
 * - triggers remove the search document of a record that is deleted, however that happens.
 *
 * The caller holds a transaction, and keeps others out.
 */
export async function deriveSchema(tx: Statements, engine: Engine, schema: Schema): Promise<void> {
  const references = schema.tables.flatMap(({ name, blobs = [] }) => blobs.map((blob) => ({ ...blob, table: name })));
  const statements = [
    "DROP VIEW IF EXISTS blob_references",
    `CREATE VIEW blob_references AS ${references.map(selectReferences).join(" UNION ALL ")}`,
    ...(engine === "sqlite" ? references.flatMap((one) => createReleaseTriggers(one, schema.released)) : []),
    ...schema.documents.flatMap(({ kind, table }) => createDocumentTrigger(engine, kind, table)),
  ];
  const version = hashOfText(statements.join(";"));
  if ((await readSetting(tx, settingName)) === version) return;
  for (const statement of statements) await tx.run(raw(statement));
  await storeSetting(tx, settingName, version);
}

const selectReferences = ({ table, column, label }: Reference) =>
  `SELECT ${column} AS sha256, ${label(table)} AS label FROM ${table} WHERE ${column} IS NOT NULL`;

function createReleaseTriggers({ table, column, size, owner }: Reference, released: ReleasedBlob[]): string[] {
  const blob = { sha256: `OLD.${column}`, size: size("OLD"), owner: owner("OLD") };
  if (released.length === 0) return [];
  return ["DELETE", `UPDATE OF ${column}`].flatMap((event) => {
    const name = `${table}_${column}_${event.slice(0, 6).toLowerCase()}`;
    return [
      `DROP TRIGGER IF EXISTS ${name}`,
      `CREATE TRIGGER ${name} AFTER ${event} ON ${table}
       WHEN OLD.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.${column}) BEGIN
         ${released.map((toStatement) => `${toStatement(blob)};`).join(" ")} END`,
    ];
  });
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
