-- The plans are those of PostgreSQL 15.


-- GET /comments?blogPostID=:post, as a guest

-- Statement 1
SELECT owner_id
FROM posts
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Scan using posts_with_owner on posts

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
--   Limit
--     InitPlan 1 (returns $0): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     InitPlan 2 (returns $1): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     Sort by comments.id
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop (Left)
--               Nested Loop
--                 Seq Scan on users
--                 Materialize
--                   Bitmap Heap Scan on comments
--                     Bitmap Index Scan using comments_by_post
--               Materialize
--                 Index Scan using posts_with_owner on posts
--             Index Scan using photos_pkey on photos
--           Index Scan using albums_pkey on albums
--         Index Scan using comments_pkey on comments


-- GET /comments?blogPostID=:post&cursor=, as a guest
-- Statement 1

-- Statement 3
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.post_id = $1 AND (comments.status = 'visible' )
ORDER BY id ASC
LIMIT $2;
--   Limit
--     Sort by id
--       Bitmap Heap Scan on comments
--         Bitmap Index Scan using comments_by_post

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
--   Nested Loop (Left)
--     InitPlan 1 (returns $0): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     InitPlan 2 (returns $1): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     Nested Loop (Left)
--       Nested Loop (Left)
--         Nested Loop
--           Nested Loop (Left)
--             Index Scan using comments_pkey on comments
--             Index Scan using posts_with_owner on posts
--           Seq Scan on users
--         Index Scan using photos_pkey on photos
--       Index Scan using albums_pkey on albums
--     Index Scan using comments_pkey on comments


-- GET /comments?photoID=:photo, as a guest

-- Statement 5
SELECT owner_id
FROM photos
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Scan using photos_listed on photos

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
--   Limit
--     InitPlan 1 (returns $0): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     InitPlan 2 (returns $1): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     InitPlan 3 (returns $2): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     Result
--       Nested Loop (Left)
--         Nested Loop (Left)
--           Nested Loop (Left)
--             Nested Loop (Left)
--               Nested Loop
--                 Index Scan using comments_by_photo on comments
--                 Seq Scan on users
--               Index Scan using posts_with_owner on posts
--             Index Scan using photos_pkey on photos
--           Index Scan using albums_pkey on albums
--         Index Scan using comments_pkey on comments


-- GET /comments?albumID=:album&cursor=, as a guest

-- Statement 7
SELECT owner_id
FROM albums
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Scan using albums_listed on albums

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
--   Limit
--     InitPlan 1 (returns $0): Aggregate
--       Index Scan using site_settings_pkey on site_settings
--     Result
--       Index Scan using comments_by_album on comments


-- GET /comments/queue, as the owner

-- Statement 9
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

-- Statement 10
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
--   Limit
--     Sort by comments.id
--       Bitmap Heap Scan on comments
--         Bitmap Index Scan using comments_by_status
--         SubPlan 1: Index Only Scan using posts_with_owner on posts
--         SubPlan 2: Index Scan using photos_pkey on photos
--         SubPlan 3: Index Scan using albums_pkey on albums


-- GET /comments/queue, as the admin
-- Statement 9

-- Statement 11
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1 AND comments.status <> 'visible'
ORDER BY id ASC
LIMIT $2;
--   Limit
--     Index Only Scan using comments_by_status on comments
