-- The plans are those of SQLite 3.53.


-- GET /albums, as a guest

-- Statement 1
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by = 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by = 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by = 0)
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id, (
      SELECT CAST(sum(live) AS BIGINT)
      FROM list_counts /*albums*/
      WHERE list = $1 AND size = $2
    ) AS total
    FROM albums
    WHERE trash_id IS NULL AND is_private = 0 AND id <= $3
    ORDER BY id DESC
    LIMIT $4 OFFSET $5
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
) SELECT page.*, covers.*
FROM page
LEFT JOIN (
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
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $6 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
    images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
    images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
    posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
    posters.thumbhash AS poster_thumbhash
    FROM (
      SELECT photos.id
      FROM photos
      WHERE photos.id IN (
        SELECT shown_photo_id
        FROM page
      )
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
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $9
) AS covers ON covers.photo_id = page.shown_photo_id;
--   CO-ROUTINE chosen
--     SEARCH albums USING INDEX albums_listed (is_private=? AND id<?)
--     SCALAR SUBQUERY 5
--       SEARCH list_counts USING INDEX sqlite_autoindex_list_counts_1 (list=? AND size=?)
--   MATERIALIZE covers
--     MATERIALIZE above
--       SETUP
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY 12
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY 9
--             CO-ROUTINE chosen
--               SEARCH albums USING INDEX albums_listed (is_private=? AND id<?)
--             SCAN chosen
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY 3
--               SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--             CORRELATED SCALAR SUBQUERY 4
--               SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--           REUSE LIST SUBQUERY 9
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       RECURSIVE STEP
--         SCAN above
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     REUSE LIST SUBQUERY 9
--     REUSE LIST SUBQUERY 9
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--     SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--     SCALAR SUBQUERY 8
--       SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)
--   SCAN chosen
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   BLOOM FILTER ON covers (photo_id=?)
--   SEARCH covers USING AUTOMATIC COVERING INDEX (photo_id=?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)


-- GET /albums?cursor=, as a guest

-- Statement 2
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND is_private = 0
ORDER BY id DESC
LIMIT $1;
--   SEARCH albums USING INDEX albums_listed (is_private=?)

-- Statement 3
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by = 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by = 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by = 0)
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id IN ($1, $2)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
) SELECT page.*, covers.*
FROM page
LEFT JOIN (
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
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $3 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
    images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
    images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
    posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
    posters.thumbhash AS poster_thumbhash
    FROM (
      SELECT photos.id
      FROM photos
      WHERE photos.id IN (
        SELECT shown_photo_id
        FROM page
      )
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
  ) SELECT found.*, CASE found.file_parent_id WHEN $4 THEN $5 ELSE above.path END AS file_path,
      CASE WHEN found.file_is_private + 0 = 0 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $6
) AS covers ON covers.photo_id = page.shown_photo_id;
--   MATERIALIZE covers
--     MATERIALIZE above
--       SETUP
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY 11
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY 8
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY 3
--               SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--             CORRELATED SCALAR SUBQUERY 4
--               SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--           REUSE LIST SUBQUERY 8
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       RECURSIVE STEP
--         SCAN above
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     REUSE LIST SUBQUERY 8
--     REUSE LIST SUBQUERY 8
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--     SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--     SCALAR SUBQUERY 7
--       SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   BLOOM FILTER ON covers (photo_id=?)
--   SEARCH covers USING AUTOMATIC COVERING INDEX (photo_id=?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)


-- GET /albums?owner=me, as the owner

-- Statement 4
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND owner_id = $1
ORDER BY id DESC
LIMIT $2;
--   SEARCH albums USING INDEX albums_by_owner (owner_id=?)

-- Statement 5
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND (parents.is_private + 0 = 0
    OR parents.owner_id + 0 = $1 )
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by = 0 OR seen_by = $2)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by = 0 OR seen_by = $3)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by = 0 OR seen_by = $4)
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id IN ($5, $6)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND (albums.is_private + 0 = 0
      OR albums.owner_id + 0 = $7 )
) SELECT page.*, covers.*
FROM page
LEFT JOIN (
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
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $8 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
    images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
    images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
    posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
    posters.thumbhash AS poster_thumbhash
    FROM (
      SELECT photos.id
      FROM photos
      WHERE photos.id IN (
        SELECT shown_photo_id
        FROM page
      )
    ) AS chosen
    JOIN photos ON photos.id = chosen.id AND photos.trash_id IS NULL AND (photos.is_private + 0 = 0
    OR photos.owner_id + 0 = $9 )
    LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
    LEFT JOIN images ON images.sha256 = files.sha256
    LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
  ), above (directory_id, parent_id, path, is_visible) AS (
    SELECT id, parent_id, '/' || name, CASE WHEN (is_private = 0 OR owner_id = $10 ) THEN 1 ELSE 0 END
    FROM files
    WHERE id IN (
      SELECT file_parent_id
      FROM found
    ) AND trash_id IS NULL
    UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
    CASE WHEN (files.is_private + 0 = 0 OR files.owner_id + 0 = $11 ) THEN above.is_visible ELSE 0 END
    FROM above
    JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
  ) SELECT found.*, CASE found.file_parent_id WHEN $12 THEN $13 ELSE above.path END AS file_path,
      CASE WHEN (found.file_is_private + 0 = 0 OR found.file_owner_id + 0 = $14 ) THEN coalesce(above.is_visible,
      1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $15
) AS covers ON covers.photo_id = page.shown_photo_id;
--   MATERIALIZE covers
--     MATERIALIZE above
--       SETUP
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY 11
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY 8
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY 3
--               SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--             CORRELATED SCALAR SUBQUERY 4
--               SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--               USE TEMP B-TREE FOR ORDER BY
--           REUSE LIST SUBQUERY 8
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       RECURSIVE STEP
--         SCAN above
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     REUSE LIST SUBQUERY 8
--     REUSE LIST SUBQUERY 8
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--     SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--     SCALAR SUBQUERY 7
--       SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   BLOOM FILTER ON covers (photo_id=?)
--   SEARCH covers USING AUTOMATIC COVERING INDEX (photo_id=?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--     USE TEMP B-TREE FOR ORDER BY
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--     USE TEMP B-TREE FOR ORDER BY


-- GET /albums?sort=position&parentID=none, as a guest

-- Statement 6
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND is_private = 0 AND (
  SELECT parents.id
  FROM albums AS parents
  WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
) IS NULL AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $1;
--   SEARCH albums USING INDEX albums_in_order (is_private=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 7
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by = 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by = 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by = 0)
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id IN ($1)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
) SELECT page.*, covers.*
FROM page
LEFT JOIN (
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
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $2 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
    images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
    images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
    posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
    posters.thumbhash AS poster_thumbhash
    FROM (
      SELECT photos.id
      FROM photos
      WHERE photos.id IN (
        SELECT shown_photo_id
        FROM page
      )
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
  ) SELECT found.*, CASE found.file_parent_id WHEN $3 THEN $4 ELSE above.path END AS file_path,
      CASE WHEN found.file_is_private + 0 = 0 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $5
) AS covers ON covers.photo_id = page.shown_photo_id;
--   MATERIALIZE covers
--     MATERIALIZE above
--       SETUP
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY 11
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY 8
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY 3
--               SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--             CORRELATED SCALAR SUBQUERY 4
--               SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--           REUSE LIST SUBQUERY 8
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       RECURSIVE STEP
--         SCAN above
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     REUSE LIST SUBQUERY 8
--     REUSE LIST SUBQUERY 8
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--     SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--     SCALAR SUBQUERY 7
--       SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN covers LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)


-- GET /albums?owner=me&sort=position, as the owner

-- Statement 8
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND owner_id = $1 AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $2;
--   SEARCH albums USING INDEX albums_by_owner_in_order (owner_id=?)
-- Statement 5


-- GET /albums/:album, as a guest

-- Statement 9
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by = 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by = 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by = 0)
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id = $1
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
) SELECT page.*, covers.*
FROM page
LEFT JOIN (
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
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $2 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, images.sha256 AS image_sha256, images.width AS image_width, images.height AS image_height,
    images.taken_at, images.thumbhash, images.failure, images.camera, images.place, images.duration,
    images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone,
    posters.sha256 AS poster_sha256, posters.width AS poster_width, posters.height AS poster_height,
    posters.thumbhash AS poster_thumbhash
    FROM (
      SELECT photos.id
      FROM photos
      WHERE photos.id IN (
        SELECT shown_photo_id
        FROM page
      )
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
  ) SELECT found.*, CASE found.file_parent_id WHEN $3 THEN $4 ELSE above.path END AS file_path,
      CASE WHEN found.file_is_private + 0 = 0 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $5
) AS covers ON covers.photo_id = page.shown_photo_id;
--   MATERIALIZE covers
--     MATERIALIZE above
--       SETUP
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY 11
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY 8
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY 3
--               SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--             CORRELATED SCALAR SUBQUERY 4
--               SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--           REUSE LIST SUBQUERY 8
--           SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       RECURSIVE STEP
--         SCAN above
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     REUSE LIST SUBQUERY 8
--     REUSE LIST SUBQUERY 8
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH files USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     SEARCH posters USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--     BLOOM FILTER ON above (directory_id=? AND parent_id=?)
--     SEARCH above USING AUTOMATIC PARTIAL COVERING INDEX (directory_id=? AND parent_id=?) LEFT-JOIN
--     SCALAR SUBQUERY 7
--       SEARCH public_name_keys USING INDEX sqlite_autoindex_public_name_keys_1 (purpose=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN covers LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=? AND seen_by=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)

-- Statement 10
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
      posters.thumbhash AS poster_thumbhash , chosen.position
  FROM (
    SELECT photo_id AS id, position
    FROM album_photos
    WHERE album_id = $2 AND (seen_by = 0) AND position >= $3
    ORDER BY position, photo_id
    LIMIT $4 OFFSET $5
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
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $8
ORDER BY position, photo_id;
--   CO-ROUTINE chosen
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=? AND position>?)
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 4
--         CO-ROUTINE chosen
--           SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=? AND position>?)
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
--   USE TEMP B-TREE FOR LAST TERM OF ORDER BY


-- GET /albums/:album/photos?cursor=, as a guest

-- Statement 11
SELECT id, owner_id AS "ownerID", name AS name , photo_order AS "photoOrder",
    CASE WHEN filter IS NULL THEN 0 ELSE 1 END AS "isSmart"
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 12
SELECT *
FROM (
  SELECT photo_id AS id, position AS sort_key, 0 AS bytes
  FROM album_photos
  WHERE album_id = $1 AND position IS NOT NULL AND seen_by = 0
  ORDER BY position ASC, photo_id ASC
  LIMIT $2
) AS part
ORDER BY sort_key ASC, id ASC
LIMIT $3;
--   CO-ROUTINE part
--     SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--   SCAN part

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


-- GET /albums/:album/photos?cursor=, as the owner

-- Statement 14
SELECT id, owner_id AS "ownerID", name AS name , photo_order AS "photoOrder",
    CASE WHEN filter IS NULL THEN 0 ELSE 1 END AS "isSmart"
FROM albums
WHERE id = $1 AND trash_id IS NULL AND (is_private = 0 OR owner_id = $2 );
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 15
SELECT *
FROM (
  SELECT photo_id AS id, position AS sort_key, 0 AS bytes
  FROM album_photos
  WHERE album_id = $1 AND position IS NOT NULL AND seen_by = 0
  ORDER BY position ASC, photo_id ASC
  LIMIT $2
) AS part
UNION SELECT *
FROM (
  SELECT photo_id AS id, position AS sort_key, 0 AS bytes
  FROM album_photos
  WHERE album_id = $3 AND position IS NOT NULL AND seen_by = $4
  ORDER BY position ASC, photo_id ASC
  LIMIT $5
) AS part
ORDER BY sort_key ASC, id ASC
LIMIT $6;
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH album_photos USING COVERING INDEX album_photos_seen (album_id=? AND seen_by=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

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


-- GET /albums/:album/albums, as a guest
-- Statement 11

-- Statement 17
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND parent_id = $1 AND is_private = 0 AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $2;
--   SEARCH albums USING INDEX albums_in_order (is_private=?)
-- Statement 7
