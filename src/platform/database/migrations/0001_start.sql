-- Times are milliseconds since 1970, UTC. `*_key` columns are folded in code, so that both engines agree on
-- what is equal and what comes first. Long texts stand last, so that a walk over rows does not read them.

CREATE TABLE users (
  id ID,
  username TEXT NOT NULL,
  username_key TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('reader', 'author', 'admin')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- One row a token: a token whose row is gone is no longer valid.
CREATE TABLE sessions (
  token_id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One row a deletion. The rows that went with it carry its id, and are as good as gone while they do.
CREATE TABLE trash (
  id ID,
  kind TEXT NOT NULL CHECK (kind IN ('photo', 'post', 'comment', 'album', 'file')),
  record_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  deleted_at BIGINT NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX trash_by_time ON trash (deleted_at);
CREATE INDEX trash_by_owner ON trash (owner_id, id);

-- The tree: parent_id 0 is the root, which has no row. A directory has no sha256.
CREATE TABLE files (
  id ID,
  parent_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  size BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  sha256 TEXT,
  content_type TEXT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  order_key TEXT NOT NULL
);
CREATE UNIQUE INDEX files_by_name ON files (parent_id, name_key) WHERE trash_id IS NULL;
CREATE INDEX files_in_order ON files (parent_id, order_key, id) WHERE trash_id IS NULL;
CREATE INDEX files_by_parent ON files (parent_id);
CREATE INDEX files_by_blob ON files (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX files_in_trash ON files (trash_id) WHERE trash_id IS NOT NULL;

-- file_id has no foreign key: a photo outlives its file, and says so.
CREATE TABLE photos (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  file_id BIGINT NOT NULL,
  width BIGINT NOT NULL CHECK (width > 0),
  height BIGINT NOT NULL CHECK (height > 0),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL
);
CREATE INDEX photos_live ON photos (id) WHERE trash_id IS NULL;
CREATE INDEX photos_in_trash ON photos (trash_id) WHERE trash_id IS NOT NULL;

CREATE TABLE posts (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  cover_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX posts_live ON posts (id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_cover ON posts (cover_id) WHERE cover_id IS NOT NULL;
CREATE INDEX posts_in_trash ON posts (trash_id) WHERE trash_id IS NOT NULL;

CREATE TABLE comments (
  id ID,
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX comments_by_post ON comments (post_id, id);
CREATE INDEX comments_in_trash ON comments (trash_id) WHERE trash_id IS NOT NULL;

-- photo_count counts the photos that are not in the trash.
CREATE TABLE albums (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  photo_count BIGINT NOT NULL DEFAULT 0,
  cover_photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX albums_live ON albums (id) WHERE trash_id IS NULL;
CREATE INDEX albums_by_cover ON albums (cover_photo_id) WHERE cover_photo_id IS NOT NULL;
CREATE INDEX albums_in_trash ON albums (trash_id) WHERE trash_id IS NOT NULL;

-- Places stay when a photo goes to the trash, so that it comes back to them.
CREATE TABLE album_photos (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  PRIMARY KEY (album_id, photo_id)
);
CREATE INDEX album_photos_in_order ON album_photos (album_id, position);
CREATE INDEX album_photos_by_photo ON album_photos (photo_id);

-- How many live records a list has in each block of so many ids, and in all (size 0): the way to a deep page.
-- Each count is spread over lanes, and is their sum.
CREATE TABLE list_counts (
  list TEXT NOT NULL,
  size BIGINT NOT NULL,
  block BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  live BIGINT NOT NULL,
  PRIMARY KEY (list, size, block, lane)
);

-- What all copies of the program share, and nobody configures.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
