import type { Photo } from "../../content/photos/photo.ts";
import { findPhotos } from "../../content/photos/store.ts";
import { usernameSkeleton } from "../../core/users/skeleton.ts";
import { type GivenProfile, usernameKey } from "../../core/users/user.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { invalid } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/http/route.ts";
import {
  type Portrait,
  type Profile,
  type ProfileChanges,
  profileChangesSchema,
  type ProfileLink,
  type PublicPerson,
} from "./profile.ts";

type Row = {
  id: number;
  username: string;
  display_name: string | null;
  portrait_id: number | null;
  about: string | null;
  links: string | null;
};

/** Users as everyone sees them, by their ids. */
export async function findPeople(db: Reader, ids: number[]): Promise<Map<number, PublicPerson>> {
  const rows = await inChunks([...new Set(ids)], (some) =>
    db.all<Row>(sql`
      SELECT users.id, username, display_name, portrait_id, about, links
      FROM users LEFT JOIN profiles ON profiles.user_id = users.id WHERE users.id IN (${list(some)})`),
  );
  const portraits = await findPortraits(db, rows);
  return new Map(
    rows.map((row) => {
      const { id, username } = row;
      const url = `/people/${encodeURIComponent(username)}`;
      return [id, { id, username, ...toTexts(row), portrait: portraits.get(id) ?? null, url }];
    }),
  );
}

export async function readProfile(db: Reader, userID: number): Promise<Profile> {
  const [row] = await db.all<Row>(sql`
    SELECT user_id AS id, '' AS username, display_name, portrait_id, about, links FROM profiles WHERE user_id = ${userID}`);
  if (!row) return { displayName: null, about: "", links: [], portraitID: null, portrait: null };
  const own = await findOwnPhoto(db, { id: userID, role: "reader" }, row.portrait_id);
  return {
    ...toTexts(row),
    portraitID: own?.id ?? null,
    portrait: (await findPortraits(db, [row])).get(userID) ?? null,
  };
}

/** Locks the user, because there may be no profile yet. */
export async function lockProfile(tx: Queries, userID: number): Promise<Profile> {
  await tx.get(sql`SELECT id FROM users WHERE id = ${userID} ${tx.forUpdate}`);
  return readProfile(tx, userID);
}

/** `before` is locked. */
export async function writeProfile(
  tx: Queries,
  userID: number,
  before: Profile,
  changed: ProfileChanges,
): Promise<Profile> {
  const { displayName = before.displayName, about = before.about, portraitID = before.portraitID } = changed;
  const links = (changed.links ?? before.links).map(({ url, label = null }) => ({ url, label }));
  if (changed.displayName) await checkDisplayName(tx, userID, changed.displayName);
  if (changed.portraitID && !(await findOwnPhoto(tx, { id: userID, role: "reader" }, changed.portraitID))) {
    throw invalid(`"portraitID" must be one of your own photos.`, "portraitID");
  }
  await tx.run(sql`
    INSERT INTO profiles (user_id, display_name, portrait_id, about, links, updated_at)
    VALUES (${userID}, ${displayName}, ${portraitID}, ${about}, ${JSON.stringify(links)}, ${Date.now()})
    ON CONFLICT (user_id) DO UPDATE SET display_name = excluded.display_name, portrait_id = excluded.portrait_id,
      about = excluded.about, links = excluded.links, updated_at = excluded.updated_at`);
  return readProfile(tx, userID);
}

/** For an account that comes from elsewhere. What nobody may choose is left out. */
export async function giveProfile(
  tx: Queries,
  userID: number,
  { displayName, about = "", links = [] }: GivenProfile,
): Promise<void> {
  const { shape } = profileChangesSchema;
  const name = shape.displayName.safeParse(displayName || null).data ?? null;
  const isFree = name !== null && !(await isTaken(tx, userID, name));
  const given = {
    displayName: isFree ? name : null,
    about: shape.about.safeParse(about).data ?? "",
    links: shape.links.safeParse(links).data ?? [],
  };
  if (!given.displayName && given.about === "" && given.links.length === 0) return;
  await tx.run(sql`
    INSERT INTO profiles (user_id, display_name, about, links, updated_at)
    VALUES (${userID}, ${given.displayName}, ${given.about}, ${JSON.stringify(given.links)}, ${Date.now()})`);
}

/** Nobody appears under the username of somebody else, or under one that looks like it. */
async function checkDisplayName(tx: Queries, userID: number, name: string): Promise<void> {
  if (await isTaken(tx, userID, name))
    throw invalid(`"displayName" is the username of somebody else, or looks like it.`, "displayName");
}

async function isTaken(tx: Queries, userID: number, name: string): Promise<boolean> {
  const taken = await tx.get(sql`
    SELECT id FROM users
    WHERE (username_key = ${usernameKey(name)} OR username_skeleton = ${usernameSkeleton(name)}) AND id <> ${userID} LIMIT 1`);
  return taken !== null;
}

/** The photos that guests may see, of those that still belong to the person. */
async function findPortraits(db: Reader, rows: Row[]): Promise<Map<number, Portrait>> {
  const ids = rows.flatMap(({ portrait_id: id }) => id ?? []);
  const photos = ids.length === 0 ? new Map<number, Photo>() : await findPhotos(db, null, ids);
  return new Map(
    rows.flatMap(({ id, portrait_id }) => {
      const photo = portrait_id === null ? undefined : photos.get(portrait_id);
      if (!photo || photo.ownerID !== id || photo.variants.length === 0) return [];
      const { altText, thumbhash, variants } = photo;
      return [[id, { photoID: photo.id, altText, thumbhash, variants }] as const];
    }),
  );
}

async function findOwnPhoto(db: Reader, viewer: NonNullable<Viewer>, id: number | null): Promise<Photo | null> {
  const photo = id === null ? undefined : (await findPhotos(db, viewer, [id])).get(id);
  return photo?.ownerID === viewer.id ? photo : null;
}

const toTexts = ({ display_name, about, links }: Row) => ({
  displayName: display_name,
  about: about ?? "",
  links: JSON.parse(links ?? "[]") as ProfileLink[],
});
