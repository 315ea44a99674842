-- What other sites are asked or told in the background: a page that says it mentions this site (receive), a page that a post links to
-- (send), and a hub that a feed has changed (ping). next_at is null for links of which the other site was told.
CREATE TABLE web_tasks (
  id ID,
  created_at BIGINT NOT NULL,
  next_at BIGINT,
  attempts BIGINT NOT NULL DEFAULT 0,
  post_id BIGINT REFERENCES posts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT
);
CREATE UNIQUE INDEX web_tasks_once ON web_tasks (kind, source, target);
CREATE INDEX web_tasks_due ON web_tasks (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX web_tasks_by_host ON web_tasks (kind, host);
CREATE INDEX web_tasks_by_post ON web_tasks (post_id) WHERE post_id IS NOT NULL;
