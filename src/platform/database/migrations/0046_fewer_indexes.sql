-- Every index of a table is written with every row. A public post is in five of posts now, not in twelve. Lists with private and public posts are read from two
-- ranges of an index that begins with is_private. A post that is not published is private, so a status needs indexes of private
-- posts only.
DROP INDEX posts_by_owner;
DROP INDEX posts_of_owner_by_publication;
DROP INDEX posts_in_order_of_publication;
DROP INDEX posts_by_status;
DROP INDEX posts_by_status_and_publication;
DROP INDEX posts_of_owner_by_status;
DROP INDEX posts_of_owner_by_status_and_publication;
CREATE INDEX posts_by_status ON posts (is_private, status, id) WHERE trash_id IS NULL AND is_private = 1;
CREATE INDEX posts_by_status_and_publication ON posts (is_private, status, published_at, id)
  WHERE trash_id IS NULL AND is_private = 1;
CREATE INDEX posts_of_owner_by_status ON posts (owner_id, is_private, status, id) WHERE trash_id IS NULL AND is_private = 1;
CREATE INDEX posts_of_owner_by_status_and_publication ON posts (owner_id, is_private, status, published_at, id)
  WHERE trash_id IS NULL AND is_private = 1;
