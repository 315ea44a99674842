-- Finds the directories that have public files in them, one after the other: the menu of the site depends on whether there are any.
CREATE INDEX files_with_content ON files (is_private, parent_id) WHERE trash_id IS NULL AND sha256 IS NOT NULL;
