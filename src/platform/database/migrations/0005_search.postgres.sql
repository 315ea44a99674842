-- The index follows the documents. The words are taken as they are, by no parser: a tsvector without positions. The kind
-- is one more word, with a _ before it.
-- Without fastupdate no search has to read through what was written since the last vacuum.
CREATE TABLE documents_index (
  id BIGINT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  title tsvector NOT NULL,
  everything tsvector NOT NULL
);
CREATE INDEX documents_by_title ON documents_index USING gin (title) WITH (fastupdate = off);
CREATE INDEX documents_by_everything ON documents_index USING gin (everything) WITH (fastupdate = off);
CREATE FUNCTION index_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO documents_index (id, title, everything)
  VALUES (NEW.id, ('_' || NEW.kind || NEW.title_words)::tsvector,
    ('_' || NEW.kind || NEW.title_words || NEW.text_words)::tsvector)
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, everything = excluded.everything; RETURN NULL; END $$;
CREATE TRIGGER documents_written AFTER INSERT OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION index_document();

-- A record that is gone for good, by whatever way, takes its document along.
CREATE FUNCTION forget_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM documents WHERE kind = TG_ARGV[0] AND record_id = OLD.id; RETURN NULL; END $$;
CREATE TRIGGER photos_gone AFTER DELETE ON photos FOR EACH ROW EXECUTE FUNCTION forget_document('photo');
CREATE TRIGGER posts_gone AFTER DELETE ON posts FOR EACH ROW EXECUTE FUNCTION forget_document('post');
CREATE TRIGGER comments_gone AFTER DELETE ON comments FOR EACH ROW EXECUTE FUNCTION forget_document('comment');
CREATE TRIGGER albums_gone AFTER DELETE ON albums FOR EACH ROW EXECUTE FUNCTION forget_document('album');
CREATE TRIGGER files_gone AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION forget_document('file');
