-- Passkeys (WebAuthn). `public_key` and `credential_id` are base64url, `transports` is a list of words in JSON. `site` is the host
-- name for which it was made. `copied_at` is when its counter went back: there is a copy of it, and it is no longer accepted.
CREATE TABLE passkeys (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  user_handle TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  site TEXT NOT NULL,
  name TEXT NOT NULL,
  is_synced BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT,
  copied_at BIGINT
);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

-- Challenges are signed, and are stored only when one was used: so that no other response with it is accepted.
CREATE TABLE used_challenges (
  challenge TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at);

-- When a person last gave the password again in this session.
ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT;
