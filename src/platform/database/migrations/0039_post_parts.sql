-- What pages and feeds show of a post. It is made with the HTML of the post, and valid as long as that has the same version of
-- the renderer. Short columns come first, so that lists do not read long ones.
CREATE TABLE post_parts (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  minutes BIGINT NOT NULL,
  excerpt TEXT NOT NULL,
  headings TEXT NOT NULL,
  feed TEXT,
  page TEXT NOT NULL
);
