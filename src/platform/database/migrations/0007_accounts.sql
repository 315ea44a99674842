-- What a name looks like, computed in code. NULL: not computed yet. Not unique: accounts from before may look alike.
ALTER TABLE users ADD COLUMN username_skeleton TEXT;
CREATE INDEX users_by_skeleton ON users (username_skeleton);

-- From where each user has signed in lately. Addresses are stored as keyed hashes.
CREATE TABLE familiar_addresses (
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, address)
);
CREATE INDEX familiar_addresses_by_time ON familiar_addresses (seen_at);
