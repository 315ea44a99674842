-- A page is a post that stands outside the blog. Each list has posts or pages, so its index begins with which of them.
ALTER TABLE posts ADD COLUMN is_page BIGINT NOT NULL DEFAULT 0;
ALTER TABLE post_tags ADD COLUMN is_page BIGINT NOT NULL DEFAULT 0;
DROP INDEX posts_listed;
DROP INDEX posts_of_owner;
DROP INDEX posts_by_publication;
DROP INDEX posts_shown_of_owner_by_publication;
CREATE INDEX posts_listed ON posts (is_page, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner ON posts (owner_id, is_page, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_publication ON posts (is_page, is_private, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_shown_of_owner_by_publication ON posts (owner_id, is_page, is_private, published_at, id) WHERE trash_id IS NULL;
