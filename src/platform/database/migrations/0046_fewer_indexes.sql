-- Every index is written with every row: a public post is in five of posts now, and not in twelve. Lists that have private posts, too,
-- are read from two ranges of an index, public and private ones. A post that is not published is private, so indexes by
-- status have private posts only. Their condition is one that no other list has, so that none is read from them and sorted.
DROP INDEX posts_by_owner;
DROP INDEX posts_of_owner_by_publication;
DROP INDEX posts_in_order_of_publication;
DROP INDEX posts_by_status;
DROP INDEX posts_by_status_and_publication;
DROP INDEX posts_of_owner_by_status;
DROP INDEX posts_of_owner_by_status_and_publication;
CREATE INDEX posts_by_status ON posts (status, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_by_status_and_publication ON posts (status, published_at, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_of_owner_by_status ON posts (owner_id, status, id) WHERE trash_id IS NULL AND is_private + 0 = 1;
CREATE INDEX posts_of_owner_by_status_and_publication ON posts (owner_id, status, published_at, id)
  WHERE trash_id IS NULL AND is_private + 0 = 1;
