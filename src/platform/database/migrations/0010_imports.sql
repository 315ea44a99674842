-- Imports of directories. One copy of the program works on an import at a time: the one in claimed_by, until claimed_until;
-- while it pauses, nobody does before resume_at. The counts are those of its files. directory_id has no foreign key: it may
-- be the root, or deleted meanwhile.
CREATE TABLE imports (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  directory_id BIGINT NOT NULL,
  is_recursive BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  finished_at BIGINT,
  cancelled_at BIGINT,
  claimed_until BIGINT NOT NULL DEFAULT 0,
  resume_at BIGINT NOT NULL DEFAULT 0,
  imported BIGINT NOT NULL DEFAULT 0,
  existing BIGINT NOT NULL DEFAULT 0,
  refused BIGINT NOT NULL DEFAULT 0,
  waiting BIGINT NOT NULL DEFAULT 0,
  claimed_by TEXT,
  path TEXT NOT NULL
);
CREATE INDEX imports_unfinished ON imports (owner_id) WHERE finished_at IS NULL;
CREATE INDEX imports_by_end ON imports (finished_at) WHERE finished_at IS NOT NULL;

-- The directories of an import, each listed up to and including its child with this key and id.
CREATE TABLE import_directories (
  import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  directory_id BIGINT NOT NULL,
  listed_at BIGINT,
  last_id BIGINT NOT NULL DEFAULT 0,
  last_key TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (import_id, directory_id)
);
CREATE INDEX import_directories_to_list ON import_directories (import_id, directory_id) WHERE listed_at IS NULL;

-- The files of an import. try_at says when one that waits is tried next; null: no more.
CREATE TABLE import_files (
  import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  file_id BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  try_at BIGINT,
  attempts BIGINT NOT NULL DEFAULT 0,
  photo_id BIGINT,
  name TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (import_id, file_id)
);
CREATE INDEX import_files_to_try ON import_files (import_id, try_at, file_id) WHERE try_at IS NOT NULL;
CREATE INDEX import_files_by_outcome ON import_files (import_id, outcome, file_id);
