import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";
import { isBeingRemoved } from "../../core/users/remove.ts";
import {
  checkNameIsFree,
  findUserByName,
  insertLocked,
  lockUsers,
  noPassword,
  promoteStandIn,
} from "../../core/users/store.ts";
import type { GivenProfile, User } from "../../core/users/user.ts";
import { Problem } from "../../platform/errors.ts";
import type { CommentItem, PersonItem } from "./item.ts";
import { addItems, findKnown, type Origin, type ItemResult } from "./items.ts";

/** What other modules do when an account was made for somebody. */
export type NameReaction = { personNamed?: (tx: Queries, userID: number, profile: GivenProfile) => Promise<void> };

type Deps = { db: Database; reactions: NameReaction[] };
type Import = {
  owner: Caller;
  importID: number | null;
  origin: Origin;
  /** Which accounts of the site belong to which usernames of the source. */
  authors: ReadonlyMap<string, User>;
};

type Found = { recordID: number; isKnown: boolean };
type Commenter = Extract<CommentItem["author"], { name: string }>;

/** Accounts for those who have written what is imported. Nobody can sign in to one before an admin sets a password. */
export function createPeopleWriter({ db, reactions }: Deps, { owner, importID, origin, authors }: Import) {
  const commenters = new Map<string, number>();

  return { find, add, addCommenters };

  /** The account that a person has already; null if there is none. What an author imports belongs to that author. */
  async function find(reader: Reader, { username }: PersonItem): Promise<User | null> {
    if (owner.role !== "admin") return { ...owner, createdAt: "" };
    const user = authors.get(username) ?? (await findUserByName(reader, toUsername(username)));
    return user && !(await isBeingRemoved(reader, user.id)) ? user : null;
  }

  async function add(tx: Queries, person: PersonItem): Promise<Found> {
    await lockUsers(tx);
    const existing = await find(tx, person);
    if (existing) return { recordID: existing.id, isKnown: true };
    return { recordID: await insert(tx, person.username, person), isKnown: false };
  }

  /** The accounts of people who are known only by their comments, by their keys. Those that are missing are made. */
  async function addCommenters(people: Commenter[]): Promise<{ ids: Map<string, number>; made: ItemResult[] }> {
    const wanted = new Map(people.map((one) => [commenterKey(one), one]));
    const unknown = [...wanted.keys()].filter((key) => !commenters.has(key));
    for (const [key, { recordID }] of await findKnown(db, origin, "person", unknown))
      if (recordID !== null) commenters.set(key, recordID);
    const missing = unknown.filter((key) => !commenters.has(key));
    if (missing.length === 0) return { ids: commenters, made: [] };
    const settle = (key: string, recordID: number | null): ItemResult => ({
      kind: "person",
      key,
      name: nameOf(wanted.get(key)),
      outcome: "added",
      reason: null,
      recordID,
      fingerprint: " ",
    });
    if (importID === null) {
      for (const key of missing) commenters.set(key, 0);
      return { ids: commenters, made: missing.map((key) => settle(key, null)) };
    }
    const made = await db.transaction(async (tx) => {
      await lockUsers(tx);
      const settled: ItemResult[] = [];
      for (const key of missing) {
        const name = nameOf(wanted.get(key));
        settled.push(settle(key, await insert(tx, name, { displayName: name })));
      }
      await addItems(tx, importID, origin, settled);
      return settled;
    });
    for (const { key, recordID } of made) commenters.set(key, recordID as number);
    return { ids: commenters, made };
  }

  async function insert(
    tx: Queries,
    wish: string,
    { displayName, about = "", links = [] }: GivenProfile,
  ): Promise<number> {
    const name = await chooseUsername(tx, toUsername(wish));
    const { id } = await insertLocked(tx, { name, password: noPassword, role: "reader", action: null });
    const isNamed = displayName.trim() !== "" && displayName !== name;
    if (isNamed || about !== "" || links.length > 0)
      for (const { personNamed } of reactions)
        await personNamed?.(tx, id, { displayName: isNamed ? displayName.trim() : "", about, links });
    return id;
  }
}

/** Accounts that an import has made become authors when they get a post. */
export async function makeAuthor(tx: Queries, userID: number): Promise<void> {
  const isMade = sql`
    SELECT 1 FROM import_items WHERE kind = 'person' AND outcome = 'added' AND record_id = ${userID}`;
  await promoteStandIn(tx, userID, isMade);
}

const nameOf = (commenter: Commenter | undefined): string => commenter?.name.trim().slice(0, 80) || "guest";

/** The same name with the same e-mail address is the same person: others share an address, or have none. It is not stored. */
export function commenterKey({ name, email }: Commenter): string {
  const identity = `${email.trim().toLowerCase()} name ${name.trim().toLowerCase()}`;
  return `commenter ${hashOfText(identity).slice(0, 32)}`;
}

/** A name as an account may have it. */
function toUsername(wish: string): string {
  const name = wish
    .toWellFormed()
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}._\-@+]+/gu, "-")
    .replace(/^[\p{M}-]+|(?<!-)-+$/gu, "");
  return name.slice(0, 48).toWellFormed().replaceAll("\uFFFD", "") || "guest";
}

async function chooseUsername(tx: Queries, name: string): Promise<string> {
  for (const candidate of [name, ...[2, 3, 4, 5].map((number) => `${name}-${number}`)])
    if (await isFree(tx, candidate)) return candidate;
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}

async function isFree(tx: Queries, name: string): Promise<boolean> {
  try {
    await checkNameIsFree(tx, name);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
