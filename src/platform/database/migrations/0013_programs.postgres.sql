-- The programs that use this database: servers, and migrate-engine while it copies. Each renews `seen_at`, in the database's
-- time, so that one that was killed is known by an old value.
CREATE TABLE programs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  seen_at BIGINT NOT NULL
);
