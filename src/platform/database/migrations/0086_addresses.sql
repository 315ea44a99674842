-- Mail addresses of accounts. `address` is confirmed; `pending` is one that its owner has yet to confirm, by a link whose token is not stored.
-- `notices` lists what the person wants to be told, as words in JSON. The other columns remember what they were told last.
CREATE TABLE user_addresses (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  address TEXT,
  address_key TEXT,
  pending TEXT,
  pending_hash TEXT UNIQUE,
  pending_until BIGINT,
  notices TEXT NOT NULL,
  told_comment_id BIGINT NOT NULL,
  told_upload_id BIGINT NOT NULL,
  told_at BIGINT NOT NULL,
  digest_week BIGINT NOT NULL
);
CREATE INDEX user_addresses_by_address ON user_addresses (address_key) WHERE address_key IS NOT NULL;

-- Links with which a person sets a new password, once. With `is_by_admin`, an admin or the command line has made it.
CREATE TABLE password_links (
  id ID,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  is_by_admin BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  is_ended BIGINT NOT NULL
);
CREATE INDEX password_links_of_user ON password_links (user_id, created_at);
CREATE INDEX password_links_by_expiry ON password_links (expires_at);

-- Where an invitation was sent.
ALTER TABLE invitations ADD COLUMN address TEXT;
