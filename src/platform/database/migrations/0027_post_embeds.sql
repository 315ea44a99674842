-- Which records a post embeds, as its HTML has them.
CREATE TABLE post_embeds (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  PRIMARY KEY (post_id, kind, record_id)
);
CREATE INDEX post_embeds_by_record ON post_embeds (kind, record_id, post_id);
