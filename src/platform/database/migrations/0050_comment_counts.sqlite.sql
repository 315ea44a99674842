-- The number of comments on each post that are not in the trash, by their status. Only these triggers write it.
CREATE TABLE comment_counts (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (post_id, status, lane)
) WITHOUT ROWID;

CREATE TRIGGER comments_counted AFTER INSERT ON comments WHEN NEW.trash_id IS NULL BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments) VALUES (NEW.post_id, NEW.status, 0, 1)
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comments + 1; END;

-- Where the whole post is removed, its counts may be gone already.
CREATE TRIGGER comments_uncounted AFTER DELETE ON comments WHEN OLD.trash_id IS NULL BEGIN
  UPDATE comment_counts SET comments = comments - 1 WHERE post_id = OLD.post_id AND status = OLD.status; END;

CREATE TRIGGER comments_changed AFTER UPDATE OF status, trash_id ON comments
WHEN NEW.status <> OLD.status OR (NEW.trash_id IS NULL) <> (OLD.trash_id IS NULL) BEGIN
  UPDATE comment_counts SET comments = comments - 1
  WHERE post_id = OLD.post_id AND status = OLD.status AND OLD.trash_id IS NULL; INSERT INTO comment_counts
    (post_id, status, lane, comments)
  SELECT NEW.post_id, NEW.status, 0, 1 WHERE NEW.trash_id IS NULL
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comments + 1; END;

INSERT INTO comment_counts (post_id, status, lane, comments)
SELECT post_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL GROUP BY post_id, status;
