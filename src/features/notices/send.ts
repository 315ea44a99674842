import { claimDigest, noteTold } from "../../core/account-mail/told.ts";
import { noteComments, noteUploads } from "./newest.ts";
import type { Topic } from "../../core/account-mail/topics.ts";
import { type Mail, queueMail, toHeaderLine } from "../../core/mail/outbox.ts";
import { type MailSite, readMailSite, renderMail } from "../../core/mail/template.ts";
import type { Notice, NoticeSource } from "../../core/records/notice.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Role } from "../../platform/http/route.ts";
import { createStopToken } from "./stop.ts";
import { noticeTexts } from "./texts.ts";

const [hour, week] = [3_600_000, 7 * 86_400_000];
/** Comments and pictures that come in the meantime are told in one mail. */
const shortestGap = hour;
/** So many comments are shown in a mail, and so many are counted. */
const [mostShown, mostCounted] = [10, 1000];
const excerptLength = 200;
const peopleAtOnce = 200;
/** Weeks begin on Monday: the first day of this calendar was a Thursday. */
export const weekOf = (time: number): number => Math.floor((time + 3 * 86_400_000) / week);

type NoticeUses = {
  secret: string;
  baseURL: string;
  source: NoticeSource;
  notices: Record<string, Notice>;
};

type Person = {
  user_id: number;
  username: string;
  role: Role;
  address: string;
  notices: string;
  last_notified_comment_id: number;
  last_notified_upload_id: number;
  last_notified_at: number;
  last_digest_week: number;
};

/** Tells everyone what they have chosen to be told and what is new. It may run at any time, and on several copies: nobody is told twice. */
export async function sendNotices(db: Database, uses: NoticeUses, now = Date.now()): Promise<void> {
  for (let after = 0; ;) {
    const people = await db.all<Person>(
      sql`${selectPeople} AND user_id > ${after} ORDER BY user_id LIMIT ${peopleAtOnce}`,
    );
    for (const person of people) await tellPerson(db, uses, person, now);
    const last = people.at(-1);
    if (!last || people.length < peopleAtOnce) return;
    after = last.user_id;
  }
}

const selectPeople = sql`
  SELECT user_id, username, role, address, notices, last_notified_comment_id, last_notified_upload_id, last_notified_at, last_digest_week
  FROM user_addresses JOIN users ON users.id = user_id WHERE address IS NOT NULL AND notices <> '[]'`;

async function tellPerson(db: Database, uses: NoticeUses, person: Person, now: number): Promise<void> {
  const wanted = JSON.parse(person.notices) as Topic[];
  const isTime = now >= person.last_notified_at + shortestGap;
  const hasComments = isTime && wanted.includes("comments") && (await findComments(db, person, 1)).length > 0;
  const hasUploads = isTime && wanted.includes("uploads") && (await countUploads(db, person)).count > 0;
  if (hasComments || hasUploads) {
    await db.transaction(async (tx) => {
      const locked = await lockPerson(tx, person.user_id);
      if (!locked || now < locked.last_notified_at + shortestGap) return;
      if (hasComments) await tellComments(tx, uses, locked);
      if (hasUploads) await tellUploads(tx, uses, locked);
      await noteTold(tx, person.user_id, now);
    });
  }
  if (wanted.includes("digest") && person.last_digest_week < weekOf(now))
    await tellDigest(db, uses, person, weekOf(now));
}

/** What is known of a person may have changed since it was read. */
const lockPerson = async (tx: Queries, userID: number): Promise<Person | null> => {
  await tx.get(sql`SELECT user_id FROM user_addresses WHERE user_id = ${userID} ${tx.forUpdate}`);
  return tx.get<Person>(sql`${selectPeople} AND user_id = ${userID}`);
};

type Found = { id: number; content: string; status: string; author: string; title: string };

/** Comments of others on what belongs to the person, since the last notice. The oldest come first. */
const findComments = (db: Reader, { user_id, last_notified_comment_id }: Person, most: number): Promise<Found[]> =>
  db.all<Found>(sql`
    SELECT comments.id, comments.content, comments.status, users.username AS author,
      coalesce(posts.title, photos.title, albums.name, '') AS title
    FROM comments JOIN users ON users.id = comments.owner_id
      LEFT JOIN posts ON posts.id = CASE comments.target_kind WHEN 'post' THEN comments.target_id END AND posts.trash_id IS NULL
      LEFT JOIN photos ON photos.id = CASE comments.target_kind WHEN 'photo' THEN comments.target_id END AND photos.trash_id IS NULL
      LEFT JOIN albums ON albums.id = CASE comments.target_kind WHEN 'album' THEN comments.target_id END AND albums.trash_id IS NULL
    WHERE comments.id > ${last_notified_comment_id} AND comments.trash_id IS NULL AND comments.status IN ('visible', 'waiting')
      AND comments.owner_id <> ${user_id}
      AND coalesce(posts.owner_id, photos.owner_id, albums.owner_id) = ${user_id}
    ORDER BY comments.id LIMIT ${most}`);

async function tellComments(tx: Queries, uses: NoticeUses, person: Person): Promise<void> {
  const found = await findComments(tx, person, mostCounted);
  const last = found.at(-1)?.id;
  if (last === undefined) return;
  const site = await readMailSite(tx, uses.baseURL);
  const t = noticeTexts[site.language];
  const { subject, intro, more, button } = t.comments(site.name, found.length);
  const shown = found
    .slice(0, mostShown)
    .map(({ author, title, status, content }) =>
      [
        t.comment(author, toHeaderLine(title || t.untitled, 80), status === "waiting"),
        toHeaderLine(content, excerptLength),
      ].join("\n"),
    );
  const rest = found.length - shown.length;
  await send(tx, uses, person, {
    site,
    topic: "comments",
    subject,
    paragraphs: [intro, ...shown, ...(rest > 0 ? [more(rest)] : [])],
    action: { label: button, url: `${uses.baseURL}/studio/comments` },
    key: `comments:${person.user_id}:${last}`,
  });
  await noteComments(tx, person.user_id);
}

async function countUploads(
  db: Reader,
  { user_id, last_notified_upload_id }: Person,
): Promise<{ count: number; last: number }> {
  const row = await db.get<{ count: number; last: number | null }>(sql`
    SELECT count(*) AS count, max(id) AS last FROM share_uploads
    WHERE owner_id = ${user_id} AND id > ${last_notified_upload_id}`);
  return { count: row?.count ?? 0, last: row?.last ?? 0 };
}

async function tellUploads(tx: Queries, uses: NoticeUses, person: Person): Promise<void> {
  const { count, last } = await countUploads(tx, person);
  if (count === 0) return;
  const site = await readMailSite(tx, uses.baseURL);
  const { subject, intro, button } = noticeTexts[site.language].uploads(site.name, count);
  await send(tx, uses, person, {
    site,
    topic: "uploads",
    subject,
    paragraphs: [intro],
    action: { label: button, url: `${uses.baseURL}/studio/shares` },
    key: `uploads:${person.user_id}:${last}`,
  });
  await noteUploads(tx, person.user_id);
}

const digestFields = [
  "waitingComments",
  "waitingUploads",
  "unreadablePictures",
  "unfinishedImports",
  "backupError",
  "deletionsHeld",
];

/** Only numbers: what they are about is read in the studio. */
async function readAttention({ source, notices }: NoticeUses, person: Person): Promise<Record<string, number>> {
  const caller = { id: person.user_id, username: person.username, role: person.role, tokenID: "" };
  const counts: Record<string, number> = {};
  for (const name of digestFields) {
    const value = await notices[name]?.read(source, caller);
    const count = typeof value === "object" && value !== null && "count" in value ? value.count : value;
    counts[name] = typeof count === "number" ? count : Number(count !== null && count !== undefined && count !== false);
  }
  return counts;
}

async function tellDigest(db: Database, uses: NoticeUses, person: Person, thisWeek: number): Promise<void> {
  const counts = await readAttention(uses, person);
  await db.transaction(async (tx) => {
    const isFirst = await claimDigest(tx, person.user_id, thisWeek);
    const site = await readMailSite(tx, uses.baseURL);
    const t = noticeTexts[site.language];
    const lines = t.attention(counts);
    if (!isFirst || lines.length === 0) return;
    const { subject, intro, button } = t.digest(site.name);
    await send(tx, uses, person, {
      site,
      topic: "digest",
      subject,
      paragraphs: [intro, lines.map((line) => `• ${line}`).join("\n")],
      action: { label: button, url: `${uses.baseURL}/studio` },
      key: `digest:${person.user_id}:${thisWeek}`,
    });
  });
}

type Draft = {
  site: MailSite;
  topic: Topic;
  paragraphs: string[];
  action: { label: string; url: string };
} & Pick<Mail, "subject"> & { key: string };

/** With the headers by which mail programs offer to stop it (RFC 8058). */
async function send(tx: Queries, uses: NoticeUses, person: Person, draft: Draft): Promise<void> {
  const { site, topic, paragraphs, action, subject, key } = draft;
  const t = noticeTexts[site.language];
  const url = `${uses.baseURL}/notices/off?token=${createStopToken(uses.secret, { userID: person.user_id, topic })}`;
  await queueMail(tx, {
    to: person.address,
    subject: toHeaderLine(subject),
    ...renderMail(site, { paragraphs, action, footer: [{ text: t.why }, { text: t.stop, url }] }),
    headers: { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    key,
  });
}
