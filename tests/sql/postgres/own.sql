-- The plans are those of PostgreSQL 15.


-- GET /trash, as the owner

-- Statement 1
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

-- Statement 2
SELECT id, kind, record_id, owner_id, coalesce(deleted_by, owner_id) AS deleted_by, deleted_at, name
FROM trash
WHERE coalesce(deleted_by, owner_id) = $1 AND id < $2 AND deleted_at > $3
ORDER BY id DESC
LIMIT $4;
--   Limit
--     Sort by id DESC
--       Bitmap Heap Scan on trash
--         Bitmap Index Scan using trash_by_deleter


-- GET /trash?cursor=, as the owner
-- Statement 1

-- Statement 3
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM trash
WHERE coalesce(deleted_by, owner_id) = $1 AND deleted_at > $2
ORDER BY id DESC
LIMIT $3;
--   Limit
--     Index Scan backward using trash_by_deleter on trash


-- GET /activity, as the owner
-- Statement 1

-- Statement 4
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
--   Limit
--     Sort by activity.created_at DESC, activity.id DESC
--       Aggregate
--         Append
--           Limit
--             Index Only Scan backward using activity_by_actor on activity
--           Limit
--             Index Only Scan backward using activity_by_owner on activity

-- Statement 5
SELECT activity.id, transaction_id AS "transactionID", activity.created_at AS "createdAt", actor_id AS "actorID",
    owner_id AS "ownerID", record_id AS "recordID", was_public AS "wasPublic", kind, action, name, users.username
FROM activity
LEFT JOIN users ON users.id = activity.actor_id
WHERE activity.id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);
--   Hash Join (Left)
--     Index Scan using activity_pkey on activity
--     Hash
--       Seq Scan on users

-- Statement 6
SELECT record_id AS id
FROM activity
WHERE kind = $1 AND is_page = 1 AND record_id IN ($2, $3);
--   Index Scan using activity_of_deleted_pages on activity

-- Statement 7
SELECT id
FROM posts
WHERE id IN ($1, $2) AND is_page = 1;
--   Index Scan using posts_pkey on posts

-- Statement 8
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
--   Nested Loop (Left)
--     Nested Loop
--       Index Only Scan using posts_with_owner on posts
--       Index Scan using posts_with_owner on posts
--     Index Scan using post_html_pkey on post_html

-- Statement 9
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

-- Statement 10
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


-- GET /activity, as the admin
-- Statement 1

-- Statement 11
SELECT id AS id, created_at AS sort_key, 0 AS bytes
FROM activity
WHERE 1 = 1 AND created_at IS NOT NULL
ORDER BY created_at DESC, id DESC
LIMIT $1;
--   Limit
--     Index Only Scan backward using activity_by_time on activity
-- Statement 5
-- Statement 6
-- Statement 7

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
--   Nested Loop (Left)
--     Nested Loop
--       Index Only Scan using posts_with_owner on posts
--       Index Scan using posts_with_owner on posts
--     Index Scan using post_html_pkey on post_html

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

-- Statement 14
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
--   Hash Join (Right)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Bitmap Heap Scan on album_counts
--           Bitmap Index Scan using album_counts_pkey
--       SubPlan 3: Index Only Scan using album_photos_in_order on album_photos
--       SubPlan 4: Limit
--         Index Only Scan using album_photos_in_order on album_photos
--     Nested Loop (Left)
--       CTE found: Nested Loop (Left)
--         InitPlan 6 (returns $7): Index Scan using public_name_keys_pkey on public_name_keys
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop
--               Nested Loop
--                 Unique
--                   Sort by page_1.shown_photo_id
--                     CTE Scan on page
--                 Index Scan using photos_pkey on photos
--               Index Scan using photos_pkey on photos
--             Index Scan using files_pkey on files
--           Index Scan using images_pkey on images
--         Index Scan using images_pkey on images
--       CTE above: Recursive Union
--         Nested Loop
--           Unique
--             Sort by found_1.file_parent_id
--               CTE Scan on found
--           Index Scan using files_pkey on files
--         Nested Loop
--           WorkTable Scan on above
--           Index Scan using files_pkey on files
--       CTE Scan on found
--       CTE Scan on above
--     Hash
--       CTE Scan on page


-- GET /shares, as the owner
-- Statement 1

-- Statement 15
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM shares
WHERE owner_id = $1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Sort by id DESC
--       Bitmap Heap Scan on shares
--         Bitmap Index Scan using shares_of_owner

-- Statement 16
SELECT id, owner_id, kind, record_id, password_hash, allow_download, allow_upload, show_metadata, expires_at, uses,
    last_used_at, uploads, created_at, updated_at, (
  SELECT count(*)
  FROM share_uploads
  WHERE share_id = shares.id
) AS waiting_uploads
FROM shares
WHERE id IN ($1);
--   Index Scan using shares_pkey on shares
--     SubPlan 1: Aggregate
--       Bitmap Heap Scan on share_uploads
--         Bitmap Index Scan using share_uploads_of_share

-- Statement 17
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


-- GET /uploads, as the owner
-- Statement 1

-- Statement 18
SELECT id, owner_id, length, received, parts, file_id, created_at, expires_at, metadata
FROM uploads
WHERE owner_id = $1 AND file_id IS NULL AND expires_at > $2
ORDER BY id;
--   Sort by id
--     Index Scan using uploads_unfinished on uploads


-- GET /me/sessions, as the owner
-- Statement 1

-- Statement 19
SELECT id, token_id, expires_at, created_at, seen_at, client, address
FROM sessions
WHERE user_id = $1 AND expires_at > $2
ORDER BY CASE token_id WHEN $3 THEN 0 ELSE 1 END, id DESC
LIMIT $4 OFFSET $5;
--   Limit
--     Sort by (CASE token_id WHEN ? THEN 0 ELSE 1 END), id DESC
--       Bitmap Heap Scan on sessions
--         Bitmap Index Scan using sessions_by_user

-- Statement 20
SELECT count(*) AS count
FROM sessions
WHERE user_id = $1 AND expires_at > $2;
--   Aggregate
--     Bitmap Heap Scan on sessions
--       Bitmap Index Scan using sessions_by_user


-- GET /keys, as the owner
-- Statement 1

-- Statement 21
SELECT id, name, scopes, created_at, expires_at, used_at, used_from, limit_kind, limit_id
FROM app_keys
WHERE user_id = $1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Sort by id DESC
--       Bitmap Heap Scan on app_keys
--         Bitmap Index Scan using app_keys_by_user


-- GET /account/passkeys, as the owner
-- Statement 1

-- Statement 22
SELECT id, user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced, created_at,
    used_at, copied_at
FROM passkeys
WHERE user_id = $1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Scan backward using passkeys_by_user on passkeys


-- GET /invitations, as the admin
-- Statement 1

-- Statement 23
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
--   Limit
--     Sort by invitations.id DESC
--       Nested Loop
--         Hash Join
--           Seq Scan on users
--           Hash
--             Seq Scan on users
--         Index Scan using invitations_by_creator on invitations

-- Statement 24
SELECT count(*) AS count
FROM invitations
WHERE (expires_at IS NULL OR expires_at > $1) AND created_by IN (
  SELECT id
  FROM users
  WHERE role = 'admin'
);
--   Aggregate
--     Nested Loop
--       Seq Scan on users
--       Bitmap Heap Scan on invitations
--         Bitmap Index Scan using invitations_by_creator


-- GET /webhooks, as the admin
-- Statement 1

-- Statement 25
SELECT id, created_at, updated_at, is_active, position_transaction_id, position_id, salt, url, events, inactive_reason
FROM webhooks
ORDER BY id;
--   Sort by id
--     Seq Scan on webhooks


-- GET /redirects, as the admin
-- Statement 1

-- Statement 26
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM redirects
WHERE 1 = 1
ORDER BY id DESC
LIMIT $1;
--   Limit
--     Index Scan backward using redirects_pkey on redirects

-- Statement 27
SELECT id, address, kind, record_id, target, import_id, created_at
FROM redirects
WHERE id IN ($1, $2, $3, $4, $5, $6, $7, $8);
--   Bitmap Heap Scan on redirects
--     Bitmap Index Scan using redirects_pkey

-- Statement 28
SELECT posts.id, posts.is_page, posts.title, posts.slug
FROM posts
WHERE id IN ($1) AND trash_id IS NULL AND 1 = 1;
--   Index Scan using posts_with_owner on posts
-- Statement 13

-- Statement 29
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
--   Nested Loop (Left)
--     CTE page: Nested Loop
--       Index Scan using albums_pkey on albums
--       Index Scan using albums_pkey on albums
--       SubPlan 1: Index Scan using albums_pkey on albums
--       SubPlan 2: Aggregate
--         Bitmap Heap Scan on album_counts
--           Bitmap Index Scan using album_counts_pkey
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

-- Statement 30
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


-- GET /redirects?q=old, as the admin
-- Statement 1

-- Statement 31
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM redirects
WHERE (address LIKE $1 ESCAPE '\' OR lower(address) LIKE $2 ESCAPE '\')
ORDER BY id DESC
LIMIT $3;
--   Limit
--     Index Scan backward using redirects_pkey on redirects
-- Statement 27
-- Statement 28
-- Statement 13
-- Statement 29
-- Statement 30
