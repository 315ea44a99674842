-- A comment may come from a page of another site that links here. It belongs to the owner of what it is on.
ALTER TABLE comments ADD COLUMN source_url TEXT;
ALTER TABLE comments ADD COLUMN source_kind TEXT;
ALTER TABLE comments ADD COLUMN source_author TEXT;
CREATE INDEX comments_by_source ON comments (source_url, id) WHERE source_url IS NOT NULL;
