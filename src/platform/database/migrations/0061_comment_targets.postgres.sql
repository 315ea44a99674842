-- A comment is on a post, a photo or an album. A server of the last version does not see those without a post.
ALTER TABLE comments ALTER COLUMN post_id DROP NOT NULL;
ALTER TABLE comments ADD COLUMN photo_id BIGINT REFERENCES photos (id) ON DELETE CASCADE;
ALTER TABLE comments ADD COLUMN album_id BIGINT REFERENCES albums (id) ON DELETE CASCADE;
ALTER TABLE comments ADD CONSTRAINT comments_on_one CHECK (num_nonnulls(post_id, photo_id, album_id) = 1);
CREATE INDEX comments_by_photo ON comments (photo_id, id) WHERE photo_id IS NOT NULL;
CREATE INDEX comments_by_album ON comments (album_id, id) WHERE album_id IS NOT NULL;

CREATE OR REPLACE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO comment_counts (post_id, status, lane, comments)
  SELECT post_id, status, pg_backend_pid() % 16, count(*) FROM added WHERE trash_id IS NULL AND post_id IS NOT NULL
  GROUP BY post_id, status ORDER BY post_id, status
  ON CONFLICT (post_id, status, lane) DO UPDATE SET comments = comment_counts.comments + excluded.comments; RETURN NULL; END $$;
