-- One row per change: who changed which record. Nothing refers to users, so that an account can be removed.
-- transaction_id is the order of commits, see activity_horizon. was_public is kept for records that can no longer be found.
CREATE TABLE activity (
  id ID,
  transaction_id BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  actor_id BIGINT,
  owner_id BIGINT,
  record_id BIGINT NOT NULL,
  was_public BIGINT NOT NULL,
  kind TEXT NOT NULL,
  action TEXT NOT NULL,
  name TEXT NOT NULL
);
CREATE INDEX activity_in_order ON activity (transaction_id, id);
CREATE INDEX activity_by_time ON activity (created_at, id);
CREATE INDEX activity_by_actor ON activity (actor_id, created_at, id);
CREATE INDEX activity_by_owner ON activity (owner_id, created_at, id) WHERE actor_id IS DISTINCT FROM owner_id;
CREATE INDEX activity_by_kind ON activity (kind, created_at, id);
CREATE INDEX activity_by_record ON activity (record_id, created_at, id);
