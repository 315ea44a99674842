-- The plans are those of SQLite 3.53.


-- GET /trash, as the owner

-- Statement 1
SELECT id, kind, record_id, owner_id, coalesce(deleted_by, owner_id) AS deleted_by, deleted_at, name
FROM trash
WHERE coalesce(deleted_by, owner_id) = $1 AND id < $2 AND deleted_at > $3
ORDER BY id DESC
LIMIT $4;
--   SEARCH trash USING INDEX trash_by_deleter (<expr>=? AND id<?)


-- GET /trash?cursor=, as the owner

-- Statement 2
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM trash
WHERE coalesce(deleted_by, owner_id) = $1 AND deleted_at > $2
ORDER BY id DESC
LIMIT $3;
--   SEARCH trash USING INDEX trash_by_deleter (<expr>=?)


-- GET /activity, as the owner

-- Statement 3
SELECT *
FROM (
  SELECT id AS id, created_at AS sort_key, 0 AS bytes
  FROM activity
  WHERE 1 = 1 AND created_at IS NOT NULL AND actor_id = $1
  ORDER BY created_at DESC, id DESC
  LIMIT $2
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, created_at AS sort_key, 0 AS bytes
  FROM activity
  WHERE 1 = 1 AND created_at IS NOT NULL AND owner_id = $3 AND actor_id IS DISTINCT
  FROM owner_id
  ORDER BY created_at DESC, id DESC
  LIMIT $4
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $5;
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH activity USING COVERING INDEX activity_by_actor (actor_id=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH activity USING INDEX activity_by_owner (owner_id=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 4
SELECT activity.id, transaction_id AS "transactionID", activity.created_at AS "createdAt", actor_id AS "actorID",
    owner_id AS "ownerID", record_id AS "recordID", was_public AS "wasPublic", kind, action, name, users.username
FROM activity
LEFT JOIN users ON users.id = activity.actor_id
WHERE activity.id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);
--   SEARCH activity USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- Statement 5
SELECT record_id AS id
FROM activity
WHERE kind = $1 AND is_page = 1 AND record_id IN ($2, $3);
--   SEARCH activity USING INDEX activity_by_kind (kind=?)

-- Statement 6
SELECT id
FROM posts
WHERE id IN ($1, $2) AND is_page = 1;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 7
SELECT page.*, posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
    posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
    posts.created_at, posts.updated_at, posts.content, CASE made.renderer WHEN 4 THEN made.excerpt END AS made_excerpt
FROM (
  SELECT id
  FROM posts
  WHERE id IN ($1, $2)
) AS page
JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND (posts.is_private + 0 = 0 OR posts.owner_id + 0 = $3 )
LEFT JOIN post_html AS made ON made.post_id = posts.id;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH made USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- Statement 8
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

-- Statement 9
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


-- GET /activity, as the admin

-- Statement 10
SELECT id AS id, created_at AS sort_key, 0 AS bytes
FROM activity
WHERE 1 = 1 AND created_at IS NOT NULL
ORDER BY created_at DESC, id DESC
LIMIT $1;
--   SCAN activity USING COVERING INDEX activity_by_time
-- Statement 4

-- Statement 11
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND 1 = 1
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by + 0 >= 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by + 0 >= 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by + 0 >= 0) AND position > $1
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id IN ($2, $3)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND 1 = 1
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
    CASE images.reader WHEN $4 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
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
  ) SELECT found.*, CASE found.file_parent_id WHEN $5 THEN $6 ELSE above.path END AS file_path,
      CASE WHEN 1 = 1 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $7
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
--               SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--               USE TEMP B-TREE FOR LAST TERM OF ORDER BY
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
--     SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--     USE TEMP B-TREE FOR LAST TERM OF ORDER BY
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--     USE TEMP B-TREE FOR LAST TERM OF ORDER BY
-- Statement 5
-- Statement 6

-- Statement 12
SELECT page.*, posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
    posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
    posts.created_at, posts.updated_at, posts.content, CASE made.renderer WHEN 4 THEN made.excerpt END AS made_excerpt
FROM (
  SELECT id
  FROM posts
  WHERE id IN ($1, $2)
) AS page
JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND 1 = 1
LEFT JOIN post_html AS made ON made.post_id = posts.id;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH made USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

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
    WHERE id IN ($2)
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
) SELECT found.*, CASE found.file_parent_id WHEN $3 THEN $4 ELSE above.path END AS file_path,
    CASE WHEN 1 = 1 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $5;
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


-- GET /shares, as the owner

-- Statement 14
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM shares
WHERE owner_id = $1
ORDER BY id DESC
LIMIT $2;
--   SEARCH shares USING COVERING INDEX shares_of_owner (owner_id=?)

-- Statement 15
SELECT id, owner_id, kind, record_id, password_hash, allow_download, allow_upload, show_metadata, expires_at, uses,
    last_used_at, uploads, created_at, updated_at, (
  SELECT count(*)
  FROM share_uploads
  WHERE share_id = shares.id
) AS waiting_uploads
FROM shares
WHERE id IN ($1);
--   SEARCH shares USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH share_uploads USING COVERING INDEX share_uploads_of_share (share_id=?)

-- Statement 16
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
    WHERE id IN ($5)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND (albums.is_private + 0 = 0
      OR albums.owner_id + 0 = $6 )
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
    CASE images.reader WHEN $7 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
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
    OR photos.owner_id + 0 = $8 )
    LEFT JOIN files ON files.id = photos.file_id AND files.trash_id IS NULL
    LEFT JOIN images ON images.sha256 = files.sha256
    LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
  ), above (directory_id, parent_id, path, is_visible) AS (
    SELECT id, parent_id, '/' || name, CASE WHEN (is_private = 0 OR owner_id = $9 ) THEN 1 ELSE 0 END
    FROM files
    WHERE id IN (
      SELECT file_parent_id
      FROM found
    ) AND trash_id IS NULL
    UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
    CASE WHEN (files.is_private + 0 = 0 OR files.owner_id + 0 = $10 ) THEN above.is_visible ELSE 0 END
    FROM above
    JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
  ) SELECT found.*, CASE found.file_parent_id WHEN $11 THEN $12 ELSE above.path END AS file_path,
      CASE WHEN (found.file_is_private + 0 = 0 OR found.file_owner_id + 0 = $13 ) THEN coalesce(above.is_visible,
      1) ELSE 0 END AS is_file_visible
  FROM found
  LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $14
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
--   SCAN covers LEFT-JOIN
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


-- GET /uploads, as the owner

-- Statement 17
SELECT id, owner_id, length, received, parts, file_id, created_at, expires_at, metadata
FROM uploads
WHERE owner_id = $1 AND file_id IS NULL AND expires_at > $2
ORDER BY id;
--   SEARCH uploads USING INDEX uploads_unfinished (owner_id=?)


-- GET /me/sessions, as the owner

-- Statement 18
SELECT id, token_id, expires_at, created_at, seen_at, client, address
FROM sessions
WHERE user_id = $1 AND expires_at > $2
ORDER BY CASE token_id WHEN $3 THEN 0 ELSE 1 END, id DESC
LIMIT $4 OFFSET $5;
--   SEARCH sessions USING INDEX sessions_by_user (user_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 19
SELECT count(*) AS count
FROM sessions
WHERE user_id = $1 AND expires_at > $2;
--   SEARCH sessions USING INDEX sessions_by_user (user_id=?)


-- GET /keys, as the owner

-- Statement 20
SELECT id, name, scopes, created_at, expires_at, used_at, used_from, limit_kind, limit_id
FROM app_keys
WHERE user_id = $1
ORDER BY id DESC
LIMIT $2;
--   SEARCH app_keys USING INDEX app_keys_by_user (user_id=?)


-- GET /account/passkeys, as the owner

-- Statement 21
SELECT id, user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced, created_at,
    used_at, copied_at
FROM passkeys
WHERE user_id = $1
ORDER BY id DESC
LIMIT $2;
--   SEARCH passkeys USING INDEX passkeys_by_user (user_id=?)


-- GET /invitations, as the admin

-- Statement 22
SELECT invitations.id, invitations.role, note, address, created_by, username, invitations.created_at, expires_at
FROM invitations
JOIN users ON users.id = created_by
WHERE 1 = 1 AND (expires_at IS NULL OR expires_at > $1) AND created_by IN (
  SELECT id
  FROM users
  WHERE role = 'admin'
)
ORDER BY invitations.id DESC
LIMIT $2 OFFSET $3;
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--     SCAN users
--   REUSE LIST SUBQUERY 1
--   SEARCH invitations USING INDEX invitations_by_creator (created_by=?)
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 23
SELECT count(*) AS count
FROM invitations
WHERE (expires_at IS NULL OR expires_at > $1) AND created_by IN (
  SELECT id
  FROM users
  WHERE role = 'admin'
);
--   SEARCH invitations USING INDEX invitations_by_creator (created_by=?)
--   LIST SUBQUERY 1
--     SCAN users


-- GET /webhooks, as the admin

-- Statement 24
SELECT id, created_at, updated_at, is_active, position_transaction_id, position_id, salt, url, events, inactive_reason
FROM webhooks
ORDER BY id;
--   SCAN webhooks


-- GET /redirects, as the admin

-- Statement 25
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM redirects
WHERE 1 = 1
ORDER BY id DESC
LIMIT $1;
--   SCAN redirects

-- Statement 26
SELECT id, address, kind, record_id, target, import_id, created_at
FROM redirects
WHERE id IN ($1, $2, $3, $4, $5, $6, $7, $8);
--   SEARCH redirects USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 27
SELECT posts.id, posts.is_page, posts.title, posts.slug
FROM posts
WHERE id IN ($1) AND trash_id IS NULL AND 1 = 1;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
-- Statement 13

-- Statement 28
WITH page AS (
  SELECT chosen.*, albums.owner_id, albums.name, albums.description, albums.is_private, (
    SELECT parents.id
    FROM albums AS parents
    WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND 1 = 1
  ) AS parent_id, albums.cover_photo_id, albums.photo_order, albums.filter, albums.created_at, albums.updated_at, (
    SELECT CAST(coalesce(sum(photos), 0) AS BIGINT)
    FROM album_counts
    WHERE album_id = albums.id AND (seen_by + 0 >= 0)
  ) AS photo_count, coalesce((
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND photo_id = albums.cover_photo_id AND (seen_by + 0 >= 0)
  ), (
    SELECT photo_id
    FROM album_photos
    WHERE album_id = albums.id AND (seen_by + 0 >= 0) AND position > $1
    ORDER BY position, photo_id
    LIMIT 1
  )) AS shown_photo_id
  FROM (
    SELECT id
    FROM albums
    WHERE id IN ($2)
  ) AS chosen
  JOIN albums ON albums.id = chosen.id AND albums.trash_id IS NULL AND 1 = 1
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
  ) SELECT found.*, CASE found.file_parent_id WHEN $4 THEN $5 ELSE above.path END AS file_path,
      CASE WHEN 1 = 1 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
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
--               SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--               USE TEMP B-TREE FOR LAST TERM OF ORDER BY
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
--     SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--     USE TEMP B-TREE FOR LAST TERM OF ORDER BY
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH parents USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH album_counts USING INDEX sqlite_autoindex_album_counts_1 (album_id=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH album_photos USING INDEX sqlite_autoindex_album_photos_1 (album_id=? AND photo_id=?)
--   CORRELATED SCALAR SUBQUERY 4
--     SEARCH album_photos USING INDEX album_photos_in_order (album_id=? AND position>?)
--     USE TEMP B-TREE FOR LAST TERM OF ORDER BY

-- Statement 29
WITH RECURSIVE found AS (
  SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size
  FROM files
  LEFT JOIN images ON images.sha256 = files.sha256
  WHERE files.id IN ($2) AND files.trash_id IS NULL
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
) SELECT found.*, CASE found.file_parent_id WHEN $3 THEN $4 ELSE above.path END AS file_path,
    CASE WHEN 1 = 1 THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $5;
--   MATERIALIZE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       LIST SUBQUERY 2
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   SCAN above LEFT-JOIN


-- GET /redirects?q=old, as the admin

-- Statement 30
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM redirects
WHERE (address LIKE $1 ESCAPE '\' OR lower(address) LIKE $2 ESCAPE '\')
ORDER BY id DESC
LIMIT $3;
--   SCAN redirects
-- Statement 26
-- Statement 27
-- Statement 13
-- Statement 28
-- Statement 29
