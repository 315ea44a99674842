-- One more list of photos: `no-album:1` has those of this owner that are in none of the owner's albums. Albums in the trash do not
-- count.
INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
SELECT photos.id, 'no-album:' || photos.owner_id, CASE WHEN photos.is_private = 0 THEN 0 ELSE photos.owner_id END, photos.taken_at
FROM photos
WHERE photos.trash_id IS NULL AND photos.kind IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM album_photos JOIN albums ON albums.id = album_photos.album_id
  WHERE album_photos.photo_id = photos.id AND albums.owner_id + 0 = photos.owner_id AND albums.trash_id IS NULL);
