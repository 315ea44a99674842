-- Milliseconds. Null: it is no film; 0: the film does not say how long it is.
ALTER TABLE images ADD COLUMN duration BIGINT;
-- The film in a motion photo: its duration in milliseconds, and which bytes of the file it consists of, packed.
ALTER TABLE images ADD COLUMN motion_duration BIGINT;
ALTER TABLE images ADD COLUMN motion TEXT;

-- The picture that stands for a video, as it was sent.
ALTER TABLE photos ADD COLUMN poster_sha256 TEXT;
ALTER TABLE photos ADD COLUMN poster_size BIGINT;
CREATE INDEX photos_by_poster ON photos (poster_sha256) WHERE poster_sha256 IS NOT NULL;
CREATE INDEX photos_with_poster ON photos (owner_id, poster_size) WHERE poster_sha256 IS NOT NULL;
