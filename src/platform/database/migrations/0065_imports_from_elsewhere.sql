-- An import can read a source outside the site: a folder, an archive, what another program has exported. Its kind says what
-- that is, and source names it: the same source is known again. It is read from the first to the last item until read_at.
ALTER TABLE imports ADD COLUMN kind TEXT;
ALTER TABLE imports ADD COLUMN source TEXT;
ALTER TABLE imports ADD COLUMN read_at BIGINT;
ALTER TABLE imports ADD COLUMN undone_at BIGINT;
CREATE INDEX imports_of_source ON imports (owner_id, source) WHERE source IS NOT NULL;

-- What the source says of the photo that will be made of a file.
ALTER TABLE import_files ADD COLUMN details TEXT;

-- What became of each item of a source. item_key is what the source itself calls it; fingerprint changes when the item does.
-- source is null once the import was undone: then its items are not known any more.
CREATE TABLE import_items (
  id ID,
  import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  name TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT,
  record_kind TEXT,
  record_id BIGINT,
  fingerprint TEXT NOT NULL,
  owner_id BIGINT NOT NULL,
  source TEXT
);
CREATE UNIQUE INDEX import_items_by_key ON import_items (import_id, kind, item_key);
CREATE INDEX import_items_by_source ON import_items (owner_id, source, kind, item_key) WHERE source IS NOT NULL;
CREATE INDEX import_items_by_outcome ON import_items (import_id, outcome, id);
