-- Addresses of an earlier site: each leads to a record, to the page of a tag, or to another path of this site. `address` is a path,
-- decoded and without a slash at its end, perhaps with a query. What an import has added goes when it is undone.
CREATE TABLE redirects (
  id ID,
  address TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  record_id BIGINT,
  target TEXT,
  import_id BIGINT REFERENCES imports (id) ON DELETE SET NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX redirects_of_import ON redirects (import_id) WHERE import_id IS NOT NULL;
