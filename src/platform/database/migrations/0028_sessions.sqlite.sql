-- Sessions are listed and ended one by one, so they have an id, and what their users recognize them by. SQLite cannot
-- add a key to a table: the table is written again.
CREATE TABLE other_sessions (
  id ID,
  token_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL,
  created_at BIGINT,
  seen_at BIGINT,
  client TEXT,
  address TEXT
);
INSERT INTO other_sessions (token_id, user_id, expires_at)
SELECT token_id, user_id, expires_at FROM sessions ORDER BY expires_at;
DROP TABLE sessions;
ALTER TABLE other_sessions RENAME TO sessions;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
