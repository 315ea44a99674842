-- The plans are those of PostgreSQL 15.


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
--   Limit
--     Sort by files.order_key COLLATE "C", files.id
--       Hash Join (Right)
--         Seq Scan on images
--         Hash
--           Bitmap Heap Scan on files
--             Bitmap Index Scan using files_by_parent


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
--   Limit
--     CTE steps: Result
--     CTE found: Recursive Union
--       Nested Loop
--         CTE Scan on steps
--         Index Scan using files_by_name on files
--       Nested Loop
--         Hash Join
--           WorkTable Scan on found
--           Hash
--             CTE Scan on steps
--         Index Scan using files_by_name on files
--     Sort by found.depth DESC
--       Nested Loop (Left)
--         Nested Loop
--           CTE Scan on found
--           Index Scan using files_pkey on files
--         Index Scan using images_pkey on images

-- Statement 3
SELECT id AS id, order_key AS sort_key, 0 AS bytes
FROM files
WHERE trash_id IS NULL AND parent_id = $1 AND is_private = 0 AND order_key IS NOT NULL
ORDER BY order_key ASC, id ASC
LIMIT $2;
--   Limit
--     Index Only Scan using files_public on files

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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       Index Scan using files_pkey on files
--       Index Scan using images_pkey on images
--     CTE above: Recursive Union
--       Nested Loop
--         Aggregate
--           CTE Scan on found
--         Index Scan using files_pkey on files
--       Nested Loop
--         WorkTable Scan on above
--         Index Scan using files_pkey on files
--     CTE Scan on found
--     CTE Scan on above


-- GET /files?path=/a, as the owner

-- Statement 5
SELECT users.id, users.username, users.role, sessions.token_id AS "tokenID", sessions.expires_at AS "expiresAt",
    sessions.seen_at AS "seenAt", CASE WHEN EXISTS (
  SELECT 1
  FROM site_settings
  WHERE name = 'factorRoles' AND value LIKE '%"' || users.role || '"%'
) AND NOT (EXISTS (
  SELECT 1
  FROM totp_secrets
  WHERE user_id = users.id AND confirmed_at IS NOT NULL
) OR EXISTS (
  SELECT 1
  FROM passkeys
  WHERE user_id = users.id
)) THEN 1 ELSE 0 END AS "lacksFactor"
FROM sessions
JOIN users ON users.id = sessions.user_id
WHERE sessions.token_id = $1 AND users.id = $2 AND sessions.expires_at > $3;
--   Nested Loop
--     Index Scan using sessions_token_id_key on sessions
--     Seq Scan on users
--     SubPlan 1: Index Scan using site_settings_pkey on site_settings
--     SubPlan 2: Index Scan using totp_secrets_pkey on totp_secrets
--     SubPlan 4: Index Only Scan using passkeys_by_user on passkeys

-- Statement 6
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
--   Limit
--     CTE steps: Result
--     CTE found: Recursive Union
--       Nested Loop
--         CTE Scan on steps
--         Index Scan using files_by_name on files
--       Nested Loop
--         Hash Join
--           WorkTable Scan on found
--           Hash
--             CTE Scan on steps
--         Index Scan using files_by_name on files
--     Sort by found.depth DESC
--       Nested Loop (Left)
--         Nested Loop
--           CTE Scan on found
--           Index Scan using files_pkey on files
--         Index Scan using images_pkey on images

-- Statement 7
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
--   Limit
--     Sort by files.order_key COLLATE "C", files.id
--       Hash Join (Right)
--         Seq Scan on images
--         Hash
--           Bitmap Heap Scan on files
--             Bitmap Index Scan using files_by_parent


-- GET /files/:directory/entries, as a guest

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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       Index Scan using files_pkey on files
--       Index Scan using images_pkey on images
--     CTE above: Recursive Union
--       Nested Loop
--         Aggregate
--           CTE Scan on found
--         Index Scan using files_pkey on files
--       Nested Loop
--         WorkTable Scan on above
--         Index Scan using files_pkey on files
--     CTE Scan on found
--     CTE Scan on above
-- Statement 1


-- GET /files/:file/versions, as the owner
-- Statement 5

-- Statement 9
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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       Index Scan using files_pkey on files
--       Index Scan using images_pkey on images
--     CTE above: Recursive Union
--       Nested Loop
--         Aggregate
--           CTE Scan on found
--         Index Scan using files_pkey on files
--       Nested Loop
--         WorkTable Scan on above
--         Index Scan using files_pkey on files
--     CTE Scan on found
--     CTE Scan on above

-- Statement 10
SELECT id, file_id AS "fileID", sha256, size, content_type AS "contentType", created_at AS "createdAt",
    replaced_at AS "replacedAt"
FROM file_versions
WHERE file_id = $1
ORDER BY id DESC;
--   Sort by id DESC
--     Bitmap Heap Scan on file_versions
--       Bitmap Index Scan using file_versions_by_file


-- GET /files/:file/uses, as the owner
-- Statement 5
-- Statement 9

-- Statement 11
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
--   Limit
--     Sort by examined.id DESC
--       Subquery Scan
--         Limit
--           Index Scan using photos_by_file on photos

-- Statement 12
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
--   Limit
--     Sort by posts.id DESC
--       Nested Loop
--         Limit
--           Index Only Scan using post_embeds_by_record on post_embeds
--         Index Scan using posts_with_owner on posts

-- Statement 13
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
--   Limit
--     Sort by examined.id DESC
--       Subquery Scan
--         Limit
--           Index Scan using shares_of_record on shares

-- Statement 14
SELECT name, value
FROM site_settings
WHERE name IN ($1)
ORDER BY name;
--   Index Scan using site_settings_pkey on site_settings

-- Statement 15
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
--   CTE Scan on above
--     CTE above: Recursive Union
--       Index Scan using files_pkey on files
--         InitPlan 1 (returns $1): Index Scan using files_pkey on files
--       Nested Loop
--         WorkTable Scan on above
--         Index Scan using files_pkey on files
-- Statement 12
-- Statement 13

-- Statement 16
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
--   Limit
--     Sort by posts.id DESC
--       Nested Loop
--         Append
--           Subquery Scan
--             Limit
--               Index Only Scan using post_embeds_by_record on post_embeds
--           Subquery Scan
--             Limit
--               Index Scan using posts_by_cover on posts
--         Index Scan using posts_with_owner on posts

-- Statement 17
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
--   Limit
--     Sort by albums.id DESC
--       Nested Loop
--         Limit
--           Index Scan using album_photos_by_photo on album_photos
--         Index Scan using albums_pkey on albums

-- Statement 18
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
--   Limit
--     Sort by examined.id DESC
--       Subquery Scan
--         Limit
--           Index Scan using shares_of_record on shares

-- Statement 19
SELECT name, value
FROM site_settings
WHERE name IN ($1, $2)
ORDER BY name;
--   Sort by name COLLATE "C"
--     Bitmap Heap Scan on site_settings
--       Bitmap Index Scan using site_settings_pkey
