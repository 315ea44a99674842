-- Locks of WebDAV. `path_key` has the names of the path as they are compared, with a slash before and after each of them, so that
-- what is below a path is a range. `path` has them as they are written. `owner` is what the client says of itself, as XML.
CREATE TABLE dav_locks (
  token TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_exclusive BIGINT NOT NULL,
  is_deep BIGINT NOT NULL,
  seconds BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  path_key TEXT NOT NULL,
  path TEXT NOT NULL,
  owner TEXT NOT NULL
);
CREATE INDEX dav_locks_by_path ON dav_locks (path_key);
CREATE INDEX dav_locks_by_user ON dav_locks (user_id, expires_at);
CREATE INDEX dav_locks_by_time ON dav_locks (expires_at);

-- What clients note about files and directories. `value` is the whole element, as XML.
CREATE TABLE dav_properties (
  file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (file_id, namespace, name)
);

-- Files that programs leave beside others, such as `.DS_Store`. Each account sees its own, over WebDAV alone. The root has the id 0.
CREATE TABLE dav_side_files (
  id ID,
  parent_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  content_type TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL
);
CREATE UNIQUE INDEX dav_side_files_by_name ON dav_side_files (owner_id, parent_id, name_key);
CREATE INDEX dav_side_files_by_blob ON dav_side_files (sha256, size);
