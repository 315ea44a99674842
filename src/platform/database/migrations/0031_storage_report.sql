-- The storage report looks for directories below those in the trash.
CREATE INDEX directories_by_parent ON files (parent_id) WHERE sha256 IS NULL;
CREATE INDEX directories_in_trash ON files (id) WHERE sha256 IS NULL AND trash_id IS NOT NULL;
DROP INDEX directories_by_owner;
