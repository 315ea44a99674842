-- The tables of both engines, by module. schema.sqlite.sql and schema.postgres.sql run after it and have what differs.
--
-- TIME is milliseconds since 1970, UTC, FLAG is 0 or 1, SIZE a number of bytes, HASH a SHA-256 and JSON a text: each with a CHECK, so
-- that no other value can be stored (migrate.ts). `*_key` columns are folded by the program, so that both engines agree on
-- what is equal and on the order. Long texts come last, so that a scan of rows does not read them.
-- Between indexes that seem equally good, SQLite chooses by their order here.
-- `id ID` is the auto-incremented key of each engine; an id is never used again. PostgreSQL takes INTEGER PRIMARY KEY as BIGINT and
-- ignores WITHOUT ROWID.
-- The program adds the views `blob_references`, `counted_bytes` and `reserved_bytes` and the triggers that follow from the declarations
-- of the modules (derived-schema.ts).

-- Platform ----------------------------------------------------------------------------------------------------------------------

-- Values that all servers share and that are not configured.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- The process that runs a task, until when unless it renews the lease, and when the task was last finished.
CREATE TABLE leases (
  task TEXT PRIMARY KEY,
  token BIGINT NOT NULL,
  expires_at TIME NOT NULL,
  finished_at TIME NOT NULL
);

-- The number of listed records in each block of ids (`size` is the number of ids in a block) and in total (size 0): deep pages are
-- found with it. Each count is the sum of its lanes.
CREATE TABLE list_counts (
  list TEXT NOT NULL,
  size BIGINT NOT NULL,
  block BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  live BIGINT NOT NULL,
  PRIMARY KEY (list, size, block, lane)
);

-- Requests with an Idempotency-Key, per caller. A key without a body was used, and its response is no longer stored. `bytes` of the
-- response count towards the quota of `owner_id`, which is null for a guest.
CREATE TABLE idempotency_keys (
  caller TEXT NOT NULL,
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  expires_at TIME NOT NULL,
  owner_id BIGINT,
  bytes SIZE NOT NULL DEFAULT 0,
  status BIGINT NOT NULL,
  location TEXT,
  body TEXT,
  PRIMARY KEY (caller, name)
);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_of_caller ON idempotency_keys (caller, expires_at, bytes);

-- While a row has not expired, no blob is removed, because a backup is being created.
CREATE TABLE blob_holds (
  id TEXT PRIMARY KEY,
  expires_at TIME NOT NULL
);

-- When backups were created.
CREATE TABLE backups (
  id ID,
  created_at TIME NOT NULL
);

-- The searchable words of each record, as platform/search/words.ts folds them, between spaces. `own_words` are all words that the owner
-- finds the record by; owner_id and own_words are null where nothing is private. A document with a number in `unread` has to be read
-- again; each write sets another number.
CREATE TABLE documents (
  id ID,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  owner_id BIGINT,
  is_private FLAG NOT NULL DEFAULT 0,
  unread BIGINT,
  title_words TEXT NOT NULL,
  text_words TEXT NOT NULL,
  own_words TEXT,
  UNIQUE (kind, record_id)
);
CREATE INDEX documents_unread ON documents (id) WHERE unread IS NOT NULL;
-- Folded titles have no limit in bytes, but entries of an index have.
CREATE INDEX documents_by_whole_title ON documents (substr(title_words, 1, 100), id);

-- Users -------------------------------------------------------------------------------------------------------------------------

-- `username_skeleton` is what a name looks like. `has_weak_password`: the password is easy to guess or short, so the account cannot
-- become an admin.
CREATE TABLE users (
  id ID,
  role TEXT NOT NULL CHECK (role IN ('reader', 'author', 'admin')),
  has_weak_password FLAG NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  username TEXT NOT NULL,
  username_key TEXT NOT NULL UNIQUE,
  username_skeleton TEXT NOT NULL,
  password_hash TEXT NOT NULL
);
CREATE INDEX users_by_skeleton ON users (username_skeleton);

-- Users who are being removed. Their records go to the heir in batches, after they were moved to the trash (`is_trashed`) or deleted
-- (`is_erased`: the heir gets only what contains records of others). The user is deleted last. `removed_by` is null for the command line.
CREATE TABLE user_removals (
  id ID,
  user_id BIGINT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  heir_id BIGINT NOT NULL REFERENCES users (id),
  is_trashed FLAG NOT NULL,
  is_erased FLAG NOT NULL DEFAULT 0,
  removed_by BIGINT,
  created_at TIME NOT NULL
);
CREATE INDEX user_removals_by_heir ON user_removals (heir_id);

-- Links with which one person can sign up. A row is deleted when it is used. It is valid only while its creator is an admin. `address`
-- is where it was sent.
CREATE TABLE invitations (
  id ID,
  token_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  created_by BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TIME NOT NULL,
  expires_at TIME,
  address TEXT,
  note TEXT NOT NULL
);
CREATE INDEX invitations_by_creator ON invitations (created_by);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- Mail addresses of accounts. `address` is confirmed; `pending` is one that its owner has yet to confirm, with a link whose token is
-- stored as a hash. `notices` lists the kinds of mail that the person wants, as JSON. The other columns say what was sent last.
CREATE TABLE user_addresses (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  address TEXT,
  address_key TEXT,
  pending TEXT,
  pending_hash TEXT UNIQUE,
  pending_until TIME,
  notices JSON NOT NULL,
  last_notified_comment_id BIGINT NOT NULL,
  last_notified_upload_id BIGINT NOT NULL,
  last_notified_at TIME NOT NULL,
  last_digest_week BIGINT NOT NULL
);
CREATE INDEX user_addresses_by_address ON user_addresses (address_key) WHERE address_key IS NOT NULL;

-- Accounts of which a comment was approved once: their comments are visible at once.
CREATE TABLE approved_commenters (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  approved_at TIME NOT NULL
);

-- Sessions and signing in -------------------------------------------------------------------------------------------------------

-- One row per token: a token without a row is not valid. `client` and `address` are for people to recognize a session. `confirmed_at` is
-- when the person last entered the password again in it.
CREATE TABLE sessions (
  id ID,
  token_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at TIME NOT NULL,
  created_at TIME NOT NULL,
  seen_at TIME NOT NULL,
  confirmed_at TIME,
  client TEXT,
  address TEXT
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The addresses from which each user has signed in lately, as keyed hashes.
CREATE TABLE familiar_addresses (
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  seen_at TIME NOT NULL,
  PRIMARY KEY (user_id, address)
);
CREATE INDEX familiar_addresses_by_time ON familiar_addresses (seen_at);

-- Links with which a person sets a new password, once. `is_by_admin`: an admin or the command line has created it.
CREATE TABLE password_links (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  is_by_admin FLAG NOT NULL,
  created_at TIME NOT NULL,
  expires_at TIME NOT NULL,
  is_ended FLAG NOT NULL
);
CREATE INDEX password_links_of_user ON password_links (user_id, created_at);
CREATE INDEX password_links_by_expiry ON password_links (expires_at);

-- The secret that an authenticator app shares with the server, encrypted. It is in use from confirmed_at on. No code of last_step, or
-- of an earlier time step, is accepted again.
CREATE TABLE totp_secrets (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  created_at TIME NOT NULL,
  confirmed_at TIME,
  last_step BIGINT NOT NULL
);

-- Codes for those who have lost their second factor. A row is deleted when it is used.
CREATE TABLE recovery_codes (
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- Sign-ins that have passed the password and wait for the second factor. `password_tag` is a hash of the stored password hash, so a
-- changed password ends them.
CREATE TABLE signin_tickets (
  ticket_hash TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  password_tag TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  expires_at TIME NOT NULL
);
CREATE INDEX signin_tickets_by_user ON signin_tickets (user_id);
CREATE INDEX signin_tickets_by_expiry ON signin_tickets (expires_at);

-- Passkeys (WebAuthn). `public_key` and `credential_id` are base64url, `transports` is a list of words in JSON, `site` the host name for
-- which the passkey was created. `copied_at` is when its counter went back: a copy of it exists, and it is no longer accepted.
CREATE TABLE passkeys (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  user_handle TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports JSON NOT NULL,
  site TEXT NOT NULL,
  name TEXT NOT NULL,
  is_synced FLAG NOT NULL,
  created_at TIME NOT NULL,
  used_at TIME,
  copied_at TIME
);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

-- Challenges are signed, and stored only after use, so that none is accepted twice.
CREATE TABLE used_challenges (
  challenge TEXT NOT NULL PRIMARY KEY,
  expires_at TIME NOT NULL
);
CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at);

-- Keys with which programs act for a person, as hashes. `scopes` is a list of words in JSON. A key can be limited to one directory or
-- album; if that was deleted, the key gives access to nothing.
CREATE TABLE app_keys (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes JSON NOT NULL,
  limit_kind TEXT,
  limit_id BIGINT,
  created_at TIME NOT NULL,
  expires_at TIME,
  used_at TIME,
  used_from TEXT
);
CREATE INDEX app_keys_by_user ON app_keys (user_id, id);

-- Settings of the site ----------------------------------------------------------------------------------------------------------

-- What admins choose for the site, as JSON. A setting without a row has its default.
CREATE TABLE site_settings (
  name TEXT PRIMARY KEY,
  value JSON NOT NULL
);

-- The key from which the public names of pictures are computed. The first server that needs it creates it.
CREATE TABLE public_name_keys (
  purpose TEXT PRIMARY KEY,
  secret TEXT NOT NULL
);

-- Trash -------------------------------------------------------------------------------------------------------------------------

-- One row per deletion. Rows of other tables that carry its id are deleted as long as it exists. `deleted_by` is null for the owner.
CREATE TABLE trash (
  id ID,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  deleted_by BIGINT REFERENCES users (id),
  deleted_at TIME NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX trash_by_time ON trash (deleted_at);
CREATE INDEX trash_by_deleter ON trash (coalesce(deleted_by, owner_id), id);
CREATE INDEX trash_by_record ON trash (kind, record_id);
-- An account is deleted only if nothing refers to it.
CREATE INDEX trash_of_owner ON trash (owner_id);
CREATE INDEX trash_deleted_by ON trash (deleted_by);

-- Storage -----------------------------------------------------------------------------------------------------------------------

-- The bytes that each owner has stored, which the quota reads. Each count is the sum of its lanes; triggers maintain it.
CREATE TABLE stored_bytes (
  owner_id BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (owner_id, lane)
);

-- Bytes that count towards a quota and belong to no record: those of an upload that is being received and, with the name of a blob,
-- those of a blob that is about to be removed. owner_id has no foreign key: a row outlives its owner until the bytes are removed.
CREATE TABLE reservations (
  id ID,
  owner_id BIGINT,
  bytes BIGINT NOT NULL,
  expires_at TIME NOT NULL,
  unused_blob TEXT
);
CREATE INDEX reservations_by_owner ON reservations (owner_id);

-- Files -------------------------------------------------------------------------------------------------------------------------

-- The tree: parent_id 0 is the root, which has no row. A directory has no sha256. `content_at` is when the content was written; null:
-- with the file.
CREATE TABLE files (
  id ID,
  parent_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_private FLAG NOT NULL DEFAULT 0,
  size SIZE NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  content_at TIME,
  sha256 HASH,
  content_type TEXT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  order_key TEXT NOT NULL
);
CREATE UNIQUE INDEX files_by_name ON files (parent_id, name_key) WHERE trash_id IS NULL;
CREATE INDEX files_in_order ON files (parent_id, order_key, id) WHERE trash_id IS NULL;
CREATE INDEX files_by_parent ON files (parent_id);
CREATE INDEX files_in_trash ON files (trash_id) WHERE trash_id IS NOT NULL;
CREATE INDEX files_by_owner ON files (owner_id, size);
CREATE INDEX files_by_blob ON files (sha256, size) WHERE sha256 IS NOT NULL;
-- The directories in a directory, without reading its files.
CREATE INDEX files_directories ON files (parent_id) WHERE sha256 IS NULL;
CREATE INDEX files_public ON files (parent_id, order_key, id) WHERE trash_id IS NULL AND is_private = 0;
CREATE INDEX directories_by_parent ON files (parent_id) WHERE sha256 IS NULL;
CREATE INDEX directories_in_trash ON files (id) WHERE sha256 IS NULL AND trash_id IS NOT NULL;
-- The directories that contain public files: the menu of the site depends on whether there are any.
CREATE INDEX files_with_content ON files (is_private, parent_id) WHERE trash_id IS NULL AND sha256 IS NOT NULL;

-- Earlier contents of files. Size and owner are repeated here, so that sums do not read the files.
CREATE TABLE file_versions (
  id ID,
  file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  size SIZE NOT NULL,
  created_at TIME NOT NULL,
  replaced_at TIME NOT NULL,
  sha256 HASH NOT NULL,
  content_type TEXT NOT NULL
);
CREATE INDEX file_versions_by_file ON file_versions (file_id, id);
CREATE INDEX file_versions_by_owner ON file_versions (owner_id, size);
CREATE INDEX file_versions_by_blob ON file_versions (sha256, size);
CREATE INDEX file_versions_by_time ON file_versions (replaced_at);

-- Uploads, which may arrive in several requests. `metadata` is kept as it was sent. file_id is the file that was created, without a
-- foreign key: it may have been deleted since.
CREATE TABLE uploads (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  length SIZE NOT NULL,
  received BIGINT NOT NULL,
  parts BIGINT NOT NULL,
  file_id BIGINT,
  created_at TIME NOT NULL,
  expires_at TIME NOT NULL,
  metadata TEXT NOT NULL
);
CREATE INDEX uploads_unfinished ON uploads (owner_id) WHERE file_id IS NULL;
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- The received parts of an upload, each a blob.
CREATE TABLE upload_parts (
  upload_id BIGINT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  start BIGINT NOT NULL,
  size SIZE NOT NULL,
  sha256 HASH NOT NULL,
  PRIMARY KEY (upload_id, start)
);
CREATE INDEX upload_parts_by_blob ON upload_parts (sha256);

-- Locks of WebDAV. `path_key` has the compared names of the path, with a slash before and after each, so that everything below a path
-- is a range; `path` has them as written. `owner` is what the client says about itself, as XML.
CREATE TABLE dav_locks (
  token TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_exclusive FLAG NOT NULL,
  is_deep FLAG NOT NULL,
  seconds BIGINT NOT NULL,
  expires_at TIME NOT NULL,
  path_key TEXT NOT NULL,
  path TEXT NOT NULL,
  owner TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX dav_locks_by_path ON dav_locks (path_key);
CREATE INDEX dav_locks_by_user ON dav_locks (user_id, expires_at);
CREATE INDEX dav_locks_by_time ON dav_locks (expires_at);

-- Properties that WebDAV clients store for files and directories. `value` is the whole element, as XML.
CREATE TABLE dav_properties (
  file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (file_id, namespace, name)
);

-- Files that programs leave beside others, such as `.DS_Store`. Each account sees its own, over WebDAV only. The root has the id 0.
CREATE TABLE dav_side_files (
  id ID,
  parent_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  size SIZE NOT NULL,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  sha256 HASH NOT NULL,
  content_type TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL
);
CREATE UNIQUE INDEX dav_side_files_by_name ON dav_side_files (owner_id, parent_id, name_key);
CREATE INDEX dav_side_files_by_blob ON dav_side_files (sha256, size);

-- Images ------------------------------------------------------------------------------------------------------------------------

-- What was read from an image or video, by the hash of its bytes.
-- Without a width it cannot be decoded, and `failure` says why. `is_cut_off`: the file is damaged or ends early.
-- `reader` is the version of the code that wrote the row; rows of older versions are read again.
-- `clean` says, packed, which bytes the public may see; null: all of them. `withheld`: private data cannot be removed, so only the owner
-- and admins can download the file.
-- `taken_at_zone` is the time zone of the camera's clock, according to the file.
-- `duration` is in milliseconds: null for pictures, 0 if the video does not say. `motion` says which bytes are the video of a motion photo.
-- `look_high` and `look_low` are a perceptual hash of 64 bits: copies of a picture differ in few of them. Both are null if the picture is
-- too even to be told from others.
CREATE TABLE images (
  sha256 HASH PRIMARY KEY,
  width BIGINT,
  height BIGINT,
  taken_at TIME,
  taken_at_zone TEXT,
  duration BIGINT,
  motion_duration BIGINT,
  is_cut_off FLAG NOT NULL DEFAULT 0,
  withheld BIGINT NOT NULL DEFAULT 0,
  read_at TIME NOT NULL,
  reader BIGINT NOT NULL DEFAULT 0,
  look_high BIGINT,
  look_low BIGINT,
  thumbhash TEXT,
  failure TEXT,
  camera JSON NOT NULL,
  place JSON,
  motion TEXT,
  clean_sha256 HASH,
  clean_size BIGINT,
  clean TEXT
);
CREATE INDEX images_failed ON images (sha256) WHERE failure IS NOT NULL;

-- Photos ------------------------------------------------------------------------------------------------------------------------

-- file_id has no foreign key: a photo outlives its file, and reports that it is missing.
-- `sized_sha256` is the image that width and height belong to: they change with the content of the file. Null: they were sent, and stay.
-- `taken_at` and `camera_key` are from the file, unless the owner has corrected them (`taken_at_set`, `taken_at_zone`, `place`).
-- `location_shown_at` is when the owner chose that everyone may see where it was taken.
-- `is_untitled`: the title is only the name of the file.
-- `edits` says how the picture is turned, mirrored and cropped, as JSON. If it `is_cropped`, its file is for those who may edit the photo;
-- `closed_file_id` is the file that became private with that, and is public again without it.
-- `poster_*` is the picture that represents a video, as it was sent.
-- `compared_at` is when it was compared with the other photos of its owner; null: not yet.
CREATE TABLE photos (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_private FLAG NOT NULL DEFAULT 0,
  file_id BIGINT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'image',
  width BIGINT NOT NULL CHECK (width > 0),
  height BIGINT NOT NULL CHECK (height > 0),
  sized_sha256 HASH,
  taken_at TIME,
  taken_at_set TIME,
  taken_at_zone TEXT,
  is_favourite FLAG NOT NULL DEFAULT 0,
  is_untitled FLAG NOT NULL DEFAULT 0,
  is_cropped FLAG NOT NULL DEFAULT 0,
  location_shown_at TIME,
  compared_at TIME,
  closed_file_id BIGINT,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  camera_key TEXT,
  place JSON,
  edits JSON,
  poster_sha256 HASH,
  poster_size SIZE,
  tags JSON NOT NULL DEFAULT '[]',
  title TEXT NOT NULL,
  alt_text TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL
);
CREATE INDEX photos_in_trash ON photos (trash_id) WHERE trash_id IS NOT NULL;
CREATE INDEX photos_by_file ON photos (file_id);
CREATE INDEX photos_listed ON photos (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX photos_of_owner ON photos (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX photos_by_poster ON photos (poster_sha256) WHERE poster_sha256 IS NOT NULL;
CREATE INDEX photos_with_poster ON photos (owner_id, poster_size) WHERE poster_sha256 IS NOT NULL;
CREATE INDEX photos_by_taken_at ON photos (is_private, taken_at, id) WHERE trash_id IS NULL;
CREATE INDEX photos_of_owner_by_taken_at ON photos (owner_id, is_private, taken_at, id) WHERE trash_id IS NULL;
CREATE INDEX photos_not_compared ON photos (owner_id, id) WHERE compared_at IS NULL AND trash_id IS NULL;

-- The photos that each filter finds, in both orders: `tag:sea`, `camera:x-t5`, `kind:video`, `favourite:1`, `no-album:1` and `untitled:1`
-- (of this owner) and `album:3`. Photos in the trash are in none. `seen_by` is 0 for public photos, and the owner's id for private ones.
CREATE TABLE photo_lists (
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  list TEXT NOT NULL,
  seen_by BIGINT NOT NULL,
  taken_at TIME,
  PRIMARY KEY (photo_id, list)
);
CREATE INDEX photo_lists_by_id ON photo_lists (list, seen_by, photo_id);
CREATE INDEX photo_lists_by_taken_at ON photo_lists (list, seen_by, taken_at, photo_id);

-- The number of photos that each owner took in each month (UTC, such as 2026-06), and all owners together (0). Each count is the sum of
-- its lanes.
CREATE TABLE photo_months (
  owner_id BIGINT NOT NULL,
  is_private FLAG NOT NULL,
  month TEXT NOT NULL,
  lane BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (owner_id, is_private, month, lane)
);

-- Where photos were taken, in ten-millionths of a degree: only photos with a known place that are not in the trash. `is_shown`: everyone
-- may see the place. `code` is the cell of the finest grid. Its first digits to the base 4 are those of the coarser grids, so every cell
-- is a range of codes.
CREATE TABLE photo_places (
  photo_id BIGINT NOT NULL PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL,
  is_shown FLAG NOT NULL,
  latitude BIGINT NOT NULL,
  longitude BIGINT NOT NULL,
  code BIGINT NOT NULL
);
CREATE INDEX photo_places_shown ON photo_places (code, latitude, longitude, photo_id) WHERE is_shown = 1;
CREATE INDEX photo_places_of_owner ON photo_places (owner_id, code, latitude, longitude, photo_id);

-- The number of photos in each cell of the grids of the map: of an owner, and those that everyone may see (owner 0). Each count is the
-- sum of its lanes.
CREATE TABLE photo_areas (
  owner_id BIGINT NOT NULL,
  level BIGINT NOT NULL,
  x BIGINT NOT NULL,
  y BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (owner_id, level, x, y, lane)
);

-- Photos of one owner that look the same, unless the owner has said that they are not (`dismissed_at`).
CREATE TABLE photo_pairs (
  one_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  other_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL,
  dismissed_at TIME,
  PRIMARY KEY (one_id, other_id)
);
CREATE INDEX photo_pairs_by_other ON photo_pairs (other_id);
CREATE INDEX photo_pairs_of_owner ON photo_pairs (owner_id, one_id, other_id) WHERE dismissed_at IS NULL;

-- What the site shows about a person besides the username. `links` is JSON: [{"url": …, "label": …}]. The portrait is a photo of the same
-- user; only the user sees it while it is private.
CREATE TABLE profiles (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  portrait_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  updated_at TIME NOT NULL,
  display_name TEXT,
  links JSON NOT NULL DEFAULT '[]',
  about TEXT NOT NULL DEFAULT ''
);
CREATE INDEX profiles_by_portrait ON profiles (portrait_id) WHERE portrait_id IS NOT NULL;

-- Posts -------------------------------------------------------------------------------------------------------------------------

-- A page (`is_page`) is a post outside the blog. `is_private` decides who sees a post: a draft or scheduled post is private, and
-- `chosen_private` is the author's choice for its publication. `status` is changed when that time has come. The newest revision is the
-- post itself; `revised_by` is who saved it, and may have been removed since.
CREATE TABLE posts (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_page FLAG NOT NULL DEFAULT 0,
  is_private FLAG NOT NULL DEFAULT 0,
  chosen_private FLAG NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'published' CHECK (status IN ('draft', 'scheduled', 'published')),
  published_at TIME,
  comments_closed_at TIME,
  cover_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  revised_at TIME,
  revised_by BIGINT,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  slug TEXT NOT NULL,
  tags JSON NOT NULL DEFAULT '[]',
  title TEXT NOT NULL,
  excerpt TEXT,
  content TEXT NOT NULL
);
-- Every index is written with every row, so lists with private posts read two ranges of one index. A post that is not published is
-- private, so the indexes by status contain private posts only. No list has their condition, so SQLite sorts no list by them.
CREATE INDEX posts_by_cover ON posts (cover_id) WHERE cover_id IS NOT NULL;
CREATE INDEX posts_in_trash ON posts (trash_id) WHERE trash_id IS NOT NULL;
CREATE UNIQUE INDEX posts_with_owner ON posts (id, owner_id);
CREATE INDEX posts_by_status ON posts (status, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_by_status_and_publication ON posts (status, published_at, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_of_owner_by_status ON posts (owner_id, status, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_of_owner_by_status_and_publication ON posts (owner_id, status, published_at, id)
  WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_listed ON posts (is_page, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner ON posts (owner_id, is_page, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_publication ON posts (is_page, is_private, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_shown_of_owner_by_publication ON posts (owner_id, is_page, is_private, published_at, id) WHERE trash_id IS NULL;

-- Every slug that a post ever had.
CREATE TABLE post_slugs (
  slug TEXT PRIMARY KEY,
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE
);
CREATE INDEX post_slugs_by_post ON post_slugs (post_id);

-- For lists by tag. The columns of the post that the lists depend on are repeated here; the owner follows the post's.
CREATE TABLE post_tags (
  post_id BIGINT NOT NULL,
  tag_key TEXT NOT NULL,
  owner_id BIGINT NOT NULL,
  trash_id BIGINT,
  is_page FLAG NOT NULL DEFAULT 0,
  is_private FLAG NOT NULL,
  status TEXT NOT NULL,
  published_at TIME,
  PRIMARY KEY (post_id, tag_key),
  FOREIGN KEY (post_id, owner_id) REFERENCES posts (id, owner_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX post_tags_listed ON post_tags (tag_key, is_private, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_by_publication ON post_tags (tag_key, is_private, published_at, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_of_owner ON post_tags (owner_id, tag_key, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_of_owner_by_publication ON post_tags (owner_id, tag_key, published_at, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_all ON post_tags (tag_key, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_all_by_publication ON post_tags (tag_key, published_at, post_id) WHERE trash_id IS NULL;

-- What is rendered from the content of a post, and the version of the renderer: null if it has to be rendered again. `feed` and `page`
-- are empty where they are the same as the HTML.
CREATE TABLE post_html (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  renderer BIGINT,
  minutes BIGINT,
  excerpt TEXT,
  headings JSON,
  html TEXT,
  feed TEXT,
  page TEXT
);
CREATE INDEX post_html_by_renderer ON post_html (renderer);

-- Which records a post embeds, according to its HTML.
CREATE TABLE post_embeds (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  PRIMARY KEY (post_id, kind, record_id)
);
CREATE INDEX post_embeds_by_record ON post_embeds (kind, record_id, post_id);

-- Earlier revisions of a post.
CREATE TABLE post_revisions (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  created_at TIME NOT NULL,
  revised_by BIGINT,
  cover_id BIGINT,
  tags JSON NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (post_id, number)
);
-- Revisions are thinned out by age without reading their content.
CREATE INDEX post_revisions_by_age ON post_revisions (post_id, number, created_at);

-- The bytes of each post and its revisions, by the id of the post. Only triggers write it; the quota counts it.
CREATE TABLE post_bytes (
  id BIGINT PRIMARY KEY,
  owner_id BIGINT NOT NULL,
  bytes SIZE NOT NULL
);

-- Albums ------------------------------------------------------------------------------------------------------------------------

-- An album is at the top level while its parent is in the trash, and returns below it with the parent. parent_id has no foreign key: the
-- parent may have been deleted permanently, and rows are copied to another database in any order.
-- `position` is the place among the albums of the same parent. At the top level the newest comes first, and in an album the oldest, until
-- one is moved.
-- `photo_order` is `manual`, `oldestFirst` or `newestFirst`; in the last two, the positions of the photos follow their dates.
-- The photos of a smart album follow from `filter`, as JSON; null for an ordinary album.
CREATE TABLE albums (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_private FLAG NOT NULL DEFAULT 0,
  parent_id BIGINT,
  position BIGINT NOT NULL DEFAULT 0,
  cover_photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  photo_order TEXT NOT NULL DEFAULT 'manual',
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  name TEXT NOT NULL,
  filter JSON,
  description TEXT NOT NULL DEFAULT ''
);
CREATE INDEX albums_by_cover ON albums (cover_photo_id) WHERE cover_photo_id IS NOT NULL;
CREATE INDEX albums_in_trash ON albums (trash_id) WHERE trash_id IS NOT NULL;
CREATE INDEX albums_by_owner ON albums (owner_id, id) WHERE trash_id IS NULL;
CREATE INDEX albums_listed ON albums (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX albums_of_owner ON albums (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX albums_by_parent ON albums (parent_id, position, id) WHERE parent_id IS NOT NULL;
CREATE INDEX albums_in_order ON albums (is_private, position, id) WHERE trash_id IS NULL;
CREATE INDEX albums_of_owner_in_order ON albums (owner_id, is_private, position, id) WHERE trash_id IS NULL;
CREATE INDEX albums_by_owner_in_order ON albums (owner_id, position, id) WHERE trash_id IS NULL;
CREATE INDEX smart_albums ON albums (owner_id, id) WHERE filter IS NOT NULL;

-- A photo keeps its place while it is in the trash. `seen_by` is who sees the photo in its albums: everyone (0), its owner and admins
-- (the owner's id), or no one (-1), because it is in the trash. Positions have space between them, so that a move changes few of them.
CREATE TABLE album_photos (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  seen_by BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (album_id, photo_id)
);
CREATE INDEX album_photos_by_photo ON album_photos (photo_id);

-- The number of photos in each album, by who sees them. Only triggers write it.
CREATE TABLE album_counts (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  seen_by BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (album_id, seen_by)
);

-- The number of photos in each block of an album's order, by who sees them: a page is found by its number without counting all photos
-- before it. `size` is the number of bits by which a position is shifted: large blocks lead to small ones. Only triggers write it.
CREATE TABLE album_blocks (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  size BIGINT NOT NULL,
  block BIGINT NOT NULL,
  seen_by BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (album_id, size, block, seen_by)
) WITHOUT ROWID;

-- Comments ----------------------------------------------------------------------------------------------------------------------

-- A comment is on a post, a photo or an album, which is deleted after its comments. One with a source is a mention on a page of another
-- site that links here; it belongs to the owner of what it is on.
CREATE TABLE comments (
  id ID,
  target_kind TEXT NOT NULL,
  target_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  status TEXT NOT NULL DEFAULT 'visible' CHECK (status IN ('visible', 'hidden', 'waiting')),
  parent_id BIGINT REFERENCES comments (id) ON DELETE SET NULL,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  source_kind TEXT,
  source_url TEXT,
  source_author TEXT,
  content TEXT NOT NULL
);
CREATE INDEX comments_in_trash ON comments (trash_id) WHERE trash_id IS NOT NULL;
CREATE INDEX comments_by_parent ON comments (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_by_owner ON comments (owner_id, status);
CREATE INDEX comments_by_target ON comments (target_kind, target_id, id);
CREATE INDEX comments_by_source ON comments (source_url, id) WHERE source_url IS NOT NULL;
-- Only the comments that moderators decide about: SQLite would also take it for the visible comments on one post, and read those of the
-- whole site.
CREATE INDEX comments_by_status ON comments (status, id) WHERE status <> 'visible' AND trash_id IS NULL;

-- The number of comments on each record that are not in the trash, by their status. Only triggers write it.
CREATE TABLE comment_counts (
  target_kind TEXT NOT NULL,
  target_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (target_kind, target_id, status, lane)
) WITHOUT ROWID;

-- Hearts ------------------------------------------------------------------------------------------------------------------------

-- `giver` is an account, or a hash of a guest's cookie.
CREATE TABLE hearts (
  target_kind TEXT NOT NULL,
  target_id BIGINT NOT NULL,
  giver TEXT NOT NULL,
  created_at TIME NOT NULL,
  PRIMARY KEY (target_kind, target_id, giver)
);
CREATE INDEX hearts_by_giver ON hearts (giver, target_kind, target_id);

-- The number of hearts of each record that has or had any: `id` is its id. A page reads one row by it, so that a heart invalidates no
-- other page.
CREATE TABLE heart_counts (
  id BIGINT NOT NULL,
  target_kind TEXT NOT NULL,
  hearts BIGINT NOT NULL,
  PRIMARY KEY (id, target_kind)
);

-- Shares ------------------------------------------------------------------------------------------------------------------------

-- Links to records, by kind and id: a link to a record that was deleted permanently leads nowhere. The token is stored as its SHA-256.
CREATE TABLE shares (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  allow_download FLAG NOT NULL,
  allow_upload FLAG NOT NULL,
  show_metadata FLAG NOT NULL,
  expires_at TIME,
  uses BIGINT NOT NULL DEFAULT 0,
  last_used_at TIME,
  uploads BIGINT NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL
);
CREATE INDEX shares_of_owner ON shares (owner_id, id);
CREATE INDEX shares_of_record ON shares (kind, record_id);
CREATE INDEX shares_by_end ON shares (expires_at) WHERE expires_at IS NOT NULL;

-- Pictures that guests have sent through a link, until the owner of the link approves or deletes them.
CREATE TABLE share_uploads (
  id ID,
  share_id BIGINT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  size SIZE NOT NULL,
  created_at TIME NOT NULL,
  sha256 HASH NOT NULL,
  content_type TEXT NOT NULL,
  name TEXT NOT NULL,
  guest_name TEXT
);
CREATE INDEX share_uploads_of_share ON share_uploads (share_id, id);
CREATE INDEX share_uploads_of_owner ON share_uploads (owner_id);
CREATE INDEX share_uploads_by_blob ON share_uploads (sha256);

-- Activity ----------------------------------------------------------------------------------------------------------------------

-- One row per change: who changed which record. It has no foreign keys, so that an account can be removed. `transaction_id` is the order
-- of commits, see the view activity_horizon. `was_public` and `is_page` are kept for records that were deleted.
CREATE TABLE activity (
  id ID,
  transaction_id BIGINT NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  actor_id BIGINT,
  owner_id BIGINT,
  record_id BIGINT NOT NULL,
  was_public FLAG NOT NULL,
  is_page FLAG NOT NULL DEFAULT 0,
  kind TEXT NOT NULL,
  action TEXT NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX activity_in_order ON activity (transaction_id, id);
CREATE INDEX activity_by_time ON activity (created_at, id);
CREATE INDEX activity_by_actor ON activity (actor_id, created_at, id);
CREATE INDEX activity_by_owner ON activity (owner_id, created_at, id) WHERE actor_id IS DISTINCT FROM owner_id;
CREATE INDEX activity_by_kind ON activity (kind, created_at, id);
CREATE INDEX activity_by_record ON activity (record_id, created_at, id);
CREATE INDEX activity_of_deleted_pages ON activity (record_id) WHERE is_page = 1;

-- Webhooks ----------------------------------------------------------------------------------------------------------------------

-- Deliveries have been created for all activity up to the position. The secret of a webhook is derived from its salt.
CREATE TABLE webhooks (
  id ID,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  is_active FLAG NOT NULL,
  position_transaction_id BIGINT NOT NULL,
  position_id BIGINT NOT NULL,
  salt TEXT NOT NULL,
  url TEXT NOT NULL,
  events JSON NOT NULL,
  inactive_reason TEXT
);

-- Newsletter --------------------------------------------------------------------------------------------------------------------

-- People who get new posts by mail. `state` is pending, confirmed, unsubscribed or bouncing. `unsubscribe_token` is in every mail.
-- `confirm_hash` is the hash of the token in the last mail that asks for a confirmation, which was sent at `confirmation_sent_at`.
CREATE TABLE subscribers (
  id ID,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  confirmed_at TIME,
  ended_at TIME,
  confirmation_sent_at TIME,
  state TEXT NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL UNIQUE,
  name TEXT,
  unsubscribe_token TEXT NOT NULL UNIQUE,
  confirm_hash TEXT UNIQUE,
  bounce TEXT
);
CREATE INDEX subscribers_by_state ON subscribers (state, id);
CREATE INDEX subscribers_by_confirmation ON subscribers (confirmation_sent_at) WHERE confirm_hash IS NOT NULL;

-- Posts that are sent to the subscribers, each once. `state` is waiting (for its publication), sending, sent or stopped. Mails were queued
-- for the subscribers up to `last_queued_id`, and are queued up to `last_subscriber_id`, the newest subscriber when it was published.
CREATE TABLE newsletter_posts (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  started_at TIME,
  ended_at TIME,
  last_queued_id BIGINT NOT NULL,
  last_subscriber_id BIGINT NOT NULL,
  sent BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  state TEXT NOT NULL
);
CREATE INDEX newsletter_posts_open ON newsletter_posts (post_id) WHERE state IN ('waiting', 'sending');

-- Open web ----------------------------------------------------------------------------------------------------------------------

-- The links of posts of which other sites were told, with the version of the post then.
CREATE TABLE told_links (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  target TEXT NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (post_id, target)
);

-- Queues ------------------------------------------------------------------------------------------------------------------------

-- What is done in the background, one row a task. `task_key` names it in its queue; it is due at `next_at`. A process claims it until
-- `claimed_until`, and stores with the claim that it begins: `begins` is how often it did in a row without an end, and `failures` how often
-- it has failed, the last time for the `reason`. `version` grows when it is added again. A settled one has an `outcome`.
CREATE TABLE tasks (
  id ID,
  queue TEXT NOT NULL,
  task_key TEXT NOT NULL,
  group_id BIGINT NOT NULL,
  added_at TIME NOT NULL,
  next_at TIME NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  begins BIGINT NOT NULL DEFAULT 0,
  failures BIGINT NOT NULL DEFAULT 0,
  claimed_until TIME NOT NULL DEFAULT 0,
  settled_at TIME,
  claimed_by TEXT,
  outcome TEXT,
  reason TEXT,
  payload JSON NOT NULL,
  UNIQUE (queue, task_key)
);
CREATE INDEX tasks_to_do ON tasks (queue, group_id, next_at, id) WHERE settled_at IS NULL;
CREATE INDEX tasks_of_webhooks ON tasks (group_id, id) WHERE queue = 'webhooks';
CREATE INDEX tasks_claimed ON tasks (queue, claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX tasks_settled ON tasks (settled_at, queue) WHERE settled_at IS NOT NULL;

-- Imports and exports -----------------------------------------------------------------------------------------------------------

-- Imports of a directory of the site, or of a source outside it: a folder, an archive, an export of another program. `kind` says what the
-- source is, and `source` identifies it.
-- What is left to do of it are tasks of queues.
-- An import has only files of the user who started it, unless that was an admin (`includes_others`); then only admins see it.
-- `plan` says what to read and how; `progress` what was counted so far, for people. The source is read until `read_at`; `failure` says why
-- it could not be read. A dry run has items and adds nothing. What was added is removed from `undo_at` until `undone_at`.
-- `needs_key`: the key for another server is only in memory, was lost with the server, and has to be entered again.
-- The counts are those of its files and items.
CREATE TABLE imports (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  kind TEXT,
  is_recursive FLAG NOT NULL,
  is_dry_run FLAG NOT NULL DEFAULT 0,
  includes_others FLAG NOT NULL DEFAULT 0,
  needs_key FLAG NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  updated_at TIME NOT NULL,
  read_at TIME,
  finished_at TIME,
  cancelled_at TIME,
  undo_at TIME,
  undone_at TIME,
  imported BIGINT NOT NULL DEFAULT 0,
  existing BIGINT NOT NULL DEFAULT 0,
  refused BIGINT NOT NULL DEFAULT 0,
  waiting BIGINT NOT NULL DEFAULT 0,
  path TEXT NOT NULL,
  source TEXT,
  failure TEXT,
  plan JSON,
  progress JSON
);
CREATE INDEX imports_unfinished ON imports (owner_id) WHERE finished_at IS NULL;
CREATE INDEX imports_by_end ON imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX imports_of_source ON imports (owner_id, source) WHERE source IS NOT NULL;
CREATE INDEX imports_of_owner ON imports (owner_id, id);
CREATE INDEX imports_to_undo ON imports (id) WHERE undo_at IS NOT NULL AND undone_at IS NULL;

-- The files of an import of which photos are made. One that is still waiting when no task is left for it was not read.
CREATE TABLE import_files (
  import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  file_id BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  photo_id BIGINT,
  name TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (import_id, file_id)
);
CREATE INDEX import_files_by_outcome ON import_files (import_id, outcome, file_id);

-- The outcome of each item of a source. `item_key` is its name in the source; `fingerprint` changes when the item does. `source` is null
-- after the import was undone, so that the items are imported again.
CREATE TABLE import_items (
  id ID,
  import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  outcome TEXT NOT NULL,
  record_kind TEXT,
  record_id BIGINT,
  fingerprint TEXT NOT NULL,
  source TEXT,
  name TEXT NOT NULL,
  reason TEXT
);
CREATE UNIQUE INDEX import_items_by_key ON import_items (import_id, kind, item_key);
CREATE INDEX import_items_by_source ON import_items (owner_id, source, kind, item_key) WHERE source IS NOT NULL;
CREATE INDEX import_items_by_outcome ON import_items (import_id, outcome, id);
CREATE INDEX import_items_in_order ON import_items (import_id, id);

-- Addresses of an earlier site: each leads to a record, to the page of a tag, or to another path of this site. `address` is a path,
-- decoded and without a slash at its end, perhaps with a query. Those that an import has added are removed when it is undone.
CREATE TABLE redirects (
  id ID,
  address TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  record_id BIGINT,
  target TEXT,
  import_id BIGINT REFERENCES imports (id) ON DELETE SET NULL,
  created_at TIME NOT NULL
);
CREATE INDEX redirects_of_import ON redirects (import_id) WHERE import_id IS NOT NULL;

-- The archive that a person has requested of their own data: one at a time, until expires_at. `status` is waiting, ready or failed.
CREATE TABLE archives (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  error TEXT,
  sha256 HASH,
  size SIZE,
  requested_at TIME NOT NULL,
  completed_at TIME,
  expires_at TIME NOT NULL
);
CREATE INDEX archives_by_blob ON archives (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX archives_by_end ON archives (expires_at);
CREATE INDEX archives_waiting ON archives (requested_at) WHERE status = 'waiting';
