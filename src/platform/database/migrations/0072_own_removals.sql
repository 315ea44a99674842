-- A user who is removed with everything: the records are deleted, and the heir gets only what holds something of others.
ALTER TABLE user_removals ADD COLUMN is_erased BIGINT NOT NULL DEFAULT 0;

-- The hearts that an account has given.
CREATE INDEX hearts_by_giver ON hearts (giver, target_id);
