-- All records are read again: what was indexed before had private words among the others, and no emoji.
DROP TRIGGER documents_written ON documents;
TRUNCATE documents_index;
UPDATE documents SET title_words = ' ', text_words = ' ', unread = 1;

ALTER TABLE documents_index ADD COLUMN owner_id BIGINT;
ALTER TABLE documents_index ADD COLUMN own tsvector;
CREATE INDEX documents_by_own ON documents_index USING gin (own) WITH (fastupdate = off);
CREATE OR REPLACE FUNCTION index_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO documents_index (id, title, everything, owner_id, own)
  VALUES (NEW.id, ('_' || NEW.kind || NEW.title_words)::tsvector,
    ('_' || NEW.kind || NEW.title_words || NEW.text_words)::tsvector,
    NEW.owner_id, ('_' || NEW.kind || NEW.title_words || NEW.own_words)::tsvector)
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, everything = excluded.everything,
    owner_id = excluded.owner_id, own = excluded.own; RETURN NULL; END $$;
CREATE TRIGGER documents_written AFTER INSERT OR UPDATE OF title_words, text_words, own_words ON documents
  FOR EACH ROW EXECUTE FUNCTION index_document();
