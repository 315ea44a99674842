-- Positions with space between them: a photo is moved to anywhere without moving many others.
UPDATE album_photos SET position = numbered.position FROM (
  SELECT album_id, photo_id, row_number() OVER (PARTITION BY album_id ORDER BY position, photo_id) * 1048576 AS position
  FROM album_photos) AS numbered
WHERE album_photos.album_id = numbered.album_id AND album_photos.photo_id = numbered.photo_id;

-- The number of photos in each block of an album's order, by who sees them: a page is found by its number without counting
-- all photos before it. `size` is the number of bits by which a position is shifted: large blocks lead to small ones. Only
-- these triggers write it.
CREATE TABLE album_blocks (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  size BIGINT NOT NULL,
  block BIGINT NOT NULL,
  seen_by BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (album_id, size, block, seen_by)
);

-- Once per statement and not per row (decision 0044). The writers of an album lock it, so they never wait for each other's
-- blocks.
CREATE FUNCTION add_to_album_blocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
  SELECT album_id, bits, position >> bits, seen_by, count(*) FROM added CROSS JOIN (VALUES (34), (28)) AS sizes (bits)
  WHERE seen_by >= 0 GROUP BY album_id, bits, position >> bits, seen_by
  ON CONFLICT (album_id, size, block, seen_by) DO UPDATE SET photos = album_blocks.photos + excluded.photos; RETURN NULL; END $$;

-- Blocks without photos are removed. If the whole album is, its blocks may be gone already.
CREATE FUNCTION remove_from_album_blocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE album_blocks SET photos = album_blocks.photos - gone.photos FROM (
    SELECT album_id, bits, position >> bits AS block, seen_by, count(*) AS photos
    FROM removed CROSS JOIN (VALUES (34), (28)) AS sizes (bits) GROUP BY album_id, bits, position >> bits, seen_by) AS gone
  WHERE album_blocks.album_id = gone.album_id AND size = bits AND album_blocks.block = gone.block
    AND album_blocks.seen_by = gone.seen_by; DELETE FROM album_blocks
  WHERE photos = 0 AND album_id IN (SELECT album_id FROM removed); RETURN NULL; END $$;

CREATE TRIGGER album_photos_added AFTER INSERT ON album_photos REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_album_blocks();
CREATE TRIGGER album_photos_changed_from AFTER UPDATE ON album_photos REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_from_album_blocks();
CREATE TRIGGER album_photos_changed_to AFTER UPDATE ON album_photos REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_album_blocks();
CREATE TRIGGER album_photos_removed AFTER DELETE ON album_photos REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_from_album_blocks();

INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
SELECT album_id, bits, position >> bits, seen_by, count(*)
FROM album_photos CROSS JOIN (VALUES (34), (28)) AS sizes (bits)
WHERE seen_by >= 0 GROUP BY album_id, bits, position >> bits, seen_by;
