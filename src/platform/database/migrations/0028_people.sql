-- A user who is being removed: the records go to the heir, some at a time, after they were moved to the trash if
-- is_trashed is 1. The user is deleted last. removed_by is null for the command line.
CREATE TABLE user_removals (
  id ID,
  user_id BIGINT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  heir_id BIGINT NOT NULL REFERENCES users (id),
  is_trashed BIGINT NOT NULL,
  removed_by BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX user_removals_by_heir ON user_removals (heir_id);
