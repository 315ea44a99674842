import { chooseUsername, toUsername } from "../../core/users/free-username.ts";
import { invalid } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { hashOfText } from "../../platform/hash.ts";
import { isBeingRemoved } from "../../core/users/remove.ts";
import { findUserByName, insertLocked, lockUsers, noPassword, promoteStandIn } from "../../core/users/store.ts";
import type { GivenProfile, User } from "../../core/users/user.ts";
import type { CommentItem, PersonItem } from "../../../convert/format/lines.ts";
import type { Plan } from "./import.ts";
import { findRecordIDs, type Import, type ItemResult, type Outcome, resultOf } from "./items.ts";

/** What other modules do when an account was made for somebody. */
export type NameReaction = { personNamed?: (tx: Queries, userID: number, profile: GivenProfile) => Promise<void> };

type Deps = { db: Database; reactions: NameReaction[] };
type Commenter = Extract<CommentItem["author"], { name: string }>;

/** The accounts by the keys of the people, and those that were made now. */
type Commenters = { ids: Map<string, number>; made: ItemResult[] };

/**
 * Accounts for those who have written what is imported. Nobody can sign in to one before an admin sets a password. `authors` are the
 * accounts of the site that belong to usernames of the source.
 */
export function createPeopleWriter({ db, reactions }: Deps, of: Import, authors: ReadonlyMap<string, User>) {
  const { owner } = of;
  /** Commenters of a dry run. */
  const reported = new Set<string>();

  return { add, addCommenters };

  /** The account that a person has already; null if there is none. What an author imports belongs to that author. */
  async function find(reader: Reader, { username }: PersonItem): Promise<Pick<User, "id"> | null> {
    if (owner.role !== "admin") return owner;
    const user = authors.get(username) ?? (await findUserByName(reader, toUsername(username)));
    return user && !(await isBeingRemoved(reader, user.id)) ? user : null;
  }

  async function add(tx: Queries | null, person: PersonItem): Promise<Outcome> {
    if (tx) await lockUsers(tx);
    const existing = await find(tx ?? db, person);
    if (existing) return { outcome: "known", recordID: existing.id };
    return { outcome: "added", recordID: tx && (await insert(tx, person.username, person)) };
  }

  /** The accounts of people who are known only by their comments, by their keys. Those that are missing are made. */
  async function addCommenters(tx: Queries | null, commenters: Commenter[]): Promise<Commenters> {
    const wanted = new Map(commenters.map((one) => [commenterKey(one), one]));
    const ids = await findRecordIDs(tx ?? db, of, "person", [...wanted.keys()]);
    const missing = [...wanted].filter(([key]) => !ids.has(key) && !reported.has(key));
    if (tx && missing.length > 0) await lockUsers(tx);
    const made: ItemResult[] = [];
    for (const [key, { name }] of missing) {
      const username = name.trim().slice(0, 80) || "guest";
      const recordID = tx && (await insert(tx, username, { displayName: username }));
      made.push(resultOf({ kind: "person", key, username, displayName: "" }, { outcome: "added", recordID }));
      if (recordID === null) reported.add(key);
      else ids.set(key, recordID);
    }
    return { ids, made };
  }

  async function insert(tx: Queries, wish: string, { about = "", links = [], ...said }: GivenProfile): Promise<number> {
    const name = await chooseUsername(tx, toUsername(wish));
    const { id } = await insertLocked(tx, { name, password: noPassword, role: "reader", action: null });
    const displayName = said.displayName === name ? "" : said.displayName.trim();
    if (displayName !== "" || about !== "" || links.length > 0)
      for (const { personNamed } of reactions) await personNamed?.(tx, id, { displayName, about, links });
    return id;
  }
}

/** Accounts that an import has made become authors when they get a post. */
export async function makeAuthor(tx: Queries, userID: number): Promise<void> {
  const isMade = sql`
    SELECT 1 FROM import_items WHERE kind = 'person' AND outcome = 'added' AND record_id = ${userID}`;
  await promoteStandIn(tx, userID, isMade);
}

/** The same name with the same e-mail address is the same person: others share an address, or have none. It is not stored. */
export function commenterKey({ name, email }: Commenter): string {
  const identity = `${email.trim().toLowerCase()} name ${name.trim().toLowerCase()}`;
  return `commenter ${hashOfText(identity).slice(0, 32)}`;
}

export async function findAuthors(db: Reader, pairs: NonNullable<Plan["authors"]>): Promise<Map<string, User>> {
  const authors = new Map<string, User>();
  for (const { theirs, ours } of pairs) {
    const user = await findUserByName(db, ours);
    if (!user) throw invalid(`There is no user ${ours}.`, "authors");
    authors.set(theirs, user);
  }
  return authors;
}
