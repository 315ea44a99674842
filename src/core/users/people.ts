import { missing } from "../../platform/errors.ts";
import type { Counted, Totals } from "../holdings/count.ts";
import type { HoldingsCounter } from "../holdings/counter.ts";
import { countsOf, noTotals, summarize } from "../holdings/summary.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import type { Page } from "../../platform/database/lists.ts";
import { firstOf, sql, type Sql } from "../../platform/database/sql.ts";
import type { Person } from "./person.ts";
import { lockUsers, toUser, type UserRow } from "./store.ts";
import { usernameKey } from "./user.ts";

type PersonRow = Omit<UserRow, "password_hash"> & { removal_id: number | null };

type People = {
  list(name: string | undefined, page: Page): Promise<{ items: Person[]; total: number }>;
  /** Throws if there is no such user. */
  get(id: number): Promise<Person>;
  /** The same in a transaction, with the last count of what the user has. */
  getIn(tx: Queries, id: number): Promise<Person>;
  /** The same, and prevents that others change users until the transaction ends. */
  lock(tx: Queries, id: number): Promise<Person>;
};

/** Users with what they have. `fields` are the kinds of records that are counted. */
export function createPeople(db: Database, holdings: HoldingsCounter, fields: string[]): People {
  async function read(reader: Reader, where: Sql, counted: Counted | null): Promise<Person[]> {
    const rows = await reader.all<PersonRow>(sql`
      SELECT users.id, username, role, users.created_at, user_removals.id AS removal_id
      FROM users LEFT JOIN user_removals ON user_id = users.id WHERE ${where}`);
    return rows.map((row) => toPerson(row, counted?.byOwner.get(row.id) ?? noTotals));
  }

  function toPerson(row: PersonRow, totals: Totals): Person {
    const { files, directories, bytes } = summarize(totals);
    return {
      ...toUser(row),
      counts: { files: files.count, directories, ...countsOf(totals, fields) },
      bytes,
      isBeingRemoved: row.removal_id !== null,
    };
  }

  async function readOne(reader: Reader, id: number, counted: Counted | null): Promise<Person> {
    const [person] = await read(reader, sql`users.id = ${id}`, counted);
    if (!person) throw missing(`user ${id}`);
    return person;
  }

  return {
    get: async (id) => readOne(db, id, await holdings.read()),
    getIn: (tx, id) => readOne(tx, id, holdings.latest()),
    async list(name, { offset, size }) {
      const isWanted = name === undefined ? sql`1 = 1` : hasInName(name);
      const all = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM users WHERE ${isWanted}`);
      const page = firstOf(sql`SELECT id FROM users WHERE ${isWanted} ORDER BY id DESC`, size, offset);
      const isOnPage = sql`users.id IN (SELECT id FROM (${page}) AS page) ORDER BY users.id DESC`;
      return { items: await read(db, isOnPage, await holdings.read()), total: all?.count ?? 0 };
    },
    async lock(tx, id) {
      await lockUsers(tx);
      return readOne(tx, id, holdings.latest());
    },
  };
}

/** `_` is a letter of names, not a pattern. */
const hasInName = (name: string): Sql =>
  sql`username_key LIKE ${`%${usernameKey(name).replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`;
