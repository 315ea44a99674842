-- `is_private` is what decides who sees a post: a draft or scheduled post is private, whatever its author has chosen for later
-- (`chosen_private`). `status` is changed when the time has come. The newest revision is the post itself.
ALTER TABLE posts ADD COLUMN slug TEXT;
ALTER TABLE posts ADD COLUMN status TEXT NOT NULL DEFAULT 'published' CHECK (status IN ('draft', 'scheduled', 'published'));
ALTER TABLE posts ADD COLUMN chosen_private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN published_at BIGINT;
ALTER TABLE posts ADD COLUMN comments_closed_at BIGINT;
ALTER TABLE posts ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
ALTER TABLE posts ADD COLUMN revised_at BIGINT;
ALTER TABLE posts ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE posts ADD COLUMN excerpt TEXT;
UPDATE posts SET published_at = created_at, chosen_private = is_private;

-- The lists by publication: of everyone, of one owner, and of a status for its owner and for admins.
CREATE INDEX posts_by_publication ON posts (is_private, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner_by_publication ON posts (owner_id, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_shown_of_owner_by_publication ON posts (owner_id, is_private, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_in_order_of_publication ON posts (published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_status ON posts (status, id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_status_and_publication ON posts (status, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner_by_status ON posts (owner_id, status, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner_by_status_and_publication ON posts (owner_id, status, published_at, id) WHERE trash_id IS NULL;
CREATE INDEX posts_without_slug ON posts (id) WHERE slug IS NULL;

-- Every slug that a post ever had.
CREATE TABLE post_slugs (
  slug TEXT PRIMARY KEY,
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE
);
CREATE INDEX post_slugs_by_post ON post_slugs (post_id);

-- For lists by tag: the columns of the post on which the lists depend are repeated here. The owner follows that of the post.
CREATE UNIQUE INDEX posts_with_owner ON posts (id, owner_id);
CREATE TABLE post_tags (
  post_id BIGINT NOT NULL,
  tag_key TEXT NOT NULL,
  owner_id BIGINT NOT NULL,
  trash_id BIGINT,
  is_private BIGINT NOT NULL,
  status TEXT NOT NULL,
  published_at BIGINT,
  PRIMARY KEY (post_id, tag_key),
  FOREIGN KEY (post_id, owner_id) REFERENCES posts (id, owner_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX post_tags_listed ON post_tags (tag_key, is_private, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_by_publication ON post_tags (tag_key, is_private, published_at, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_of_owner ON post_tags (owner_id, tag_key, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_of_owner_by_publication ON post_tags (owner_id, tag_key, published_at, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_all ON post_tags (tag_key, post_id) WHERE trash_id IS NULL;
CREATE INDEX post_tags_all_by_publication ON post_tags (tag_key, published_at, post_id) WHERE trash_id IS NULL;

-- The content as HTML, and the version of the renderer that made it: null if it has to be made again.
CREATE TABLE post_html (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  renderer BIGINT,
  html TEXT
);
CREATE INDEX post_html_waiting ON post_html (post_id) WHERE renderer IS NULL;
CREATE INDEX post_html_by_renderer ON post_html (renderer);

-- Earlier states of a post.
CREATE TABLE post_revisions (
  post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  cover_id BIGINT,
  tags TEXT NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (post_id, number)
);
