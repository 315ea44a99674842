-- The plans are those of SQLite 3.53.


-- GET /comments?blogPostID=:post, as a guest

-- Statement 1
SELECT id, owner_id AS "ownerID", title AS name
FROM posts
WHERE id = $1 AND trash_id IS NULL AND is_private = 0;
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)

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
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH comments USING INDEX comments_by_status (status=? AND id>?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH parents USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN


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
SELECT comments.id, comments.post_id, comments.owner_id, users.username, comments.content, comments.status,
    parents.id AS parent_id, comments.created_at, comments.updated_at, posts.owner_id AS post_owner_id
FROM comments
JOIN users ON users.id = comments.owner_id
JOIN posts ON posts.id = comments.post_id AND posts.trash_id IS NULL AND posts.is_private + 0 = 0
LEFT JOIN comments AS parents ON parents.id = comments.parent_id AND parents.trash_id IS NULL
    AND (parents.status = 'visible' )
WHERE comments.trash_id IS NULL AND (comments.status = 'visible' ) AND comments.id IN ($1);
--   SEARCH comments USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH parents USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN


-- GET /comments/queue, as the owner

-- Statement 5
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1 AND (
  SELECT posts.owner_id
  FROM posts
  WHERE posts.id = comments.post_id
) = $2
ORDER BY id ASC
LIMIT $3;
--   SEARCH comments USING INDEX comments_by_status (status=?)
--   CORRELATED SCALAR SUBQUERY 1
--     SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)


-- GET /comments/queue, as the admin

-- Statement 6
SELECT id AS id, id AS sort_key, 0 AS bytes
FROM comments
WHERE trash_id IS NULL AND comments.status = $1
ORDER BY id ASC
LIMIT $2;
--   SEARCH comments USING INDEX comments_by_status (status=?)
