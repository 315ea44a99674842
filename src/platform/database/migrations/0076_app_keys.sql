-- Keys with which programs act for a person. The key itself is not stored. `scopes` is a list of words in JSON.
CREATE TABLE app_keys (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  used_at BIGINT,
  used_from TEXT
);
CREATE INDEX app_keys_by_user ON app_keys (user_id, id);
