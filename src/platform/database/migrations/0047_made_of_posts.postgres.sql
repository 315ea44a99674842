-- All that is made of the content of a post is one row now; post_parts is no longer read or written. Where the text for feeds or for
-- the page is that of the HTML, it is empty.
ALTER TABLE post_html ADD COLUMN minutes BIGINT;
ALTER TABLE post_html ADD COLUMN excerpt TEXT;
ALTER TABLE post_html ADD COLUMN headings TEXT;
ALTER TABLE post_html ADD COLUMN feed TEXT;
ALTER TABLE post_html ADD COLUMN page TEXT;
UPDATE post_html SET renderer = 4, minutes = post_parts.minutes, excerpt = post_parts.excerpt, headings = post_parts.headings,
  feed = CASE post_parts.feed WHEN html THEN '' ELSE post_parts.feed END,
  page = CASE post_parts.page WHEN html THEN '' ELSE post_parts.page END
FROM post_parts WHERE post_parts.post_id = post_html.post_id AND renderer = 3;
DELETE FROM post_parts;
