-- The plans are those of PostgreSQL 15.


-- GET /blog, as a guest

-- Statement 1
SELECT page.*, posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
    posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
    posts.created_at, posts.updated_at, posts.content, CASE made.renderer WHEN 4 THEN made.excerpt END AS made_excerpt
FROM (
  SELECT id, total
  FROM (
    SELECT id, total, sum(bytes) OVER (ORDER BY id DESC) - bytes AS bytes_before
    FROM (
      SELECT page.id, page.total, octet_length(posts.content) AS bytes
      FROM (
        SELECT id, (
          SELECT CAST(sum(live) AS BIGINT)
          FROM list_counts /*posts*/
          WHERE list = $1 AND size = $2
        ) AS total
        FROM posts
        WHERE trash_id IS NULL AND is_private = 0 AND is_page = 0 AND id <= $3
        ORDER BY id DESC
        LIMIT $4 OFFSET $5
      ) AS page
      JOIN posts ON posts.id = page.id
    ) AS measured
  ) AS sized
  WHERE bytes_before < $6
) AS page
JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN post_html AS made ON made.post_id = posts.id;
--   Nested Loop (Left)
--     Nested Loop
--       Subquery Scan
--         WindowAgg
--           Nested Loop
--             Limit
--               InitPlan 1 (returns $0): Aggregate
--                 Index Scan using list_counts_pkey on list_counts
--               Index Only Scan backward using posts_listed on posts
--             Index Scan using posts_with_owner on posts
--       Index Scan using posts_with_owner on posts
--     Index Scan using post_html_pkey on post_html

-- Statement 2
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


-- GET /blog?cursor=, as a guest

-- Statement 3
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND is_page = 0
ORDER BY id DESC
LIMIT $1;
--   Limit
--     Index Scan backward using posts_pkey on posts

-- Statement 4
SELECT page.*, posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
    posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
    posts.created_at, posts.updated_at, posts.content, CASE made.renderer WHEN 4 THEN made.excerpt END AS made_excerpt
FROM (
  SELECT id
  FROM posts
  WHERE id IN ($1)
) AS page
JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN post_html AS made ON made.post_id = posts.id;
--   Nested Loop (Left)
--     Nested Loop
--       Index Only Scan using posts_with_owner on posts
--       Index Scan using posts_with_owner on posts
--     Index Scan using post_html_pkey on post_html
-- Statement 2


-- GET /blog?sort=createdAt&cursor=, as a guest
-- Statement 3
-- Statement 4
-- Statement 2


-- GET /blog?tag=sea, as a guest

-- Statement 5
SELECT id AS id, id AS sort_key, (
  SELECT octet_length(content)
  FROM posts
  WHERE posts.id = tagged.id
) AS bytes
FROM (
  SELECT post_id AS id, tag_key, owner_id, is_page, trash_id, is_private, status, published_at
  FROM post_tags
) AS tagged
WHERE trash_id IS NULL AND is_private = 0 AND is_page = 0 AND tag_key = $1
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Scan backward using post_tags_all on post_tags
--       SubPlan 1: Index Scan using posts_with_owner on posts
-- Statement 4
-- Statement 2


-- GET /blog?owner=:user, as a guest

-- Statement 6
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND owner_id = $1 AND is_page = 0
ORDER BY id DESC
LIMIT $2;
--   Limit
--     Index Scan backward using posts_pkey on posts
-- Statement 4
-- Statement 2


-- GET /blog?kind=page, as a guest

-- Statement 7
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND is_page = 1
ORDER BY id DESC
LIMIT $1;
--   Limit
--     Index Scan backward using posts_listed on posts


-- GET /blog?kind=page&visibility=all&sort=publishedAt, as the admin

-- Statement 8
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

-- Statement 9
SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 1 AND published_at IS NOT NULL AND is_private = 0
  ORDER BY published_at DESC, id DESC
  LIMIT $1
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 1 AND published_at IS NOT NULL AND is_private = 1
  ORDER BY published_at DESC, id DESC
  LIMIT $2
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $3;
--   Limit
--     Sort by posts.published_at DESC, posts.id DESC
--       Unique
--         Sort by posts.id, posts.published_at, (octet_length(posts.content))
--           Append
--             Limit
--               Index Scan backward using posts_by_publication on posts
--             Limit
--               Index Scan backward using posts_by_publication on posts

-- Statement 10
SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 1 AND published_at IS NULL AND is_private = 0
  ORDER BY published_at DESC, id DESC
  LIMIT $1
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 1 AND published_at IS NULL AND is_private = 1
  ORDER BY published_at DESC, id DESC
  LIMIT $2
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $3;
--   Limit
--     Sort by posts.published_at DESC, posts.id DESC
--       Unique
--         Sort by posts.id, posts.published_at, (octet_length(posts.content))
--           Append
--             Limit
--               Index Scan backward using posts_by_publication on posts
--             Limit
--               Index Scan backward using posts_by_publication on posts


-- GET /blog?owner=me&sort=publishedAt, as the owner
-- Statement 8

-- Statement 11
SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND owner_id = $1 AND is_page = 0 AND published_at IS NOT NULL AND is_private = 0
  ORDER BY published_at DESC, id DESC
  LIMIT $2
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND owner_id = $3 AND is_page = 0 AND published_at IS NOT NULL AND is_private = 1
  ORDER BY published_at DESC, id DESC
  LIMIT $4
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $5;
--   Limit
--     Sort by posts.published_at DESC, posts.id DESC
--       Aggregate
--         Append
--           Limit
--             Index Scan backward using posts_shown_of_owner_by_publication on posts
--           Limit
--             Sort by posts_1.published_at DESC, posts_1.id DESC
--               Bitmap Heap Scan on posts
--                 Bitmap Index Scan using posts_of_owner

-- Statement 12
SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND owner_id = $1 AND is_page = 0 AND published_at IS NULL AND is_private = 0
  ORDER BY published_at DESC, id DESC
  LIMIT $2
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, published_at AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND owner_id = $3 AND is_page = 0 AND published_at IS NULL AND is_private = 1
  ORDER BY published_at DESC, id DESC
  LIMIT $4
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $5;
--   Limit
--     Sort by posts.published_at DESC, posts.id DESC
--       Unique
--         Sort by posts.id, posts.published_at, (octet_length(posts.content))
--           Append
--             Limit
--               Index Scan backward using posts_by_publication on posts
--             Limit
--               Index Scan backward using posts_by_publication on posts

-- Statement 13
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


-- GET /blog?owner=me&status=draft, as the owner
-- Statement 8

-- Statement 15
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND owner_id = $1 AND status = $2 AND is_page = 0 AND is_private + 0 = 1
ORDER BY id DESC
LIMIT $3;
--   Limit
--     Index Scan backward using posts_of_owner_by_status on posts

-- Statement 16
SELECT page.*, posts.owner_id, posts.is_page, posts.title, posts.slug, posts.status, posts.is_private,
    posts.chosen_private, posts.published_at, posts.comments_closed_at, posts.tags, posts.excerpt, posts.cover_id,
    posts.created_at, posts.updated_at, posts.content, CASE made.renderer WHEN 4 THEN made.excerpt END AS made_excerpt
FROM (
  SELECT id
  FROM posts
  WHERE id IN ($1)
) AS page
JOIN posts ON posts.id = page.id AND posts.trash_id IS NULL AND (posts.is_private + 0 = 0 OR posts.owner_id + 0 = $2 )
LEFT JOIN post_html AS made ON made.post_id = posts.id;
--   Nested Loop (Left)
--     Nested Loop
--       Index Only Scan using posts_with_owner on posts
--       Index Scan using posts_with_owner on posts
--     Index Scan using post_html_pkey on post_html


-- GET /blog?visibility=all, as the admin
-- Statement 8

-- Statement 17
SELECT *
FROM (
  SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 0 AND is_private = 0
  ORDER BY id DESC
  LIMIT $1
) AS part
UNION SELECT *
FROM (
  SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
  FROM posts
  WHERE trash_id IS NULL AND is_page = 0 AND is_private = 1
  ORDER BY id DESC
  LIMIT $2
) AS part
ORDER BY sort_key DESC, id DESC
LIMIT $3;
--   Limit
--     Sort by posts.id DESC, posts.id DESC
--       Aggregate
--         Append
--           Limit
--             Index Scan backward using posts_pkey on posts
--           Limit
--             Index Scan backward using posts_listed on posts

-- Statement 18
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

-- Statement 19
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


-- GET /blog/:post/revisions, as the owner
-- Statement 8

-- Statement 20
SELECT id, owner_id AS "ownerID", title AS name
FROM posts
WHERE id = $1 AND trash_id IS NULL AND (is_private = 0 OR owner_id = $2 );
--   Index Scan using posts_with_owner on posts

-- Statement 21
SELECT id, title, created_at, revised_by, octet_length(content) AS size, (
  SELECT username
  FROM users
  WHERE users.id = revised_by
) AS username
FROM (
  SELECT number AS id, post_id, title, created_at, revised_by, content, excerpt, tags, cover_id
  FROM post_revisions
  UNION ALL SELECT revision, id, title, coalesce(revised_at, updated_at), revised_by, content, excerpt, tags, cover_id
  FROM posts
) AS revisions
WHERE post_id = $1 AND id < $2
ORDER BY id DESC
LIMIT $3;
--   Limit
--     Result
--       Sort by post_revisions.number DESC
--         Result
--           Append
--             Index Scan backward using post_revisions_by_age on post_revisions
--             Index Scan using posts_with_owner on posts
--       SubPlan 1: Seq Scan on users
