-- Links with which one person can sign up. A row is deleted when it is used. It is valid only while the one who created it
-- is an admin.
CREATE TABLE invitations (
  id ID,
  token_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  note TEXT NOT NULL,
  created_by BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT
);
CREATE INDEX invitations_by_creator ON invitations (created_by);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);
