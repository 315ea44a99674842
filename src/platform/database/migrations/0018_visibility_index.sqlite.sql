DROP TRIGGER documents_changed;
CREATE TRIGGER documents_changed AFTER UPDATE OF title_words, text_words, own_words, owner_id, is_private ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
