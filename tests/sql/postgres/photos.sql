-- The plans are those of PostgreSQL 15.


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
--   Nested Loop (Left)
--     CTE found: Nested Loop (Left)
--       InitPlan 1 (returns $0): Index Scan using public_name_keys_pkey on public_name_keys
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop
--             Limit
--               InitPlan 2 (returns $1): Aggregate
--                 Index Scan using list_counts_pkey on list_counts
--               Index Only Scan backward using photos_listed on photos
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


-- GET /photos?page=2&pageSize=1, as a guest
-- Statement 1


-- GET /photos?cursor=, as a guest

-- Statement 2
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND 1 = 1
ORDER BY id DESC
LIMIT $1;
--   Limit
--     Index Only Scan backward using photos_listed on photos

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


-- GET /photos?sort=takenAt&cursor=, as a guest

-- Statement 4
SELECT id AS id, taken_at AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND taken_at IS NOT NULL
ORDER BY taken_at DESC, id DESC
LIMIT $1;
--   Limit
--     Index Only Scan backward using photos_by_taken_at on photos

-- Statement 5
SELECT id AS id, taken_at AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND taken_at IS NULL
ORDER BY taken_at DESC, id DESC
LIMIT $1;
--   Limit
--     Index Only Scan backward using photos_by_taken_at on photos
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
--   Hash Join
--     Seq Scan on photos
--     Hash
--       Limit
--         Index Only Scan backward using photos_listed on photos
-- Statement 3


-- GET /photos?tag=sea, as a guest

-- Statement 7
SELECT photo_id AS id, photo_id AS sort_key
FROM photo_lists
WHERE list = $1 AND seen_by = $2 AND 1 = 1
ORDER BY photo_id DESC
LIMIT $3;
--   Limit
--     Index Only Scan backward using photo_lists_by_id on photo_lists
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
--   Nested Loop
--     Limit
--       Index Only Scan backward using photo_lists_by_id on photo_lists
--     Index Scan using photos_pkey on photos
--     SubPlan 1: Index Only Scan using photo_lists_by_taken_at on photo_lists


-- GET /photos?albumID=:album, as a guest

-- Statement 9
SELECT id
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Only Scan using albums_listed on albums
-- Statement 7
-- Statement 3


-- GET /photos?kind=image&order=asc, as a guest

-- Statement 10
SELECT photo_id AS id, photo_id AS sort_key
FROM photo_lists
WHERE list = $1 AND seen_by = $2 AND 1 = 1
ORDER BY photo_id ASC
LIMIT $3;
--   Limit
--     Index Only Scan using photo_lists_by_id on photo_lists
-- Statement 3


-- GET /photos?owner=:user, as a guest

-- Statement 11
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = 0 AND owner_id = $1 AND 1 = 1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Only Scan backward using photos_of_owner on photos
-- Statement 3


-- GET /photos?owner=me, as the owner

-- Statement 12
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

-- Statement 13
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND owner_id = $1 AND is_private = $2 AND 1 = 1
ORDER BY id DESC
LIMIT $3;
--   Limit
--     Index Only Scan backward using photos_of_owner on photos
-- Statement 13

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


-- GET /photos?owner=me&tag=sea, as the owner
-- Statement 12

-- Statement 15
SELECT chosen.id, chosen.sort_key, CASE WHEN owner_id = $1 THEN 1 ELSE 0 END AS is_match
FROM (
  SELECT photo_id AS id, photo_id AS sort_key
  FROM photo_lists
  WHERE list = $2 AND seen_by = $3 AND 1 = 1
  ORDER BY photo_id DESC
  LIMIT $4
) AS chosen
JOIN photos ON photos.id = chosen.id;
--   Nested Loop
--     Limit
--       Index Only Scan backward using photo_lists_by_id on photo_lists
--     Index Scan using photos_pkey on photos
-- Statement 15
-- Statement 14


-- GET /photos?favourite=true, as the owner
-- Statement 12
-- Statement 7


-- GET /photos?owner=me&inAlbum=false, as the owner
-- Statement 12
-- Statement 15
-- Statement 15


-- GET /photos?owner=me&untitled=true, as the owner
-- Statement 12
-- Statement 15
-- Statement 15


-- GET /photos?visibility=all, as the admin
-- Statement 12

-- Statement 16
SELECT id AS id, id AS sort_key
FROM photos
WHERE trash_id IS NULL AND is_private = $1 AND 1 = 1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Only Scan backward using photos_listed on photos
-- Statement 16

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
--   Hash Join (Right)
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
--       Hash Join
--         Seq Scan on files
--         Hash
--           WorkTable Scan on above
--     CTE Scan on above
--     Hash
--       CTE Scan on found


-- GET /photos?bbox=-10,38,-8,39, as a guest

-- Statement 18
SELECT photo_id, latitude, longitude
FROM photo_places
WHERE is_shown = 1 AND code >= $1 AND code < $2
ORDER BY code
LIMIT $3;
--   Limit
--     Index Only Scan using photo_places_shown on photo_places
-- Statement 18
-- Statement 18
-- Statement 18

-- Statement 19
SELECT id, id AS sort_key
FROM photos
WHERE id IN ($1, $2, $3, $4) AND trash_id IS NULL AND is_private = 0 AND 1 = 1;
--   Index Only Scan using photos_listed on photos
-- Statement 3


-- GET /photos?owner=me&bbox=-10,38,-8,39&tag=sea, as the owner
-- Statement 12

-- Statement 20
SELECT photo_id, latitude, longitude
FROM photo_places
WHERE owner_id = $1 AND code >= $2 AND code < $3
ORDER BY code
LIMIT $4;
--   Limit
--     Index Only Scan using photo_places_of_owner on photo_places
-- Statement 20
-- Statement 20
-- Statement 20

-- Statement 21
SELECT id, id AS sort_key
FROM photos
WHERE id IN ($1, $2, $3, $4) AND trash_id IS NULL AND owner_id = $5 AND is_private = $6 AND EXISTS (
  SELECT 1
  FROM photo_lists
  WHERE photo_lists.photo_id = photos.id AND photo_lists.list = $7
);
--   Nested Loop
--     Index Only Scan using photo_lists_by_taken_at on photo_lists
--     Index Only Scan using photos_of_owner on photos
-- Statement 21
-- Statement 14


-- GET /photos/map?bbox=170,-50,-170,50&zoom=4, as a guest

-- Statement 22
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
--   Limit
--     Result
--       Sort by areas.count DESC, areas.x, areas.y
--         Subquery Scan
--           Aggregate
--             Sort by photo_areas.x, photo_areas.y, photo_areas.cell
--               Index Scan using photo_areas_pkey on photo_areas
--       SubPlan 1: Limit
--         Index Only Scan using photo_places_shown on photo_places


-- GET /photos/map?owner=me, as the owner
-- Statement 12

-- Statement 23
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
--   Limit
--     Result
--       Sort by areas.count DESC, areas.x, areas.y
--         Subquery Scan
--           Aggregate
--             Sort by photo_areas.x, photo_areas.y, photo_areas.cell
--               Index Scan using photo_areas_pkey on photo_areas
--       SubPlan 1: Limit
--         Index Only Scan using photo_places_of_owner on photo_places

-- Statement 24
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


-- GET /photos/timeline, as a guest

-- Statement 25
SELECT month, CAST(sum(photos) AS BIGINT) AS count
FROM photo_months
WHERE owner_id = $1 AND is_private IN ($2)
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC;
--   Aggregate
--     Index Scan backward using photo_months_pkey on photo_months


-- GET /photos/timeline?owner=me, as the owner
-- Statement 12

-- Statement 26
SELECT month, CAST(sum(photos) AS BIGINT) AS count
FROM photo_months
WHERE owner_id = $1 AND is_private IN ($2, $3)
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC;
--   Aggregate
--     Sort by month COLLATE "C" DESC
--       Index Scan using photo_months_pkey on photo_months


-- GET /photos/on-this-day?day=2026-06-12, as the owner
-- Statement 12

-- Statement 27
SELECT month
FROM photo_months
WHERE owner_id = $1 AND is_private IN (0, 1) AND month < $2 AND substr(month, 6) = $3
GROUP BY month HAVING sum(photos) <> 0
ORDER BY month DESC
LIMIT $4;
--   Limit
--     Aggregate
--       Sort by month COLLATE "C" DESC
--         Index Scan using photo_months_pkey on photo_months

-- Statement 28
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
--   Append
--     Limit
--       Index Only Scan using photos_of_owner_by_taken_at on photos
--     Limit
--       Index Only Scan using photos_of_owner_by_taken_at on photos
-- Statement 14
