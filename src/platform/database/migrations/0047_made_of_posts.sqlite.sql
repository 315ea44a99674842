-- All that is made of the content of a post is one row now; post_parts is no longer read or written. Where the text for feeds or for
-- the page is that of the HTML, it is empty. Short columns come first, so that lists do not read long ones; SQLite cannot add a
-- column there, so the table is written again.
CREATE TABLE new_post_html (
  post_id INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  renderer BIGINT,
  minutes BIGINT,
  excerpt TEXT,
  headings TEXT,
  html TEXT,
  feed TEXT,
  page TEXT
);
INSERT INTO new_post_html (post_id, renderer, minutes, excerpt, headings, html, feed, page)
SELECT post_html.post_id, CASE WHEN renderer = 3 AND minutes IS NOT NULL THEN 4 ELSE renderer END, minutes, excerpt, headings, html,
  CASE feed WHEN html THEN '' ELSE feed END, CASE page WHEN html THEN '' ELSE page END
FROM post_html LEFT JOIN post_parts ON post_parts.post_id = post_html.post_id ORDER BY post_html.post_id;
DROP TABLE post_html;
ALTER TABLE new_post_html RENAME TO post_html;
CREATE INDEX post_html_by_renderer ON post_html (renderer);
DELETE FROM post_parts;
