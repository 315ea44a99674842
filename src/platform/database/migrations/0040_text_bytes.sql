-- The bytes of each post and its revisions, by the id of the post. Triggers write them; the quota counts them.
CREATE TABLE post_bytes (
  id BIGINT PRIMARY KEY,
  owner_id BIGINT NOT NULL,
  bytes BIGINT NOT NULL
);
INSERT INTO post_bytes (id, owner_id, bytes)
SELECT id, owner_id, octet_length(content) +
  (SELECT CAST(coalesce(sum(octet_length(post_revisions.content)), 0) AS BIGINT) FROM post_revisions WHERE post_id = posts.id)
FROM posts;
INSERT INTO stored_bytes (owner_id, lane, bytes) SELECT owner_id, 0, CAST(sum(bytes) AS BIGINT) FROM post_bytes GROUP BY owner_id
ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;

-- Revisions are thinned by their age: no content has to be read for that.
CREATE INDEX post_revisions_by_age ON post_revisions (post_id, number, created_at);

-- Whose key it is, null for a guest, and the bytes of the response that count towards the quota. A key with a status and
-- without a body was used, and its response is no longer stored.
ALTER TABLE idempotency_keys ADD COLUMN owner_id BIGINT;
ALTER TABLE idempotency_keys ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idempotency_keys_of_caller ON idempotency_keys (caller, expires_at, bytes);
