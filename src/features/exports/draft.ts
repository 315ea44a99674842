import { targetOf } from "../../content/comments/target.ts";
import { nameKey, orderKey } from "../../content/files/names.ts";
import { usernameKey } from "../../core/users/user.ts";
import { usernameSkeleton } from "../../core/users/skeleton.ts";
import type { ExportedRecord, ReadExport } from "../../platform/archives/vitrine-export.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import { insertRows } from "../../platform/database/copy-rows.ts";
import type { Database } from "../../platform/database/database.ts";
import { randomBytes } from "../../platform/secrets.ts";
import { invalid } from "../../platform/errors.ts";
import type { Schema } from "../../platform/database/tables.ts";
import { exportedColumns, type ExportedTable, listExported } from "./exported.ts";
import { type Row, toRow } from "./values.ts";

/** Somebody who is in the site already. */
export type Account = {
  id: number;
  username: string;
  password_hash: string;
  has_weak_password: number;
  role: string;
} & Row;

const rowsAtOnce = 100;
const longRowsAtOnce = 4;

/** Writes the records of an export to an empty database, ids and all. `accounts` keep their passwords, and stay. */
export async function fillDraft(
  draft: Database,
  site: ReadExport,
  { schema, tables, accounts }: { schema: Schema; tables: string[]; accounts: Account[] },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const exported = listExported(schema);
  for (const name of tables) {
    const table = exported.find((one) => one.name === name && !one.exported.isPersonal);
    if (!table) continue;
    const rows = name === "users" ? withAccounts(readRows(site, table), accounts) : readRows(site, table);
    counts[table.exported.file] = await insertAll(draft, table, rows);
  }
  return counts;
}

async function* readRows(site: ReadExport, table: ExportedTable): AsyncGenerator<Row> {
  const { file } = table.exported;
  let number = 0;
  for await (const record of site.read(file)) {
    number++;
    try {
      yield { ...toRow(table, record), ...completions[file]?.(record) };
    } catch (error) {
      throw invalid(`Line ${number} of data/${file}.jsonl cannot be imported: ${(error as Error).message}`);
    }
  }
}

const numberIn = (value: unknown) => (typeof value === "number" ? value : null);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Columns that are not exported, because they follow from others or are secrets. */
const completions: Record<string, (record: ExportedRecord) => Row> = {
  people: ({ username }) => ({
    username_key: usernameKey(text(username)),
    username_skeleton: usernameSkeleton(text(username)),
    password_hash: noPasswordHash,
    has_weak_password: 0,
  }),
  files: ({ name, sha256 }) => ({ name_key: nameKey(text(name)), order_key: orderKey(text(name), sha256 === null) }),
  activity: ({ isPage }) => ({ is_page: Number(isPage === true) }),
  comments({ postID, photoID, albumID }) {
    const { kind, id } = targetOf({
      blogPostID: numberIn(postID),
      photoID: numberIn(photoID),
      albumID: numberIn(albumID),
    });
    return { target_kind: kind, target_id: id };
  },
  hearts: ({ kind, recordID }) => ({ target_kind: text(kind), target_id: numberIn(recordID) }),
  "album-photos": () => ({ seen_by: -1 }),
  // A link without its password would be open to everyone: nobody knows the new one, until its owner sets it.
  shares: ({ hasPassword }) => ({ password_hash: hasPassword === true ? noPasswordHash : null }),
  // Whoever receives its deliveries would refuse them: they are signed with a secret that is not exported.
  webhooks: () => ({
    salt: randomBytes(32).toString("base64url"),
    is_active: 0,
    inactive_reason: "It came with an export, which has no secrets. Create it again to get a new one.",
    position_transaction_id: 0,
    position_id: 0,
  }),
};

/** People of the site with the same name are the same, and keep their password; the others get new numbers. */
async function* withAccounts(rows: AsyncGenerator<Row>, accounts: Account[]): AsyncGenerator<Row> {
  const left = new Map(accounts.map((account) => [usernameKey(account.username), account]));
  let last = 0;
  for await (const row of rows) {
    const account = left.get(String(row["username_key"]));
    left.delete(String(row["username_key"]));
    last = Math.max(last, Number(row["id"]));
    if (!account) yield row;
    else {
      const { password_hash, has_weak_password } = account;
      // Somebody with a weak password cannot become an admin by an import either.
      const keepsRole = account.role === "admin" || (has_weak_password === 1 && row["role"] === "admin");
      yield { ...row, password_hash, has_weak_password, role: keepsRole ? account.role : (row["role"] ?? "") };
    }
  }
  for (const account of left.values()) yield { ...account, id: ++last };
}

async function insertAll(draft: Database, table: ExportedTable, rows: AsyncGenerator<Row>): Promise<number> {
  const size = exportedColumns(table).includes("content") ? longRowsAtOnce : rowsAtOnce;
  let batch: Row[] = [];
  let count = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const written = sortColumns(batch);
    await draft
      .transaction((tx) => tx.run(insertRows(table, written)), { isCopy: true })
      .catch((error: unknown) => {
        throw invalid(`data/${table.exported.file}.jsonl cannot be imported: ${(error as Error).message}`);
      });
    count += batch.length;
    batch = [];
  };
  for await (const row of rows) if (batch.push(row) >= size) await flush();
  await flush();
  return count;
}

/** All rows of a statement have the same columns. */
function sortColumns(rows: Row[]): Row[] {
  const columns = Object.keys(rows[0] ?? {});
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
}
