-- An import that a server reads has a plan: what to read, and how. progress is for people: what was counted so far, of how
-- much, and in what time. A dry run has items and adds nothing. failure says why the source could not be read. What an
-- import has added is removed from undo_at until undone_at.
ALTER TABLE imports ADD COLUMN plan TEXT;
ALTER TABLE imports ADD COLUMN progress TEXT;
ALTER TABLE imports ADD COLUMN is_dry_run BIGINT NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN failure TEXT;
ALTER TABLE imports ADD COLUMN undo_at BIGINT;
CREATE INDEX imports_of_owner ON imports (owner_id, id);
CREATE INDEX imports_to_undo ON imports (id) WHERE undo_at IS NOT NULL AND undone_at IS NULL;
CREATE INDEX import_items_in_order ON import_items (import_id, id);
