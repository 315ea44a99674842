import { raw, sql, type Sql } from "../../platform/database/sql.ts";

/** How a value of the database is written as JSON; a `plain` one as it is. */
export type Form = "plain" | "time" | "flag" | "json";

/** A file of `data/`: one record a line. */
export type ExportedTable = {
  /** The name of the file, without `.jsonl`. */
  file: string;
  table: string;
  /** The columns that it has, as the fields of its records. Their order is that of the fields. */
  columns: string[];
  /** Columns whose names do not tell their form. */
  forms?: Record<string, Form>;
  /** Why further columns are not exported. */
  without?: Record<string, string>;
  /** Only these rows. */
  where?: Sql;
  /** A condition on the rows that belong to one person; null if none does. */
  isOf: ((personID: number) => Sql) | null;
  /** Only the export of one person has it, for reading: an import does not take it. */
  isPersonal?: true;
};

const owned = (personID: number): Sql => sql`owner_id = ${personID}`;
const ofRecord = (table: string, column: string) => (personID: number) =>
  sql`${raw(column)} IN (SELECT id FROM ${raw(table)} WHERE owner_id = ${personID})`;
const words = (text: string): string[] => text.trim().split(/\s+/);

const derived = "follows from the others";

/** Every table with what a person would miss. `docs/reference/export-fields.md` describes the fields. */
export const exportedTables: ExportedTable[] = [
  {
    file: "people",
    table: "users",
    columns: words("id username role created_at updated_at"),
    without: {
      username_key: derived,
      username_skeleton: derived,
      password_hash: "a secret",
      has_weak_password: "follows from the password",
    },
    isOf: (personID) => sql`id = ${personID}`,
  },
  {
    file: "profiles",
    table: "profiles",
    columns: words("user_id display_name portrait_id about links updated_at"),
    forms: { links: "json" },
    isOf: (personID) => sql`user_id = ${personID}`,
  },
  {
    file: "sessions",
    table: "sessions",
    columns: words("id user_id created_at seen_at expires_at client address"),
    without: { token_id: "a secret", confirmed_at: "passes by itself" },
    isOf: (personID) => sql`user_id = ${personID}`,
    isPersonal: true,
  },
  {
    file: "addresses",
    table: "user_addresses",
    columns: words("user_id address notices"),
    forms: { notices: "json" },
    without: {
      address_key: derived,
      pending: "not confirmed",
      pending_hash: "a secret",
      pending_until: "not confirmed",
      last_notified_comment_id: "means nothing on another site",
      last_notified_upload_id: "means nothing on another site",
      last_notified_at: "means nothing on another site",
      last_digest_week: "means nothing on another site",
    },
    isOf: (personID) => sql`user_id = ${personID}`,
    isPersonal: true,
  },
  {
    file: "trash",
    table: "trash",
    columns: words("id kind record_id owner_id deleted_by deleted_at name"),
    where: sql`deleted_at > 0`,
    isOf: owned,
  },
  {
    file: "files",
    table: "files",
    columns: words(
      "id parent_id owner_id trash_id name size sha256 content_type is_private created_at updated_at content_at",
    ),
    without: { name_key: derived, order_key: derived },
    isOf: owned,
  },
  {
    file: "versions",
    table: "file_versions",
    columns: words("id file_id owner_id size sha256 content_type created_at replaced_at"),
    isOf: owned,
  },
  {
    file: "pictures",
    table: "images",
    columns: words(
      `sha256 width height taken_at read_at thumbhash failure camera place clean_sha256 clean_size clean reader withheld
       duration motion_duration motion look_high look_low is_cut_off taken_at_zone`,
    ),
    forms: { camera: "json", place: "json" },
    isOf: (personID) => sql`sha256 IN (SELECT sha256 FROM files WHERE owner_id = ${personID})`,
  },
  {
    file: "photos",
    table: "photos",
    columns: words(
      `id owner_id trash_id file_id title is_untitled description alt_text tags is_favourite is_private width height
       taken_at taken_at_set taken_at_zone place location_shown_at kind camera_key sized_sha256 poster_sha256 poster_size edits
       is_cropped closed_file_id compared_at created_at updated_at`,
    ),
    forms: { taken_at_set: "time", tags: "json", place: "json", edits: "json" },
    isOf: owned,
  },
  {
    file: "duplicates",
    table: "photo_pairs",
    columns: words("one_id other_id owner_id dismissed_at"),
    isOf: owned,
  },
  {
    file: "albums",
    table: "albums",
    columns: words(
      `id owner_id trash_id parent_id position name description cover_photo_id photo_order filter is_private created_at
       updated_at`,
    ),
    forms: { filter: "json" },
    isOf: owned,
  },
  {
    file: "album-photos",
    table: "album_photos",
    columns: words("album_id photo_id position"),
    without: { seen_by: derived },
    isOf: ofRecord("albums", "album_id"),
  },
  {
    file: "posts",
    table: "posts",
    columns: words(
      `id owner_id trash_id is_page title slug status is_private chosen_private published_at tags excerpt cover_id
       comments_closed_at revision revised_at revised_by created_at updated_at content`,
    ),
    forms: { tags: "json", chosen_private: "flag" },
    isOf: owned,
  },
  {
    file: "slugs",
    table: "post_slugs",
    columns: words("slug post_id"),
    isOf: ofRecord("posts", "post_id"),
  },
  {
    file: "revisions",
    table: "post_revisions",
    columns: words("post_id number created_at revised_by title excerpt cover_id tags content"),
    forms: { tags: "json" },
    isOf: ofRecord("posts", "post_id"),
  },
  {
    file: "comments",
    table: "comments",
    columns: words(
      `id owner_id trash_id status post_id photo_id album_id parent_id content created_at updated_at source_url source_kind
       source_author`,
    ),
    isOf: owned,
  },
  {
    file: "approved-commenters",
    table: "approved_commenters",
    columns: words("user_id approved_at"),
    isOf: (personID) => sql`user_id = ${personID}`,
  },
  {
    file: "hearts",
    table: "hearts",
    columns: words("target_id giver created_at"),
    isOf: (personID) => sql`giver = ${`user:${personID}`}`,
  },
  {
    file: "shares",
    table: "shares",
    columns: words(
      `id owner_id kind record_id token_hash allow_download allow_upload show_metadata expires_at uses last_used_at uploads
       created_at updated_at`,
    ),
    without: { password_hash: "a secret; `hasPassword` says whether there is one" },
    isOf: owned,
  },
  {
    file: "guest-pictures",
    table: "share_uploads",
    columns: words("id share_id owner_id name guest_name sha256 size content_type created_at"),
    isOf: owned,
  },
  {
    file: "redirects",
    table: "redirects",
    columns: words("id address kind record_id target created_at"),
    without: { import_id: "how records came here" },
    isOf: null,
  },
  { file: "settings", table: "site_settings", columns: words("name value"), forms: { value: "json" }, isOf: null },
  { file: "picture-keys", table: "public_name_keys", columns: words("purpose secret"), isOf: null },
  {
    file: "activity",
    table: "activity",
    columns: words("id created_at actor_id owner_id kind record_id action name was_public is_page"),
    forms: { was_public: "flag" },
    without: { transaction_id: "means nothing in another database" },
    isOf: (personID) => sql`actor_id = ${personID}`,
  },
  {
    file: "webhooks",
    table: "webhooks",
    columns: words("id url events is_active inactive_reason created_at updated_at"),
    forms: { events: "json" },
    without: {
      salt: "a secret",
      position_transaction_id: "means nothing in another database",
      position_id: "means nothing in another database",
    },
    isOf: null,
  },
];

/** Tables of which nothing is exported, and why. */
export const unexportedTables: Record<string, string> = {
  app_keys: "a secret",
  passkeys: "a secret",
  used_challenges: "passes by itself",
  totp_secrets: "a secret",
  recovery_codes: "a secret",
  signin_tickets: "passes by itself",
  familiar_addresses: "a secret",
  dav_properties: "of the programs that mount the files",
  dav_side_files: "of the programs that mount the files",
  password_links: "a secret",
  outbox: "passes by itself",
  subscribers: "people who trust this site alone: admins download them as a table",
  newsletter_posts: "belongs to the subscribers",
  newsletter_mails: "passes by itself",
  invitations: "a secret",
  idempotency_keys: "passes by itself",
  uploads: "unfinished",
  upload_parts: "unfinished",
  user_removals: "unfinished",
  imports: "how records came here",
  import_files: "how records came here",
  import_items: "how records came here",
  archives: derived,
  backups: "of this machine",
  webhook_deliveries: "passes by itself",
  web_tasks: "passes by itself",
  tasks: "passes by itself",
  photo_lists: derived,
  photo_months: derived,
  photo_places: derived,
  photo_areas: derived,
  post_tags: derived,
  post_html: derived,
  post_embeds: derived,
  album_counts: derived,
  heart_counts: derived,
  documents: derived,
  list_counts: derived,
};
