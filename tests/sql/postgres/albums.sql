-- The plans are those of PostgreSQL 15.


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
--   Nested Loop (Left)
--     CTE page: Hash Join
--       Seq Scan on albums
--       Hash
--         Limit
--           InitPlan 5 (returns $5): Aggregate
--             Index Scan using list_counts_pkey on list_counts
--           Index Only Scan backward using albums_listed on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Index Scan using album_counts_pkey on album_counts
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     CTE Scan on page
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 7 (returns $7): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Aggregate
--                   CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Aggregate
--             CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above


-- GET /albums?cursor=, as a guest

-- Statement 2
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND is_private = 0
ORDER BY id DESC
LIMIT $1;
--   Limit
--     Index Only Scan backward using albums_listed on albums

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
--   Nested Loop (Left)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Index Scan using album_counts_pkey on album_counts
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     CTE Scan on page
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 6 (returns $7): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Aggregate
--                   CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Aggregate
--             CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above


-- GET /albums?owner=me, as the owner

-- Statement 4
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

-- Statement 5
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND owner_id = $1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Only Scan backward using albums_by_owner on albums

-- Statement 6
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
--   Nested Loop (Left)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Bitmap Heap Scan on album_counts
--           BitmapOr
--             Bitmap Index Scan using album_counts_pkey
--             Bitmap Index Scan using album_counts_pkey
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     CTE Scan on page
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 6 (returns $7): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Aggregate
--                   CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Aggregate
--             CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above


-- GET /albums?sort=position&parentID=none, as a guest

-- Statement 7
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND is_private = 0 AND (
  SELECT parents.id
  FROM albums AS parents
  WHERE parents.id = albums.parent_id AND parents.trash_id IS NULL AND parents.is_private + 0 = 0
) IS NULL AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $1;
--   Limit
--     Index Scan using albums_in_order on albums
--       SubPlan 1: Index Scan using albums_pkey on albums

-- Statement 8
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
--   Nested Loop (Left)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Index Scan using album_counts_pkey on album_counts
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     CTE Scan on page
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 6 (returns $6): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Aggregate
--                   CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Aggregate
--             CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above


-- GET /albums?owner=me&sort=position, as the owner
-- Statement 4

-- Statement 9
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND owner_id = $1 AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $2;
--   Limit
--     Index Only Scan using albums_by_owner_in_order on albums
-- Statement 6


-- GET /albums/:album, as a guest

-- Statement 10
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
--   Nested Loop (Left)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Index Scan using album_counts_pkey on album_counts
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     CTE Scan on page
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 6 (returns $6): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Aggregate
--                   CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Aggregate
--             CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above

-- Statement 11
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
--   Sort by found."position", found.photo_id
--     CTE found: Nested Loop (Left)
--       InitPlan 1 (returns $0): Index Scan using public_name_keys_pkey on public_name_keys
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop
--             Limit
--               Index Only Scan using album_photos_in_order on album_photos
--             Index Scan using photos_pkey on photos
--           Index Scan using files_pkey on files
--         Index Scan using images_pkey on images
--       Index Scan using images_pkey on images
--     CTE above: Recursive Union
--       Nested Loop
--         Aggregate
--           CTE Scan on found
--         Index Scan using files_pkey on files
--       Nested Loop
--         WorkTable Scan on above
--         Index Scan using files_pkey on files
--     Nested Loop (Left)
--       CTE Scan on found
--       CTE Scan on above


-- GET /albums/:album/photos?cursor=, as a guest

-- Statement 12
SELECT id, owner_id AS "ownerID", name AS name , photo_order AS "photoOrder",
    CASE WHEN filter IS NULL THEN 0 ELSE 1 END AS "isSmart"
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Scan using albums_listed on albums

-- Statement 13
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
--   Limit
--     Limit
--       Index Only Scan using album_photos_in_order on album_photos

-- Statement 14
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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       InitPlan 1 (returns $0): Index Scan using public_name_keys_pkey on public_name_keys
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop
--             Index Scan using photos_pkey on photos
--             Index Scan using photos_pkey on photos
--           Index Scan using files_pkey on files
--         Index Scan using images_pkey on images
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


-- GET /albums/:album/photos?cursor=, as the owner
-- Statement 4

-- Statement 15
SELECT id, owner_id AS "ownerID", name AS name , photo_order AS "photoOrder",
    CASE WHEN filter IS NULL THEN 0 ELSE 1 END AS "isSmart"
FROM albums
WHERE id = $1 AND trash_id IS NULL AND (is_private = 0 OR owner_id = $2 );
--   Index Scan using albums_pkey on albums

-- Statement 16
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
--   Limit
--     Sort by album_photos."position", album_photos.photo_id
--       Aggregate
--         Append
--           Limit
--             Index Only Scan using album_photos_in_order on album_photos
--           Limit
--             Index Only Scan using album_photos_seen on album_photos

-- Statement 17
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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       InitPlan 1 (returns $0): Index Scan using public_name_keys_pkey on public_name_keys
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop
--             Index Scan using photos_pkey on photos
--             Index Scan using photos_pkey on photos
--           Index Scan using files_pkey on files
--         Index Scan using images_pkey on images
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


-- GET /albums/:album/albums, as a guest
-- Statement 12

-- Statement 18
SELECT id AS id, position AS sort_key, 0 AS bytes
FROM albums
WHERE trash_id IS NULL AND parent_id = $1 AND is_private = 0 AND position IS NOT NULL
ORDER BY position ASC, id ASC
LIMIT $2;
--   Limit
--     Index Scan using albums_by_parent on albums
-- Statement 8
