import { missing } from "../errors.ts";
import { countedFields, countsOf, type Holdable, type HoldingRow, selectHoldings, summarize } from "../holdings.ts";
import type { Queries, Reader } from "../platform/database/database.ts";
import type { Page } from "../platform/database/lists.ts";
import { inChunks, list, sql, type Sql } from "../platform/database/sql.ts";
import type { Person } from "./person.ts";
import { lockUsers, toUser, type UserRow } from "./store.ts";
import { usernameKey } from "./user.ts";

type PersonRow = Omit<UserRow, "password_hash"> & { removal_id: number | null };

export type People = {
  list(db: Reader, name: string | undefined, page: Page): Promise<{ items: Person[]; total: number }>;
  /** Throws if there is no such user. */
  get(db: Reader, id: number): Promise<Person>;
  /** The same, and prevents that others change users until the transaction ends. */
  lock(tx: Queries, id: number): Promise<Person>;
};

/** Users with what they have. */
export function createPeople(holdable: Holdable): People {
  const fields = countedFields(holdable);

  async function read(db: Reader, where: Sql): Promise<Person[]> {
    const rows = await db.all<PersonRow>(sql`
      SELECT users.id, username, role, users.created_at, user_removals.id AS removal_id
      FROM users LEFT JOIN user_removals ON user_id = users.id WHERE ${where}`);
    const holdings = await inChunks(
      rows.map(({ id }) => id),
      (ids) => db.all<HoldingRow>(selectHoldings(holdable, sql`owner_id IN (${list(ids)})`)),
    );
    const byOwner = Map.groupBy(holdings, (row) => row.owner_id);
    return rows.map((row) => toPerson(row, byOwner.get(row.id) ?? []));
  }

  function toPerson(row: PersonRow, holdings: HoldingRow[]): Person {
    const { files, directories, bytes } = summarize(holdings, fields);
    return {
      ...toUser(row),
      counts: { files: files.count, directories, ...countsOf(holdings, fields) },
      bytes,
      isBeingRemoved: row.removal_id !== null,
    };
  }

  async function get(db: Reader, id: number): Promise<Person> {
    const [person] = await read(db, sql`users.id = ${id}`);
    if (!person) throw missing(`user ${id}`);
    return person;
  }

  return {
    get,
    async list(db, name, { offset, size }) {
      const isWanted = name === undefined ? sql`1 = 1` : hasInName(name);
      const all = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM users WHERE ${isWanted}`);
      const page = sql`
        SELECT id FROM users WHERE ${isWanted} ORDER BY id DESC LIMIT ${size} OFFSET ${offset}`;
      const items = await read(db, sql`users.id IN (SELECT id FROM (${page}) AS page) ORDER BY users.id DESC`);
      return { items, total: all?.count ?? 0 };
    },
    async lock(tx, id) {
      await lockUsers(tx);
      return get(tx, id);
    },
  };
}

/** `_` is a letter of names, not a pattern. */
const hasInName = (name: string): Sql =>
  sql`username_key LIKE ${`%${usernameKey(name).replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`;
