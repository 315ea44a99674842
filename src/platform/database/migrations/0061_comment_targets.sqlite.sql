-- A comment is on a post, a photo or an album. SQLite cannot allow nulls in a column that refused them: another one takes its name.
DROP TRIGGER comments_counted;
DROP TRIGGER comments_uncounted;
DROP TRIGGER comments_changed;
DROP INDEX comments_by_post;
ALTER TABLE comments ADD COLUMN on_post_id BIGINT REFERENCES posts (id) ON DELETE CASCADE;
UPDATE comments SET on_post_id = post_id;
ALTER TABLE comments DROP COLUMN post_id;
ALTER TABLE comments RENAME COLUMN on_post_id TO post_id;
ALTER TABLE comments ADD COLUMN photo_id BIGINT REFERENCES photos (id) ON DELETE CASCADE;
ALTER TABLE comments ADD COLUMN album_id BIGINT REFERENCES albums (id) ON DELETE CASCADE;
CREATE INDEX comments_by_post ON comments (post_id, id);
CREATE INDEX comments_by_photo ON comments (photo_id, id) WHERE photo_id IS NOT NULL;
CREATE INDEX comments_by_album ON comments (album_id, id) WHERE album_id IS NOT NULL;

CREATE TRIGGER comments_counted AFTER INSERT ON comments WHEN NEW.trash_id IS NULL AND NEW.post_id IS NOT NULL BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments) VALUES (NEW.post_id, NEW.status, 0, 1)
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comments + 1; END;

-- Where the whole post is removed, its counts may be gone already.
CREATE TRIGGER comments_uncounted AFTER DELETE ON comments WHEN OLD.trash_id IS NULL BEGIN
  UPDATE comment_counts SET comments = comments - 1 WHERE post_id = OLD.post_id AND status = OLD.status; END;

CREATE TRIGGER comments_changed AFTER UPDATE OF status, trash_id ON comments
WHEN NEW.post_id IS NOT NULL AND (NEW.status <> OLD.status OR (NEW.trash_id IS NULL) <> (OLD.trash_id IS NULL)) BEGIN
  UPDATE comment_counts SET comments = comments - 1
  WHERE post_id = OLD.post_id AND status = OLD.status AND OLD.trash_id IS NULL; INSERT INTO comment_counts
    (post_id, status, lane, comments)
  SELECT NEW.post_id, NEW.status, 0, 1 WHERE NEW.trash_id IS NULL
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comments + 1; END;
