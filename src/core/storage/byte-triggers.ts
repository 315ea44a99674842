import {
  blobColumnsOf,
  type DeriveSchema,
  reservedColumnsOf,
  storedColumnsOf,
  type Table,
} from "../../platform/database/tables.ts";

/**
 * What the database does about the bytes that the modules declare, in the trash or not:
 *
 * - the view `counted_bytes` has all that are stored, and `reserved_bytes` those of what is unfinished;
 * - triggers add up in `stored_bytes` what each owner has stored;
 * - on SQLite, triggers leave the name of a blob in `reservations` when its last reference is removed.
 *
 * The last statement counts again. The triggers were created before it in the same transaction, which keeps writers of those
 * tables out on both databases: so the sums are right for columns that were not declared before, and whatever came before.
 */
export const deriveStorage: DeriveSchema = (tables, engine) => [
  ...replaceView("counted_bytes", storedColumnsOf(tables).map(selectStored)),
  ...replaceView("reserved_bytes", reservedColumnsOf(tables).map(selectReserved)),
  ...(engine === "sqlite"
    ? [...storedColumnsOf(tables).flatMap(countOnSqlite), ...createReleaseTriggers(tables)]
    : storedColumnsOf(tables).flatMap(countOnPostgres)),
  addDifferences,
];

/** Adds the differences, as the triggers do. One statement sees a row together with its count, or neither. */
export const addDifferences = `
  INSERT INTO stored_bytes (owner_id, lane, bytes)
  SELECT owner_id, 0, CAST(sum(bytes) AS BIGINT) FROM (
    SELECT owner_id, bytes FROM counted_bytes UNION ALL SELECT owner_id, -bytes FROM stored_bytes) AS counted
  GROUP BY owner_id HAVING sum(bytes) <> 0
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`;

type Column = { table: string; size: string; where?: string };

const selectStored = ({ table, size }: Column) => `SELECT owner_id, ${size} AS bytes FROM ${table} WHERE ${size} <> 0`;
const selectReserved = ({ table, size, where = "1 = 1" }: Column) =>
  `SELECT owner_id, ${size} AS bytes FROM ${table} WHERE ${where}`;

const replaceView = (name: string, selects: string[]) => [
  `DROP VIEW IF EXISTS ${name}`,
  `CREATE VIEW ${name} AS ${selects.join(" UNION ALL ")}`,
];

function countOnSqlite({ table, size }: Column): string[] {
  const [older, newer] = [`coalesce(OLD.${size}, 0)`, `coalesce(NEW.${size}, 0)`];
  const add = (row: string, bytes: string) => `
    INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (${row}.owner_id, 0, ${bytes})
    ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;`;
  const create = (suffix: string, event: string, when: string, statements: string) => {
    const name = `${table}_${size}_${suffix}`;
    return [
      `DROP TRIGGER IF EXISTS ${name}`,
      `CREATE TRIGGER ${name} AFTER ${event} ON ${table} WHEN ${when} BEGIN ${statements} END`,
    ];
  };
  return [
    ...create("stored", "INSERT", `NEW.${size} <> 0`, add("NEW", newer)),
    ...create(
      "resized",
      `UPDATE OF ${size}`,
      `${newer} <> ${older} AND NEW.owner_id = OLD.owner_id`,
      add("NEW", `${newer} - ${older}`),
    ),
    ...create(
      "given",
      "UPDATE OF owner_id",
      "NEW.owner_id <> OLD.owner_id",
      add("OLD", `-${older}`) + add("NEW", newer),
    ),
    ...create("removed", "DELETE", `OLD.${size} <> 0`, add("OLD", `-${older}`)),
  ];
}

/** Once per statement and not per row (decision 0044). A function for each column: its statements are planned once per connection. */
function countOnPostgres({ table, size }: Column): string[] {
  const name = `count_${table}_${size}`;
  const add = (changed: string) => `
    INSERT INTO stored_bytes (owner_id, lane, bytes)
    SELECT owner_id, pg_backend_pid() % 16, sum(size) FROM (${changed}) AS changed
    GROUP BY owner_id HAVING sum(size) <> 0 ORDER BY owner_id
    ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;`;
  const added = `SELECT owner_id, ${size} AS size FROM added`;
  const removed = `SELECT owner_id, -${size} AS size FROM removed`;
  const create = (suffix: string, event: string, transition: string) => [
    `DROP TRIGGER IF EXISTS ${table}_${size}_${suffix} ON ${table}`,
    `CREATE TRIGGER ${table}_${size}_${suffix} AFTER ${event} ON ${table} REFERENCING ${transition}
     FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  ];
  return [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN ${add(added)}
      ELSIF TG_OP = 'DELETE' THEN ${add(removed)}
      ELSE ${add(`${added} UNION ALL ${removed}`)}
      END IF;
      RETURN NULL;
    END $$`,
    ...create("stored", "INSERT", "NEW TABLE AS added"),
    ...create("resized", "UPDATE", "NEW TABLE AS added OLD TABLE AS removed"),
    ...create("removed", "DELETE", "OLD TABLE AS removed"),
  ];
}

/** The quota counts the blob for an hour at most: as long as the server cannot remove it. */
function createReleaseTriggers(tables: Table[]): string[] {
  return blobColumnsOf(tables).flatMap((blob) => {
    const { table, column, size } = blob;
    const owner = blob.counts === "elsewhere" ? blob.owner("OLD") : "OLD.owner_id";
    return ["DELETE", `UPDATE OF ${column}`].flatMap((event) => {
      const name = `${table}_${column}_${event.slice(0, 6).toLowerCase()}`;
      return [
        `DROP TRIGGER IF EXISTS ${name}`,
        `CREATE TRIGGER ${name} AFTER ${event} ON ${table}
         WHEN OLD.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.${column}) BEGIN
           INSERT INTO reservations (owner_id, bytes, expires_at, unused_blob)
           VALUES (${owner}, OLD.${size}, unixepoch() * 1000 + 3600000, OLD.${column}); END`,
      ];
    });
  });
}
