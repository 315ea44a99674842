import type { Queries, Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { Refusal } from "./refusal.ts";

/** What a client has noted about a file. `value` is the whole element, as XML. */
export type DeadProperty = { namespace: string; name: string; value: string };

/** For each file. */
const mostProperties = 100;
const maxValueLength = 65_536;
export const maxLengthOfAll = 2 * maxValueLength;
const maxNameLength = 400;
/** A request sets or removes, or asks for, no more. */
export const mostNamed = 200;

export async function findProperties(db: Reader, fileIDs: number[]): Promise<Map<number, DeadProperty[]>> {
  const rows = await inChunks(fileIDs, (some) =>
    db.all<DeadProperty & { fileID: number }>(sql`
      SELECT file_id AS "fileID", namespace, name, value FROM dav_properties WHERE file_id IN (${list(some)})`),
  );
  return Map.groupBy(rows, ({ fileID }) => fileID);
}

/** How many characters the properties of each of these files have, if it has any. */
export async function measureProperties(db: Reader, fileIDs: number[]): Promise<Map<number, number>> {
  const rows = await inChunks(fileIDs, (some) =>
    db.all<{ fileID: number; length: number }>(sql`
      SELECT file_id AS "fileID", CAST(sum(length(value)) AS BIGINT) AS length FROM dav_properties
      WHERE file_id IN (${list(some)}) GROUP BY file_id`),
  );
  return new Map(rows.map(({ fileID, length }) => [fileID, length]));
}

export async function setProperty(tx: Queries, fileID: number, property: DeadProperty): Promise<void> {
  const { namespace, name, value } = property;
  if (namespace.length + name.length > maxNameLength || value.length > maxValueLength)
    throw new Refusal(507, "This property is too large.");
  await tx.run(sql`
    INSERT INTO dav_properties (file_id, namespace, name, value) VALUES (${fileID}, ${namespace}, ${name}, ${value})
    ON CONFLICT (file_id, namespace, name) DO UPDATE SET value = excluded.value`);
}

export async function removeProperty(tx: Queries, fileID: number, { namespace, name }: Omit<DeadProperty, "value">) {
  await tx.run(sql`
    DELETE FROM dav_properties WHERE file_id = ${fileID} AND namespace = ${namespace} AND name = ${name}`);
}

/** Throws if the file has more than a file may have. */
export async function checkProperties(tx: Queries, fileID: number): Promise<void> {
  const sum = await tx.get<{ count: number; length: number }>(sql`
    SELECT count(*) AS count, CAST(coalesce(sum(length(value)), 0) AS BIGINT) AS length FROM dav_properties
    WHERE file_id = ${fileID}`);
  if (sum && (sum.count > mostProperties || sum.length > maxLengthOfAll))
    throw new Refusal(507, `A file can have ${mostProperties} properties, with ${maxLengthOfAll} characters in all.`);
}

/** A copy has the properties of the original, and no others. */
export async function copyProperties(tx: Queries, fromID: number, toID: number): Promise<void> {
  await tx.run(sql`DELETE FROM dav_properties WHERE file_id = ${toID}`);
  await tx.run(sql`
    INSERT INTO dav_properties (file_id, namespace, name, value)
    SELECT CAST(${toID} AS BIGINT), namespace, name, value FROM dav_properties WHERE file_id = ${fromID}`);
}
