-- Most comments are visible. SQLite took this index for the visible comments on one post, and read those of the whole site: now
-- it has only the comments that moderators decide about.
DROP INDEX comments_by_status;
CREATE INDEX comments_by_status ON comments (status, id) WHERE status <> 'visible' AND trash_id IS NULL;
