-- The same for photos and albums as for posts. Only these triggers write it.
CREATE TABLE photo_comment_counts (
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (photo_id, status, lane)
) WITHOUT ROWID;
CREATE TABLE album_comment_counts (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (album_id, status, lane)
) WITHOUT ROWID;

CREATE TRIGGER photo_comments_counted AFTER INSERT ON comments WHEN NEW.trash_id IS NULL AND NEW.photo_id IS NOT NULL BEGIN
  INSERT INTO photo_comment_counts (photo_id, status, lane, comments) VALUES (NEW.photo_id, NEW.status, 0, 1)
  ON CONFLICT (photo_id, status, lane) DO UPDATE SET comments = comments + 1; END;

CREATE TRIGGER photo_comments_uncounted AFTER DELETE ON comments WHEN OLD.trash_id IS NULL AND OLD.photo_id IS NOT NULL BEGIN
  UPDATE photo_comment_counts SET comments = comments - 1 WHERE photo_id = OLD.photo_id AND status = OLD.status; END;

CREATE TRIGGER photo_comments_changed AFTER UPDATE OF status, trash_id ON comments
WHEN NEW.photo_id IS NOT NULL AND (NEW.status <> OLD.status OR (NEW.trash_id IS NULL) <> (OLD.trash_id IS NULL)) BEGIN
  UPDATE photo_comment_counts SET comments = comments - 1
  WHERE photo_id = OLD.photo_id AND status = OLD.status AND OLD.trash_id IS NULL; INSERT INTO photo_comment_counts
    (photo_id, status, lane, comments)
  SELECT NEW.photo_id, NEW.status, 0, 1 WHERE NEW.trash_id IS NULL
  ON CONFLICT (photo_id, status, lane) DO UPDATE SET comments = comments + 1; END;

CREATE TRIGGER album_comments_counted AFTER INSERT ON comments WHEN NEW.trash_id IS NULL AND NEW.album_id IS NOT NULL BEGIN
  INSERT INTO album_comment_counts (album_id, status, lane, comments) VALUES (NEW.album_id, NEW.status, 0, 1)
  ON CONFLICT (album_id, status, lane) DO UPDATE SET comments = comments + 1; END;

CREATE TRIGGER album_comments_uncounted AFTER DELETE ON comments WHEN OLD.trash_id IS NULL AND OLD.album_id IS NOT NULL BEGIN
  UPDATE album_comment_counts SET comments = comments - 1 WHERE album_id = OLD.album_id AND status = OLD.status; END;

CREATE TRIGGER album_comments_changed AFTER UPDATE OF status, trash_id ON comments
WHEN NEW.album_id IS NOT NULL AND (NEW.status <> OLD.status OR (NEW.trash_id IS NULL) <> (OLD.trash_id IS NULL)) BEGIN
  UPDATE album_comment_counts SET comments = comments - 1
  WHERE album_id = OLD.album_id AND status = OLD.status AND OLD.trash_id IS NULL; INSERT INTO album_comment_counts
    (album_id, status, lane, comments)
  SELECT NEW.album_id, NEW.status, 0, 1 WHERE NEW.trash_id IS NULL
  ON CONFLICT (album_id, status, lane) DO UPDATE SET comments = comments + 1; END;

INSERT INTO photo_comment_counts (photo_id, status, lane, comments)
SELECT photo_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL AND photo_id IS NOT NULL GROUP BY photo_id, status;

INSERT INTO album_comment_counts (album_id, status, lane, comments)
SELECT album_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL AND album_id IS NOT NULL GROUP BY album_id, status;
