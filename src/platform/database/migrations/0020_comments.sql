ALTER TABLE comments ADD COLUMN status TEXT NOT NULL DEFAULT 'visible' CHECK (status IN ('visible', 'hidden', 'waiting'));
ALTER TABLE comments ADD COLUMN parent_id BIGINT REFERENCES comments (id) ON DELETE SET NULL;
CREATE INDEX comments_by_parent ON comments (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_by_status ON comments (status, id) WHERE trash_id IS NULL;
CREATE INDEX comments_by_owner ON comments (owner_id, status);

-- Accounts of which a comment was approved once: their comments no longer wait.
CREATE TABLE approved_commenters (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  approved_at BIGINT NOT NULL
);
