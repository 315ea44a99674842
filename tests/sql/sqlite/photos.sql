-- The plans are those of SQLite 3.53.


-- GET /photos, as a guest

-- Statement 1
WITH RECURSIVE found AS (
  SELECT photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
      photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
      photos.height AS photo_height, photos.is_private AS photo_is_private, photos.alt_text AS photo_alt_text,
      photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite, photos.taken_at AS photo_taken_at,
      photos.taken_at_set AS photo_taken_at_set, photos.taken_at_zone AS photo_taken_at_zone,
      photos.place AS photo_place, photos.kind AS photo_kind, photos.camera_key AS photo_camera_key,
      photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at,
      photos.created_at AS photo_created_at, photos.updated_at AS photo_updated_at, photos.edits AS photo_edits,
      photos.is_cropped AS photo_is_cropped, (
    SELECT secret
    FROM public_name_keys
    WHERE purpose = 'pictures'
  ) AS names_key, files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
      images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
      images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
      posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
      posters.thumbhash AS poster_thumbhash , chosen.id, chosen.total
  FROM (
    SELECT id, (
      SELECT CAST(sum(live) AS BIGINT)
      FROM list_counts /*photos*/
      WHERE list = $2 AND size = $3
    ) AS total
    FROM photos
    WHERE trash_id IS NULL AND is_private = 0 AND id <= $4
    ORDER BY id DESC
    LIMIT $5 OFFSET $6
  ) AS chosen
  JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND photos.is_private + 0 = 0
  LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
  LEFT JOIN images ON images.sha256 = files.sha256
  LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN is_private = 0 THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN files.is_private + 0 = 0 THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $7 THEN $8 ELSE above.path END AS file_path,
    CASE WHEN found.file_is_private + 0 = 0 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $9;
--   CO-ROUTINE chosen
--     SEARCH photos USING INDEX photos_listed (is_private=? AND id<?)
--     SCALAR SUBQUERY 2
--       SEARCH list_counts USING INDEX sqlite_autoindex_list_counts_1 (list=? AND size=?)
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 5
--         CO-ROUTINE chosen
--           SEARCH photos USING INDEX photos_listed (is_private=? AND id<?)
--         SCAN chosen
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN chosen
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--   SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)


-- GET /photos?page=2&pageSize=1, as a guest
-- Statement 1


-- GET /photos?cursor=, as a guest

-- Statement 2
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND 1 = 1
ORDER BY id DESC
LIMIT $1;
--   SEARCH photos USING INDEX photos_listed (is_private=?)

-- Statement 3
WITH RECURSIVE found AS (
  SELECT photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
      photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
      photos.height AS photo_height, photos.is_private AS photo_is_private, photos.alt_text AS photo_alt_text,
      photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite, photos.taken_at AS photo_taken_at,
      photos.taken_at_set AS photo_taken_at_set, photos.taken_at_zone AS photo_taken_at_zone,
      photos.place AS photo_place, photos.kind AS photo_kind, photos.camera_key AS photo_camera_key,
      photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at,
      photos.created_at AS photo_created_at, photos.updated_at AS photo_updated_at, photos.edits AS photo_edits,
      photos.is_cropped AS photo_is_cropped, (
    SELECT secret
    FROM public_name_keys
    WHERE purpose = 'pictures'
  ) AS names_key, files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
      images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
      images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
      posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
      posters.thumbhash AS poster_thumbhash
  FROM (
    SELECT id
    FROM photos
    WHERE id IN ($2, $3, $4, $5)
  ) AS chosen
  JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND photos.is_private + 0 = 0
  LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
  LEFT JOIN images ON images.sha256 = files.sha256
  LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN is_private = 0 THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN files.is_private + 0 = 0 THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $6 THEN $7 ELSE above.path END AS file_path,
    CASE WHEN found.file_is_private + 0 = 0 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $8;
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 4
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--   SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)


-- GET /photos?sort=takenAt&cursor=, as a guest

-- Statement 4
SELECT id AS id, taken_at AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND taken_at IS NOT NULL
ORDER BY taken_at DESC, id DESC
LIMIT $1;
--   SEARCH photos USING INDEX photos_by_taken_at (is_private=? AND taken_at>?)

-- Statement 5
SELECT id AS id, taken_at AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND taken_at IS NULL
ORDER BY taken_at DESC, id DESC
LIMIT $1;
--   SEARCH photos USING INDEX photos_by_taken_at (is_private=? AND taken_at=?)
-- Statement 3


-- GET /photos?from=2020-01-01&to=2021-01-01, as a guest

-- Statement 6
SELECT chosen.id, chosen.sort_key, CASE WHEN taken_at >= $1 AND taken_at < $2 THEN 1 ELSE 0 END AS is_match
FROM (
  SELECT id AS id, id AS sort_key
  FROM photos
  WHERE trash_id IS NULL AND is_private = 0 AND 1 = 1
  ORDER BY id DESC
  LIMIT $3
) AS chosen
JOIN photos ON photos.id = chosen.id;
--   CO-ROUTINE chosen
--     SEARCH photos USING INDEX photos_listed (is_private=?)
--   SCAN chosen
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
-- Statement 3


-- GET /photos?tag=sea, as a guest

-- Statement 7
SELECT photo_id AS id, photo_id AS sort_key
FROM photo_lists
WHERE list = $1 AND seen_by = $2 AND 1 = 1
ORDER BY photo_id DESC
LIMIT $3;
--   SEARCH photo_lists USING COVERING INDEX photo_lists_by_id (list=? AND seen_by=?)
-- Statement 3


-- GET /photos?tag=sea&camera=X, as a guest

-- Statement 8
SELECT chosen.id, chosen.sort_key, CASE WHEN EXISTS (
  SELECT 1
  FROM photo_lists
  WHERE photo_lists.photo_id = photos.id AND photo_lists.list = $1
) THEN 1 ELSE 0 END AS is_match
FROM (
  SELECT photo_id AS id, photo_id AS sort_key
  FROM photo_lists
  WHERE list = $2 AND seen_by = $3 AND 1 = 1
  ORDER BY photo_id DESC
  LIMIT $4
) AS chosen
JOIN photos ON photos.id = chosen.id;
--   CO-ROUTINE chosen
--     SEARCH photo_lists USING COVERING INDEX photo_lists_by_id (list=? AND seen_by=?)
--   SCAN chosen
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH photo_lists USING COVERING INDEX sqlite_autoindex_photo_lists_1 (photo_id=? AND list=?)


-- GET /photos?albumID=:album, as a guest

-- Statement 9
SELECT id
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
-- Statement 7
-- Statement 3


-- GET /photos?kind=image&order=asc, as a guest

-- Statement 10
SELECT photo_id AS id, photo_id AS sort_key
FROM photo_lists
WHERE list = $1 AND seen_by = $2 AND 1 = 1
ORDER BY photo_id ASC
LIMIT $3;
--   SEARCH photo_lists USING COVERING INDEX photo_lists_by_id (list=? AND seen_by=?)
-- Statement 3


-- GET /photos?owner=:user, as a guest

-- Statement 11
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND owner_id = $1 AND 1 = 1
ORDER BY id DESC
LIMIT $2;
--   SEARCH photos USING INDEX photos_of_owner (owner_id=? AND is_private=?)
-- Statement 3


-- GET /photos?owner=me, as the owner

-- Statement 12
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND owner_id = $1 AND is_private = $2 AND 1 = 1
ORDER BY id DESC
LIMIT $3;
--   SEARCH photos USING INDEX photos_of_owner (owner_id=? AND is_private=?)
-- Statement 12

-- Statement 13
WITH RECURSIVE found AS (
  SELECT photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
      photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
      photos.height AS photo_height, photos.is_private AS photo_is_private, photos.alt_text AS photo_alt_text,
      photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite, photos.taken_at AS photo_taken_at,
      photos.taken_at_set AS photo_taken_at_set, photos.taken_at_zone AS photo_taken_at_zone,
      photos.place AS photo_place, photos.kind AS photo_kind, photos.camera_key AS photo_camera_key,
      photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at,
      photos.created_at AS photo_created_at, photos.updated_at AS photo_updated_at, photos.edits AS photo_edits,
      photos.is_cropped AS photo_is_cropped, (
    SELECT secret
    FROM public_name_keys
    WHERE purpose = 'pictures'
  ) AS names_key, files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
      images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
      images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
      posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
      posters.thumbhash AS poster_thumbhash
  FROM (
    SELECT id
    FROM photos
    WHERE id IN ($2, $3, $4, $5)
  ) AS chosen
  JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND (photos.is_private + 0 = 0
      OR photos.owner_id + 0 = $6 )
  LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
  LEFT JOIN images ON images.sha256 = files.sha256
  LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN (is_private = 0 OR owner_id = $7 ) THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN (files.is_private + 0 = 0 OR files.owner_id + 0 = $8 ) THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $9 THEN $10 ELSE above.path END AS file_path,
    CASE WHEN (found.file_is_private + 0 = 0 OR found.file_owner_id + 0 = $11 ) THEN coalesce(above.is_visible,
    1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $12;
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 4
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--   SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)


-- GET /photos?owner=me&tag=sea, as the owner

-- Statement 14
SELECT chosen.id, chosen.sort_key, CASE WHEN owner_id = $1 THEN 1 ELSE 0 END AS is_match
FROM (
  SELECT photo_id AS id, photo_id AS sort_key
  FROM photo_lists
  WHERE list = $2 AND seen_by = $3 AND 1 = 1
  ORDER BY photo_id DESC
  LIMIT $4
) AS chosen
JOIN photos ON photos.id = chosen.id;
--   CO-ROUTINE chosen
--     SEARCH photo_lists USING COVERING INDEX photo_lists_by_id (list=? AND seen_by=?)
--   SCAN chosen
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
-- Statement 14
-- Statement 13


-- GET /photos?favourite=true, as the owner
-- Statement 7


-- GET /photos?owner=me&inAlbum=false, as the owner
-- Statement 14
-- Statement 14


-- GET /photos?owner=me&untitled=true, as the owner
-- Statement 14
-- Statement 14


-- GET /photos?visibility=all, as the admin

-- Statement 15
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = $1 AND 1 = 1
ORDER BY id DESC
LIMIT $2;
--   SEARCH photos USING INDEX photos_listed (is_private=?)
-- Statement 15

-- Statement 16
WITH RECURSIVE found AS (
  SELECT photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
      photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
      photos.height AS photo_height, photos.is_private AS photo_is_private, photos.alt_text AS photo_alt_text,
      photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite, photos.taken_at AS photo_taken_at,
      photos.taken_at_set AS photo_taken_at_set, photos.taken_at_zone AS photo_taken_at_zone,
      photos.place AS photo_place, photos.kind AS photo_kind, photos.camera_key AS photo_camera_key,
      photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at,
      photos.created_at AS photo_created_at, photos.updated_at AS photo_updated_at, photos.edits AS photo_edits,
      photos.is_cropped AS photo_is_cropped, (
    SELECT secret
    FROM public_name_keys
    WHERE purpose = 'pictures'
  ) AS names_key, files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
      images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
      images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
      posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
      posters.thumbhash AS poster_thumbhash
  FROM (
    SELECT id
    FROM photos
    WHERE id IN ($2, $3, $4, $5)
  ) AS chosen
  JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND 1 = 1
  LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
  LEFT JOIN images ON images.sha256 = files.sha256
  LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN 1 = 1 THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN 1 = 1 THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $6 THEN $7 ELSE above.path END AS file_path,
    CASE WHEN 1 = 1 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $8;
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 4
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--   SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)


-- GET /photos?bbox=-10,38,-8,39, as a guest

-- Statement 17
SELECT photo_id, latitude, longitude
FROM photo_places
WHERE is_shown = 1 AND code >= $1 AND code < $2
ORDER BY code
LIMIT $3;
--   SEARCH photo_places USING COVERING INDEX photo_places_shown (code>? AND code<?)
-- Statement 17
-- Statement 17
-- Statement 17

-- Statement 18
SELECT id, id AS sort_key
FROM photos
WHERE id IN ($1, $2, $3, $4) AND trash_id IS NULL AND is_private = 0 AND 1 = 1;
--   SEARCH photos USING INDEX photos_listed (is_private=? AND id=? AND rowid=?)
-- Statement 3


-- GET /photos?owner=me&bbox=-10,38,-8,39&tag=sea, as the owner

-- Statement 19
SELECT photo_id, latitude, longitude
FROM photo_places
WHERE owner_id = $1 AND code >= $2 AND code < $3
ORDER BY code
LIMIT $4;
--   SEARCH photo_places USING COVERING INDEX photo_places_of_owner (owner_id=? AND code>? AND code<?)
-- Statement 19
-- Statement 19
-- Statement 19

-- Statement 20
SELECT id, id AS sort_key
FROM photos
WHERE id IN ($1, $2, $3, $4) AND trash_id IS NULL AND owner_id = $5 AND is_private = $6 AND EXISTS (
  SELECT 1
  FROM photo_lists
  WHERE photo_lists.photo_id = photos.id AND photo_lists.list = $7
);
--   SEARCH photos USING INDEX photos_of_owner (owner_id=? AND is_private=? AND id=? AND rowid=?)
--   SEARCH photo_lists EXISTS USING COVERING INDEX sqlite_autoindex_photo_lists_1 (photo_id=? AND list=?)
-- Statement 20
-- Statement 13


-- GET /photos/map?bbox=170,-50,-170,50&zoom=4, as a guest

-- Statement 21
SELECT x, y, count, (
  SELECT photo_id
  FROM photo_places
  WHERE is_shown = 1 AND code >= areas.cell * $1 AND code < (areas.cell + 1) * $2
  ORDER BY code
  LIMIT 1
) AS photo_id
FROM (
  SELECT x, y, cell, CAST(sum(photos) AS BIGINT) AS count
  FROM photo_areas
  WHERE owner_id = $3 AND level = $4 AND (x BETWEEN $5 AND $6 OR x BETWEEN $7 AND $8) AND y BETWEEN $9 AND $10
  GROUP BY x, y, cell HAVING sum(photos) > 0
) AS areas
ORDER BY count DESC, x, y
LIMIT $11;
--   CO-ROUTINE areas
--     MULTI-INDEX OR
--       INDEX 1
--         SEARCH photo_areas USING INDEX sqlite_autoindex_photo_areas_1 (owner_id=? AND level=? AND x>? AND x<?)
--       INDEX 2
--         SEARCH photo_areas USING INDEX sqlite_autoindex_photo_areas_1 (owner_id=? AND level=? AND x>? AND x<?)
--     USE TEMP B-TREE FOR GROUP BY
--   SCAN areas
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH photo_places USING COVERING INDEX photo_places_shown (code>? AND code<?)
--   USE TEMP B-TREE FOR ORDER BY


-- GET /photos/map?owner=me, as the owner

-- Statement 22
SELECT x, y, count, (
  SELECT photo_id
  FROM photo_places
  WHERE owner_id = $1 AND code >= areas.cell * $2 AND code < (areas.cell + 1) * $3
  ORDER BY code
  LIMIT 1
) AS photo_id
FROM (
  SELECT x, y, cell, CAST(sum(photos) AS BIGINT) AS count
  FROM photo_areas
  WHERE owner_id = $4 AND level = $5 AND (x BETWEEN $6 AND $7) AND y BETWEEN $8 AND $9
  GROUP BY x, y, cell HAVING sum(photos) > 0
) AS areas
ORDER BY count DESC, x, y
LIMIT $10;
--   CO-ROUTINE areas
--     SEARCH photo_areas USING INDEX sqlite_autoindex_photo_areas_1 (owner_id=? AND level=? AND x>? AND x<?)
--     USE TEMP B-TREE FOR GROUP BY
--   SCAN areas
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH photo_places USING COVERING INDEX photo_places_of_owner (owner_id=? AND code>? AND code<?)
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 23
WITH RECURSIVE found AS (
  SELECT photos.id AS photo_id, photos.owner_id AS photo_owner_id, photos.title AS photo_title,
      photos.description AS photo_description, photos.file_id AS photo_file_id, photos.width AS photo_width,
      photos.height AS photo_height, photos.is_private AS photo_is_private, photos.alt_text AS photo_alt_text,
      photos.tags AS photo_tags, photos.is_favourite AS photo_is_favourite, photos.taken_at AS photo_taken_at,
      photos.taken_at_set AS photo_taken_at_set, photos.taken_at_zone AS photo_taken_at_zone,
      photos.place AS photo_place, photos.kind AS photo_kind, photos.camera_key AS photo_camera_key,
      photos.is_untitled AS photo_is_untitled, photos.sized_sha256, photos.location_shown_at,
      photos.created_at AS photo_created_at, photos.updated_at AS photo_updated_at, photos.edits AS photo_edits,
      photos.is_cropped AS photo_is_cropped, (
    SELECT secret
    FROM public_name_keys
    WHERE purpose = 'pictures'
  ) AS names_key, files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
      images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
      images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
      posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
      posters.thumbhash AS poster_thumbhash
  FROM (
    SELECT id
    FROM photos
    WHERE id IN ($2)
  ) AS chosen
  JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND (photos.is_private + 0 = 0
      OR photos.owner_id + 0 = $3 )
  LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
  LEFT JOIN images ON images.sha256 = files.sha256
  LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN (is_private = 0 OR owner_id = $4 ) THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN (files.is_private + 0 = 0 OR files.owner_id + 0 = $5 ) THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $6 THEN $7 ELSE above.path END AS file_path,
    CASE WHEN (found.file_is_private + 0 = 0 OR found.file_owner_id + 0 = $8 ) THEN coalesce(above.is_visible,
    1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $9;
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 4
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SCAN above LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)


-- GET /photos/timeline, as a guest

-- Statement 24
SELECT month, CAST(sum(photos) AS BIGINT) AS count
FROM photo_months
WHERE owner_id = $1 AND is_private IN ($2)
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC;
--   SEARCH photo_months USING INDEX sqlite_autoindex_photo_months_1 (owner_id=? AND is_private=?)


-- GET /photos/timeline?owner=me, as the owner

-- Statement 25
SELECT month, CAST(sum(photos) AS BIGINT) AS count
FROM photo_months
WHERE owner_id = $1 AND is_private IN ($2, $3)
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC;
--   SEARCH photo_months USING INDEX sqlite_autoindex_photo_months_1 (owner_id=? AND is_private=?)
--   USE TEMP B-TREE FOR GROUP BY


-- GET /photos/on-this-day?day=2026-06-12, as the owner

-- Statement 26
SELECT month
FROM photo_months
WHERE owner_id = $1 AND is_private IN (0, 1) AND month < $2 AND substr(month, 6) = $3
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC
LIMIT $4;
--   SEARCH photo_months USING INDEX sqlite_autoindex_photo_months_1 (owner_id=? AND is_private=? AND month<?)
--   USE TEMP B-TREE FOR GROUP BY

-- Statement 27
SELECT *
FROM (
  SELECT id, taken_at
  FROM photos
  WHERE owner_id = $1 AND is_private = 0 AND taken_at >= $2 AND taken_at < $3 AND trash_id IS NULL
  ORDER BY taken_at, id
  LIMIT $4
) AS first
UNION ALL SELECT *
FROM (
  SELECT id, taken_at
  FROM photos
  WHERE owner_id = $5 AND is_private = 1 AND taken_at >= $6 AND taken_at < $7 AND trash_id IS NULL
  ORDER BY taken_at, id
  LIMIT $8
) AS first;
--   COMPOUND QUERY
--     LEFT-MOST SUBQUERY
--       CO-ROUTINE first
--         SEARCH photos USING INDEX photos_by_taken_at (is_private=? AND taken_at>? AND taken_at<?)
--       SCAN first
--     UNION ALL
--       CO-ROUTINE first
--         SEARCH photos USING INDEX photos_by_taken_at (is_private=? AND taken_at>? AND taken_at<?)
--       SCAN first
-- Statement 13
