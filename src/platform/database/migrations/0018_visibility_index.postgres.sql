-- Of a private document, only the owner's words are in the index.
CREATE OR REPLACE FUNCTION index_document() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE kind TEXT := '_' || NEW.kind; BEGIN
  INSERT INTO documents_index (id, title, everything, owner_id, own)
  VALUES (NEW.id,
    CASE NEW.is_private WHEN 0 THEN (kind || NEW.title_words)::tsvector ELSE '' END,
    CASE NEW.is_private WHEN 0 THEN (kind || NEW.title_words || NEW.text_words)::tsvector ELSE '' END,
    NEW.owner_id,
    CASE NEW.is_private WHEN 0 THEN (kind || NEW.title_words || NEW.own_words)::tsvector
      ELSE (kind || NEW.title_words || coalesce(NEW.own_words, NEW.text_words))::tsvector END)
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, everything = excluded.everything,
    owner_id = excluded.owner_id, own = excluded.own; RETURN NULL; END $$;
DROP TRIGGER documents_written ON documents;
CREATE TRIGGER documents_written AFTER INSERT OR UPDATE OF title_words, text_words, own_words, owner_id, is_private ON documents
  FOR EACH ROW EXECUTE FUNCTION index_document();
