-- A comment that is written meanwhile would be missing.
LOCK TABLE comments IN SHARE ROW EXCLUSIVE MODE;

-- The same for photos and albums as for posts. Only these triggers write it.
CREATE TABLE photo_comment_counts (
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (photo_id, status, lane)
);
CREATE TABLE album_comment_counts (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  lane BIGINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (album_id, status, lane)
);

CREATE OR REPLACE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments)
  SELECT post_id, status, pg_backend_pid() % 16, count(*) FROM added WHERE trash_id IS NULL AND post_id IS NOT NULL
  GROUP BY post_id, status ORDER BY post_id, status
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments; INSERT INTO photo_comment_counts
    (photo_id, status, lane, comments)
  SELECT photo_id, status, pg_backend_pid() % 16, count(*) FROM added WHERE trash_id IS NULL AND photo_id IS NOT NULL
  GROUP BY photo_id, status ORDER BY photo_id, status
  ON CONFLICT (photo_id, status, lane) DO UPDATE SET comments = photo_comment_counts.comments + excluded.comments; INSERT INTO album_comment_counts
    (album_id, status, lane, comments)
  SELECT album_id, status, pg_backend_pid() % 16, count(*) FROM added WHERE trash_id IS NULL AND album_id IS NOT NULL
  GROUP BY album_id, status ORDER BY album_id, status
  ON CONFLICT (album_id, status, lane) DO UPDATE SET comments = album_comment_counts.comments + excluded.comments; RETURN NULL; END $$;

CREATE OR REPLACE FUNCTION uncount_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments)
  SELECT post_id, status, pg_backend_pid() % 16, -count(*) FROM removed
  WHERE trash_id IS NULL AND EXISTS (SELECT 1 FROM posts WHERE posts.id = post_id)
  GROUP BY post_id, status ORDER BY post_id, status
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments; INSERT INTO photo_comment_counts
    (photo_id, status, lane, comments)
  SELECT photo_id, status, pg_backend_pid() % 16, -count(*) FROM removed
  WHERE trash_id IS NULL AND EXISTS (SELECT 1 FROM photos WHERE photos.id = photo_id)
  GROUP BY photo_id, status ORDER BY photo_id, status
  ON CONFLICT (photo_id, status, lane) DO UPDATE SET comments = photo_comment_counts.comments + excluded.comments; INSERT INTO album_comment_counts
    (album_id, status, lane, comments)
  SELECT album_id, status, pg_backend_pid() % 16, -count(*) FROM removed
  WHERE trash_id IS NULL AND EXISTS (SELECT 1 FROM albums WHERE albums.id = album_id)
  GROUP BY album_id, status ORDER BY album_id, status
  ON CONFLICT (album_id, status, lane) DO UPDATE SET comments = album_comment_counts.comments + excluded.comments; RETURN NULL; END $$;

INSERT INTO photo_comment_counts (photo_id, status, lane, comments)
SELECT photo_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL AND photo_id IS NOT NULL GROUP BY photo_id, status;

INSERT INTO album_comment_counts (album_id, status, lane, comments)
SELECT album_id, status, 0, count(*) FROM comments WHERE trash_id IS NULL AND album_id IS NOT NULL GROUP BY album_id, status;
