import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";

/** The version of the renderer. What an earlier one has made is made again. */
export const currentRenderer = 4;

/** For a SELECT of posts: joins what was made of the content. */
export const joinMade = sql`LEFT JOIN ${known("post_html")} AS made ON made.post_id = posts.id`;

/** For such a SELECT: the stored HTML, also of an earlier version, or null. */
export const madeHTML = sql`made.html`;

const ifCurrent = (value: string): Sql => raw(`CASE made.renderer WHEN ${currentRenderer} THEN ${value} END`);
/** It is not stored where it is the HTML itself: it is empty then. */
const orHTML = (column: string): string => `CASE made.${column} WHEN '' THEN made.html ELSE made.${column} END`;

/** For such a SELECT: what was made beside the HTML; null if it has to be made again. A post that is too long for feeds has no `feed`. */
export const made = {
  minutes: ifCurrent("made.minutes"),
  excerpt: ifCurrent("made.excerpt"),
  headings: ifCurrent("made.headings"),
  feed: ifCurrent(orHTML("feed")),
  page: ifCurrent(orHTML("page")),
};
