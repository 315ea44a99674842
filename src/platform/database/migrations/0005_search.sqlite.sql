-- The index follows the documents, but not at once: to write many in one go costs a twentieth. Whoever searches has those
-- that wait indexed first. Its tokenizer only has to split at spaces.
CREATE VIRTUAL TABLE documents_index USING fts5 (
  kind, title_words, text_words,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'", prefix = '2 3'
);
-- The statement that fires a trigger has its own word on conflicts, which would overrule an OR IGNORE in it.
CREATE TABLE documents_waiting (id INTEGER PRIMARY KEY);
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  DELETE FROM documents_index WHERE rowid = OLD.id; DELETE FROM documents_waiting WHERE id = OLD.id; END;

-- A record that is gone for good, by whatever way, takes its document along.
CREATE TRIGGER photos_gone AFTER DELETE ON photos BEGIN DELETE FROM documents WHERE kind = 'photo' AND record_id = OLD.id; END;
CREATE TRIGGER posts_gone AFTER DELETE ON posts BEGIN DELETE FROM documents WHERE kind = 'post' AND record_id = OLD.id; END;
CREATE TRIGGER comments_gone AFTER DELETE ON comments BEGIN DELETE FROM documents WHERE kind = 'comment' AND record_id = OLD.id; END;
CREATE TRIGGER albums_gone AFTER DELETE ON albums BEGIN DELETE FROM documents WHERE kind = 'album' AND record_id = OLD.id; END;
CREATE TRIGGER files_gone AFTER DELETE ON files BEGIN DELETE FROM documents WHERE kind = 'file' AND record_id = OLD.id; END;
