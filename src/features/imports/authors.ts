import { findUserByName } from "../../core/users/store.ts";
import type { User } from "../../core/users/user.ts";
import type { Reader } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";

type Pair = { theirs: string; ours: string };

/** Which accounts of the site belong to which usernames of a source. */
export async function findAuthors(db: Reader, pairs: readonly Pair[]): Promise<Map<string, User>> {
  const authors = new Map<string, User>();
  for (const { theirs, ours } of pairs) {
    const user = await findUserByName(db, ours);
    if (!user) throw invalid(`There is no user ${ours}.`, "authors");
    authors.set(theirs, user);
  }
  return authors;
}
