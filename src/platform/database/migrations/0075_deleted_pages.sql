-- Whether what was deleted permanently was a page: its own row cannot say that any more.
ALTER TABLE activity ADD COLUMN is_page BIGINT NOT NULL DEFAULT 0;
CREATE INDEX activity_of_deleted_pages ON activity (record_id) WHERE is_page = 1;
