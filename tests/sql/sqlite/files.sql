-- The plans are those of SQLite 3.53.


-- GET /files, as a guest

-- Statement 1
SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, files.order_key
FROM files
LEFT JOIN images ON images.sha256 = files.sha256
WHERE files.parent_id = $2 AND files.trash_id IS NULL AND is_private = 0
ORDER BY files.order_key, files.id
LIMIT $3;
--   SEARCH files USING INDEX files_public (parent_id=?)
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN


-- GET /files?path=/a&cursor=, as a guest

-- Statement 2
WITH RECURSIVE steps (depth, name_key) AS (VALUES (CAST($1 AS BIGINT), CAST($2 AS TEXT))), found (id, depth, path,
    is_visible) AS (
  SELECT files.id, CAST(1 AS BIGINT), '/' || files.name, CASE WHEN files.is_private + 0 = 0 THEN 1 ELSE 0 END
  FROM steps
  CROSS JOIN files
  WHERE steps.depth = 0 AND files.parent_id = $3 AND files.name_key = steps.name_key AND files.trash_id IS NULL
  UNION ALL SELECT files.id, found.depth + 1, found.path || '/' || files.name,
      CASE WHEN files.is_private + 0 = 0 THEN found.is_visible ELSE 0 END
  FROM found
  JOIN steps ON steps.depth = found.depth
  CROSS JOIN files
  WHERE files.parent_id = found.id AND files.name_key = steps.name_key AND files.trash_id IS NULL
) SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $4 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, found.depth, found.path, found.is_visible
FROM found
CROSS JOIN files
LEFT JOIN images ON images.sha256 = files.sha256
WHERE files.id = found.id
ORDER BY found.depth DESC
LIMIT 1;
--   CO-ROUTINE found
--     SETUP
--       MATERIALIZE steps
--         SCAN CONSTANT ROW
--       SCAN steps
--       SEARCH files USING INDEX files_by_name (parent_id=? AND name_key=?)
--     RECURSIVE STEP
--       SCAN found
--       BLOOM FILTER ON steps (depth=?)
--       SEARCH steps USING AUTOMATIC COVERING INDEX (depth=?)
--       SEARCH files USING INDEX files_by_name (parent_id=? AND name_key=?)
--   SCAN found
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 3
SELECT id AS id, order_key AS sort_key, 0 AS bytes
FROM files
WHERE trash_id IS NULL AND parent_id = $1 AND is_private = 0 AND order_key IS NOT NULL
ORDER BY order_key ASC, id ASC
LIMIT $2;
--   SEARCH files USING INDEX files_public (parent_id=?)

-- Statement 4
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


-- GET /files?path=/a, as the owner

-- Statement 5
WITH RECURSIVE steps (depth, name_key) AS (VALUES (CAST($1 AS BIGINT), CAST($2 AS TEXT))), found (id, depth, path,
    is_visible) AS (
  SELECT files.id, CAST(1 AS BIGINT), '/' || files.name, CASE WHEN (files.is_private + 0 = 0
      OR files.owner_id + 0 = $3 ) THEN 1 ELSE 0 END
  FROM steps
  CROSS JOIN files
  WHERE steps.depth = 0 AND files.parent_id = $4 AND files.name_key = steps.name_key AND files.trash_id IS NULL
  UNION ALL SELECT files.id, found.depth + 1, found.path || '/' || files.name, CASE WHEN (files.is_private + 0 = 0
      OR files.owner_id + 0 = $5 ) THEN found.is_visible ELSE 0 END
  FROM found
  JOIN steps ON steps.depth = found.depth
  CROSS JOIN files
  WHERE files.parent_id = found.id AND files.name_key = steps.name_key AND files.trash_id IS NULL
) SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $6 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, found.depth, found.path, found.is_visible
FROM found
CROSS JOIN files
LEFT JOIN images ON images.sha256 = files.sha256
WHERE files.id = found.id
ORDER BY found.depth DESC
LIMIT 1;
--   CO-ROUTINE found
--     SETUP
--       MATERIALIZE steps
--         SCAN CONSTANT ROW
--       SCAN steps
--       SEARCH files USING INDEX files_by_name (parent_id=? AND name_key=?)
--     RECURSIVE STEP
--       SCAN found
--       BLOOM FILTER ON steps (depth=?)
--       SEARCH steps USING AUTOMATIC COVERING INDEX (depth=?)
--       SEARCH files USING INDEX files_by_name (parent_id=? AND name_key=?)
--   SCAN found
--   SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 6
SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
    files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
    files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at,
    CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
    images.clean_size, files.order_key
FROM files
LEFT JOIN images ON images.sha256 = files.sha256
WHERE files.parent_id = $2 AND files.trash_id IS NULL AND (is_private = 0 OR owner_id = $3 )
ORDER BY files.order_key, files.id
LIMIT $4;
--   SEARCH files USING INDEX files_in_order (parent_id=?)
--   SEARCH images USING INDEX sqlite_autoindex_images_1 (sha256=?) LEFT-JOIN


-- GET /files/:directory/entries, as a guest

-- Statement 7
WITH RECURSIVE found AS (
  SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size
  FROM files
  LEFT JOIN images ON images.sha256 = files.sha256
  WHERE files.id = $2 AND files.trash_id IS NULL
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
-- Statement 1


-- GET /files/:file/versions, as the owner

-- Statement 8
WITH RECURSIVE found AS (
  SELECT files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
      files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size,
      files.is_private AS file_is_private, files.content_type AS file_content_type,
      files.created_at AS file_created_at, files.updated_at AS file_updated_at,
      CASE images.reader WHEN $1 THEN images.read_at END AS image_read_at, images.withheld, images.clean_sha256,
      images.clean_size
  FROM files
  LEFT JOIN images ON images.sha256 = files.sha256
  WHERE files.id = $2 AND files.trash_id IS NULL
), above (directory_id, parent_id, path, is_visible) AS (
  SELECT id, parent_id, '/' || name, CASE WHEN (is_private = 0 OR owner_id = $3 ) THEN 1 ELSE 0 END
  FROM files
  WHERE id IN (
    SELECT file_parent_id
    FROM found
  ) AND trash_id IS NULL
  UNION ALL SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN (files.is_private + 0 = 0 OR files.owner_id + 0 = $4 ) THEN above.is_visible ELSE 0 END
  FROM above
  JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
) SELECT found.*, CASE found.file_parent_id WHEN $5 THEN $6 ELSE above.path END AS file_path,
    CASE WHEN (found.file_is_private + 0 = 0 OR found.file_owner_id + 0 = $7 ) THEN coalesce(above.is_visible,
    1) ELSE 0 END AS is_file_visible
FROM found
LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = $8;
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

-- Statement 9
SELECT id, file_id AS "fileID", sha256, size, content_type AS "contentType", created_at AS "createdAt",
    replaced_at AS "replacedAt"
FROM file_versions
WHERE file_id = $1
ORDER BY id DESC;
--   SEARCH file_versions USING INDEX file_versions_by_file (file_id=?)


-- GET /files/:file/uses, as the owner
-- Statement 8

-- Statement 10
SELECT 'photo' AS kind, id, title AS name, 'picture' AS "as", file_id AS "usedID"
FROM (
  SELECT id, title, file_id, is_private, owner_id
  FROM photos
  WHERE file_id IN ($1) AND trash_id IS NULL
  LIMIT $2
) AS examined
WHERE (examined.is_private + 0 = 0 OR examined.owner_id + 0 = $3 )
ORDER BY id DESC
LIMIT $4;
--   CO-ROUTINE examined
--     SEARCH photos USING INDEX photos_by_file (file_id=?)
--   SCAN examined
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 11
SELECT 'post' AS kind, posts.id, posts.title AS name, examined.use AS "as", examined.used_id AS "usedID"
FROM (
  SELECT *
  FROM (
    SELECT post_id AS id, 'embed' AS use, record_id AS used_id
    FROM post_embeds
    WHERE kind = $1 AND record_id IN ($2)
    LIMIT $3
  ) AS embeds
) AS examined
JOIN posts ON posts.id = examined.id AND posts.trash_id IS NULL AND (posts.is_private + 0 = 0
    OR posts.owner_id + 0 = $4 )
ORDER BY posts.id DESC
LIMIT $5;
--   CO-ROUTINE embeds
--     SEARCH post_embeds USING COVERING INDEX post_embeds_by_record (kind=? AND record_id=?)
--   SCAN embeds
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 12
SELECT 'share' AS kind, id, kind AS name, 'link' AS "as", record_id AS "usedID"
FROM (
  SELECT id, kind, record_id, owner_id
  FROM shares
  WHERE kind = $1 AND record_id IN ($2) AND (expires_at IS NULL OR expires_at > $3)
  LIMIT $4
) AS examined
WHERE owner_id = $5
ORDER BY id DESC
LIMIT $6;
--   CO-ROUTINE examined
--     SEARCH shares USING INDEX shares_of_record (kind=? AND record_id=?)
--   SCAN examined
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 13
SELECT name, value
FROM site_settings
WHERE name IN ($1)
ORDER BY name;
--   SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)

-- Statement 14
WITH RECURSIVE above (id, parent_id) AS (
  SELECT id, parent_id
  FROM files
  WHERE id = (
    SELECT parent_id
    FROM files
    WHERE id = $1
  )
  UNION SELECT files.id, files.parent_id
  FROM files
  JOIN above ON files.id = above.parent_id
) SELECT id
FROM above;
--   CO-ROUTINE above
--     SETUP
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY 1
--         SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--     RECURSIVE STEP
--       SCAN above
--       SEARCH files USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN above
-- Statement 11
-- Statement 12

-- Statement 15
SELECT 'post' AS kind, posts.id, posts.title AS name, examined.use AS "as", examined.used_id AS "usedID"
FROM (
  SELECT *
  FROM (
    SELECT post_id AS id, 'embed' AS use, record_id AS used_id
    FROM post_embeds
    WHERE kind = $1 AND record_id IN ($2, $3, $4, $5)
    LIMIT $6
  ) AS embeds
  UNION ALL SELECT *
  FROM (
    SELECT id, 'cover' AS use, cover_id AS used_id
    FROM posts AS cover_posts
    WHERE cover_id IN ($7, $8, $9, $10) AND trash_id IS NULL
    LIMIT $11
  ) AS covers
) AS examined
JOIN posts ON posts.id = examined.id AND posts.trash_id IS NULL AND (posts.is_private + 0 = 0
    OR posts.owner_id + 0 = $12 )
ORDER BY posts.id DESC
LIMIT $13;
--   MERGE (UNION ALL)
--     LEFT
--       CO-ROUTINE embeds
--         SEARCH post_embeds USING COVERING INDEX post_embeds_by_record (kind=? AND record_id=?)
--       SCAN embeds
--       SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE covers
--         SEARCH cover_posts USING INDEX posts_by_cover (cover_id=?)
--       SCAN covers
--       SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 16
SELECT 'album' AS kind, albums.id, albums.name, 'entry' AS "as", examined.photo_id AS "usedID"
FROM (
  SELECT album_id, photo_id
  FROM album_photos
  WHERE photo_id IN ($1, $2, $3, $4)
  LIMIT $5
) AS examined
JOIN albums ON albums.id = examined.album_id AND albums.trash_id IS NULL AND (albums.is_private + 0 = 0
    OR albums.owner_id + 0 = $6 )
ORDER BY albums.id DESC
LIMIT $7;
--   CO-ROUTINE examined
--     SEARCH album_photos USING INDEX album_photos_by_photo (photo_id=?)
--   SCAN examined
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 17
SELECT 'share' AS kind, id, kind AS name, 'link' AS "as", record_id AS "usedID"
FROM (
  SELECT id, kind, record_id, owner_id
  FROM shares
  WHERE kind = $1 AND record_id IN ($2, $3, $4, $5) AND (expires_at IS NULL OR expires_at > $6)
  LIMIT $7
) AS examined
WHERE owner_id = $8
ORDER BY id DESC
LIMIT $9;
--   CO-ROUTINE examined
--     SEARCH shares USING INDEX shares_of_record (kind=? AND record_id=?)
--   SCAN examined
--   USE TEMP B-TREE FOR ORDER BY

-- Statement 18
SELECT name, value
FROM site_settings
WHERE name IN ($1, $2)
ORDER BY name;
--   SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)
