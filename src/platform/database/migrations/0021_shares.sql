-- Links to records. A record is found by its kind and its id, which is never used again, so a link to a record that was
-- deleted permanently leads nowhere. The token is stored as its SHA-256 only.
CREATE TABLE shares (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  allow_download BIGINT NOT NULL,
  allow_upload BIGINT NOT NULL,
  show_metadata BIGINT NOT NULL,
  expires_at BIGINT,
  uses BIGINT NOT NULL DEFAULT 0,
  last_used_at BIGINT,
  uploads BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX shares_of_owner ON shares (owner_id, id);
CREATE INDEX shares_of_record ON shares (kind, record_id);
CREATE INDEX shares_by_end ON shares (expires_at) WHERE expires_at IS NOT NULL;

-- Pictures that guests have sent through a link, until the owner of the link approves or deletes them.
CREATE TABLE share_uploads (
  id ID,
  share_id BIGINT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  guest_name TEXT,
  sha256 TEXT NOT NULL,
  size BIGINT NOT NULL,
  content_type TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX share_uploads_of_share ON share_uploads (share_id, id);
CREATE INDEX share_uploads_of_owner ON share_uploads (owner_id);
CREATE INDEX share_uploads_by_blob ON share_uploads (sha256);
