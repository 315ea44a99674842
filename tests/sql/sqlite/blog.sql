-- The plans are those of SQLite 3.53.


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
--   CO-ROUTINE sized
--     CO-ROUTINE (subquery-7)
--       CO-ROUTINE page
--         SEARCH posts USING INDEX posts_listed (is_page=? AND is_private=? AND id<?)
--         SCALAR SUBQUERY 1
--           SEARCH list_counts USING INDEX sqlite_autoindex_list_counts_1 (list=? AND size=?)
--       SCAN page
--       SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--     SCAN (subquery-7)
--   SCAN sized
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH made USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

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


-- GET /blog?cursor=, as a guest

-- Statement 3
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND is_page = 0
ORDER BY id DESC
LIMIT $1;
--   SEARCH posts USING INDEX posts_listed (is_page=? AND is_private=?)

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
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH made USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
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
--   SEARCH post_tags USING INDEX post_tags_listed (tag_key=? AND is_private=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
-- Statement 4
-- Statement 2


-- GET /blog?owner=:user, as a guest

-- Statement 6
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND owner_id = $1 AND is_page = 0
ORDER BY id DESC
LIMIT $2;
--   SEARCH posts USING INDEX posts_of_owner (owner_id=? AND is_page=? AND is_private=?)
-- Statement 4
-- Statement 2


-- GET /blog?kind=page, as a guest

-- Statement 7
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND is_private = 0 AND is_page = 1
ORDER BY id DESC
LIMIT $1;
--   SEARCH posts USING INDEX posts_listed (is_page=? AND is_private=?)


-- GET /blog?kind=page&visibility=all&sort=publishedAt, as the admin

-- Statement 8
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
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_by_publication (is_page=? AND is_private=? AND published_at>?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_by_publication (is_page=? AND is_private=? AND published_at>?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 9
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
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_by_publication (is_page=? AND is_private=? AND published_at=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_by_publication (is_page=? AND is_private=? AND published_at=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY


-- GET /blog?owner=me&sort=publishedAt, as the owner

-- Statement 10
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
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_shown_of_owner_by_publication (owner_id=? AND is_page=? AND is_private=? AND published_at>?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_shown_of_owner_by_publication (owner_id=? AND is_page=? AND is_private=? AND published_at>?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 11
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
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_shown_of_owner_by_publication (owner_id=? AND is_page=? AND is_private=? AND published_at=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_shown_of_owner_by_publication (owner_id=? AND is_page=? AND is_private=? AND published_at=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 12
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


-- GET /blog?owner=me&status=draft, as the owner

-- Statement 14
SELECT id AS id, id AS sort_key, octet_length(content) AS bytes
FROM posts
WHERE trash_id IS NULL AND owner_id = $1 AND status = $2 AND is_page = 0 AND is_private + 0 = 1
ORDER BY id DESC
LIMIT $3;
--   SEARCH posts USING INDEX posts_of_owner_by_status (owner_id=? AND status=?)

-- Statement 15
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
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH made USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN


-- GET /blog?visibility=all, as the admin

-- Statement 16
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
--   MERGE (UNION)
--     LEFT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_listed (is_page=? AND is_private=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY
--     RIGHT
--       CO-ROUTINE part
--         SEARCH posts USING INDEX posts_listed (is_page=? AND is_private=?)
--       SCAN part
--       USE TEMP B-TREE FOR ORDER BY

-- Statement 17
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

-- Statement 18
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


-- GET /blog/:post/revisions, as the owner

-- Statement 19
SELECT id, owner_id AS "ownerID", title AS name
FROM posts
WHERE id = $1 AND trash_id IS NULL AND (is_private = 0 OR owner_id = $2 );
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 20
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
--   CO-ROUTINE revisions
--     COMPOUND QUERY
--       LEFT-MOST SUBQUERY
--         SEARCH post_revisions USING INDEX post_revisions_by_age (post_id=? AND number<?)
--       UNION ALL
--         SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN revisions
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR ORDER BY
