-- The plans are those of SQLite 3.53.


-- GET /comments?blogPostID=:post, as a guest

-- Statement 1
SELECT owner_id
FROM posts
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 2
SELECT comments.id, comments.post_id, comments.photo_id, comments.album_id, comments.owner_id, users.username,
    comments.content, comments.status, parents.id AS parent_id, comments.created_at, comments.updated_at,
    comments.source_url, comments.source_kind, comments.source_author, coalesce(posts.owner_id, photos.owner_id,
    albums.owner_id) AS target_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
LEFT JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN photos ON photos.id = comments.photo_id AND photos.trash_id IS NULL AND photos.is_private + 0 = 0
LEFT JOIN albums ON albums.id = comments.album_id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' AND (parents.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) )
WHERE comments.trash_id IS NULL AND coalesce(posts.owner_id, photos.owner_id, albums.owner_id) IS NOT NULL
    AND (comments.status = 'visible' AND (comments.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) ) AND comments.post_id = $1 AND (comments.status = 'visible' ) AND comments.id > $2
ORDER BY comments.id
LIMIT $3;
--   SEARCH comments USING INDEX comments_by_post (post_id=? AND id>?)
--   SCALAR SUBQUERY 2
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH parents USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)


-- GET /comments?blogPostID=:post&cursor=, as a guest
-- Statement 1

-- Statement 3
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.post_id = $1 AND (comments.status = 'visible' )
ORDER BY id ASC
LIMIT $2;
--   SEARCH comments USING INDEX comments_by_post (post_id=?)

-- Statement 4
SELECT comments.id, comments.post_id, comments.photo_id, comments.album_id, comments.owner_id, users.username,
    comments.content, comments.status, parents.id AS parent_id, comments.created_at, comments.updated_at,
    comments.source_url, comments.source_kind, comments.source_author, coalesce(posts.owner_id, photos.owner_id,
    albums.owner_id) AS target_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
LEFT JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN photos ON photos.id = comments.photo_id AND photos.trash_id IS NULL AND photos.is_private + 0 = 0
LEFT JOIN albums ON albums.id = comments.album_id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' AND (parents.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) )
WHERE comments.trash_id IS NULL AND coalesce(posts.owner_id, photos.owner_id, albums.owner_id) IS NOT NULL
    AND (comments.status = 'visible' AND (comments.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) ) AND comments.id IN ($1);
--   SEARCH comments USING INTEGER PRIMARY KEY (rowid=?)
--   SCALAR SUBQUERY 2
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH parents USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)


-- GET /comments?photoID=:photo, as a guest

-- Statement 5
SELECT owner_id
FROM photos
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 6
SELECT comments.id, comments.post_id, comments.photo_id, comments.album_id, comments.owner_id, users.username,
    comments.content, comments.status, parents.id AS parent_id, comments.created_at, comments.updated_at,
    comments.source_url, comments.source_kind, comments.source_author, coalesce(posts.owner_id, photos.owner_id,
    albums.owner_id) AS target_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
LEFT JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN photos ON photos.id = comments.photo_id AND photos.trash_id IS NULL AND photos.is_private + 0 = 0
LEFT JOIN albums ON albums.id = comments.album_id AND albums.trash_id IS NULL AND albums.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' AND (parents.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) )
WHERE comments.trash_id IS NULL AND coalesce(posts.owner_id, photos.owner_id, albums.owner_id) IS NOT NULL
    AND (comments.status = 'visible' AND (comments.post_id IS NOT NULL OR (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1) ) AND comments.photo_id = $1 AND (comments.status = 'visible' AND (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1 ) AND comments.id > $2
ORDER BY comments.id
LIMIT $3;
--   SEARCH comments USING INDEX comments_by_photo (photo_id=? AND id>?)
--   SCALAR SUBQUERY 3
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)
--   SCALAR SUBQUERY 2
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH photos USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH parents USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCALAR SUBQUERY 1
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)


-- GET /comments?albumID=:album&cursor=, as a guest

-- Statement 7
SELECT owner_id
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)

-- Statement 8
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.album_id = $1 AND (comments.status = 'visible' AND (
  SELECT count(*)
  FROM site_settings
  WHERE name = 'photoComments' AND value = 'true'
) = 1 )
ORDER BY id ASC
LIMIT $2;
--   SEARCH comments USING INDEX comments_by_album (album_id=?)
--   SCALAR SUBQUERY 1
--     SEARCH site_settings USING INDEX sqlite_autoindex_site_settings_1 (name=?)


-- GET /comments/queue, as the owner

-- Statement 9
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1 AND comments.status <> 'visible'
    AND CASE WHEN comments.post_id IS NOT NULL THEN (
  SELECT posts.owner_id
  FROM posts
  WHERE posts.id = comments.post_id
) WHEN comments.photo_id IS NOT NULL THEN (
  SELECT photos.owner_id
  FROM photos
  WHERE photos.id = comments.photo_id
) ELSE (
  SELECT albums.owner_id
  FROM albums
  WHERE albums.id = comments.album_id
) END = $2
ORDER BY id ASC
LIMIT $3;
--   SEARCH comments USING INDEX comments_by_status (status=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--     SEARCH photos USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 3
--     SEARCH albums USING INTEGER PRIMARY KEY (rowid=?)


-- GET /comments/queue, as the admin

-- Statement 10
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1 AND comments.status <> 'visible'
ORDER BY id ASC
LIMIT $2;
--   SEARCH comments USING INDEX comments_by_status (status=?)
