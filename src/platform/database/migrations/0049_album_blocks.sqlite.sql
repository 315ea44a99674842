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
) WITHOUT ROWID;

CREATE TRIGGER album_photos_added AFTER INSERT ON album_photos WHEN NEW.seen_by >= 0 BEGIN
  INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
  VALUES (NEW.album_id, 34, NEW.position >> 34, NEW.seen_by, 1), (NEW.album_id, 28, NEW.position >> 28, NEW.seen_by, 1)
  ON CONFLICT (album_id, size, block, seen_by) DO UPDATE SET photos = photos + 1; END;

-- Blocks without photos are removed. If the whole album is, its blocks may be gone already.
CREATE TRIGGER album_photos_removed AFTER DELETE ON album_photos WHEN OLD.seen_by >= 0 BEGIN
  UPDATE album_blocks SET photos = photos - 1 WHERE album_id = OLD.album_id AND seen_by = OLD.seen_by
    AND (size, block) IN (VALUES (34, OLD.position >> 34), (28, OLD.position >> 28)); DELETE FROM album_blocks
  WHERE album_id = OLD.album_id AND seen_by = OLD.seen_by AND photos = 0
    AND (size, block) IN (VALUES (34, OLD.position >> 34), (28, OLD.position >> 28)); END;

CREATE TRIGGER album_photos_changed_from AFTER UPDATE OF position, seen_by ON album_photos
WHEN OLD.seen_by >= 0 AND (NEW.seen_by <> OLD.seen_by OR NEW.position >> 28 <> OLD.position >> 28) BEGIN
  UPDATE album_blocks SET photos = photos - 1 WHERE album_id = OLD.album_id AND seen_by = OLD.seen_by
    AND (size, block) IN (VALUES (34, OLD.position >> 34), (28, OLD.position >> 28)); DELETE FROM album_blocks
  WHERE album_id = OLD.album_id AND seen_by = OLD.seen_by AND photos = 0
    AND (size, block) IN (VALUES (34, OLD.position >> 34), (28, OLD.position >> 28)); END;

CREATE TRIGGER album_photos_changed_to AFTER UPDATE OF position, seen_by ON album_photos
WHEN NEW.seen_by >= 0 AND (NEW.seen_by <> OLD.seen_by OR NEW.position >> 28 <> OLD.position >> 28) BEGIN
  INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
  VALUES (NEW.album_id, 34, NEW.position >> 34, NEW.seen_by, 1), (NEW.album_id, 28, NEW.position >> 28, NEW.seen_by, 1)
  ON CONFLICT (album_id, size, block, seen_by) DO UPDATE SET photos = photos + 1; END;

INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
SELECT album_id, bits, position >> bits, seen_by, count(*)
FROM album_photos CROSS JOIN (SELECT 34 AS bits UNION ALL SELECT 28) AS sizes
WHERE seen_by >= 0 GROUP BY album_id, bits, position >> bits, seen_by;
