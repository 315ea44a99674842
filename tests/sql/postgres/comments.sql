-- The plans are those of PostgreSQL 15.


-- GET /comments?blogPostID=:post, as a guest

-- Statement 1
SELECT id, owner_id AS "ownerID", title AS name
FROM posts
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   Index Scan using posts_with_owner on posts

-- Statement 2
SELECT comments.id, comments.post_id, comments.owner_id, users.username, comments.content, comments.status,
    parents.id AS parent_id, comments.created_at, comments.updated_at, posts.owner_id AS post_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' )
WHERE comments.trash_id IS NULL AND (comments.status = 'visible' ) AND comments.post_id = $1
    AND (comments.status = 'visible' ) AND comments.id > $2
ORDER BY comments.id
LIMIT $3;
--   Limit
--     Sort by comments.id
--       Nested Loop (Left)
--         Nested Loop
--           Index Scan using posts_with_owner on posts
--           Hash Join
--             Bitmap Heap Scan on comments
--               Bitmap Index Scan using comments_by_post
--             Hash
--               Seq Scan on users
--         Index Only Scan using comments_by_status on comments


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
SELECT comments.id, comments.post_id, comments.owner_id, users.username, comments.content, comments.status,
    parents.id AS parent_id, comments.created_at, comments.updated_at, posts.owner_id AS post_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' )
WHERE comments.trash_id IS NULL AND (comments.status = 'visible' ) AND comments.id IN ($1);
--   Nested Loop (Left)
--     Nested Loop
--       Nested Loop
--         Index Scan using comments_by_status on comments
--         Index Scan using posts_with_owner on posts
--       Seq Scan on users
--     Index Only Scan using comments_by_status on comments


-- GET /comments/queue, as the owner

-- Statement 5
SELECT users.id, users.username, users.role, sessions.token_id AS "tokenID", sessions.expires_at AS "expiresAt",
    sessions.seen_at AS "seenAt"
FROM sessions
JOIN users ON users.id = sessions.user_id
WHERE sessions.token_id = $1 AND users.id = $2 AND sessions.expires_at > $3;
--   Nested Loop
--     Index Scan using sessions_pkey on sessions
--     Seq Scan on users

-- Statement 6
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1 AND (
  SELECT posts.owner_id
  FROM posts
  WHERE posts.id = comments.post_id
) = $2
ORDER BY id ASC
LIMIT $3;
--   Limit
--     Sort by comments.id
--       Bitmap Heap Scan on comments
--         Bitmap Index Scan using comments_by_status
--         SubPlan 1: Index Only Scan using posts_with_owner on posts


-- GET /comments/queue, as the admin
-- Statement 5

-- Statement 7
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1
ORDER BY id ASC
LIMIT $2;
--   Limit
--     Index Only Scan using comments_by_status on comments
