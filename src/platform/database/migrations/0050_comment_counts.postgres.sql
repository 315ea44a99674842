-- The number of comments on each post that are not in the trash, by their status. Only these triggers write it.
CREATE TABLE comment_counts (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (post_id, status, lane)
);

-- Once per statement and not per row (decision 0044). Connections write to different lanes, so that few of them wait for each
-- other. Where a post is removed with its comments, there is nothing left to count.
CREATE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments)
  SELECT post_id, status, pg_backend_pid() % 16, count(*) FROM added WHERE trash_id IS NULL
  GROUP BY post_id, status ORDER BY post_id, status
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments; RETURN NULL; END $$;

CREATE FUNCTION uncount_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments)
  SELECT post_id, status, pg_backend_pid() % 16, -count(*) FROM removed
  WHERE trash_id IS NULL AND EXISTS (SELECT 1 FROM posts WHERE posts.id = post_id)
  GROUP BY post_id, status ORDER BY post_id, status
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments; RETURN NULL; END $$;

CREATE TRIGGER comments_added AFTER INSERT ON comments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
CREATE TRIGGER comments_changed_from AFTER UPDATE ON comments REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_comments();
CREATE TRIGGER comments_changed_to AFTER UPDATE ON comments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments();
CREATE TRIGGER comments_removed AFTER DELETE ON comments REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_comments();

INSERT INTO comment_counts (post_id, status, lane, comments)
SELECT post_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL GROUP BY post_id, status;
