-- The program creates these triggers from what its modules declare.
DROP TRIGGER files_release;
DROP TRIGGER file_contents_release;
DROP TRIGGER file_versions_release;
DROP TRIGGER upload_parts_release;
DROP TRIGGER photos_gone;
DROP TRIGGER posts_gone;
DROP TRIGGER comments_gone;
DROP TRIGGER albums_gone;
DROP TRIGGER files_gone;

-- Kinds of records belong to the modules: no list of them in the schema. SQLite removes a constraint with its column.
ALTER TABLE trash ADD COLUMN kind_name TEXT NOT NULL DEFAULT '';
UPDATE trash SET kind_name = kind;
ALTER TABLE trash DROP COLUMN kind;
ALTER TABLE trash RENAME COLUMN kind_name TO kind;

-- The column is part of a key here: the table is written again.
CREATE TABLE other_documents (
  id ID,
  kind TEXT NOT NULL,
  record_id BIGINT NOT NULL,
  title_words TEXT NOT NULL,
  text_words TEXT NOT NULL,
  owner_id BIGINT,
  own_words TEXT,
  unread BIGINT,
  UNIQUE (kind, record_id)
);
INSERT INTO other_documents (id, kind, record_id, title_words, text_words, owner_id, own_words, unread)
SELECT id, kind, record_id, title_words, text_words, owner_id, own_words, unread FROM documents;
DROP TABLE documents;
ALTER TABLE other_documents RENAME TO documents;
CREATE INDEX documents_unread ON documents (id) WHERE unread IS NOT NULL;
CREATE INDEX documents_by_whole_title ON documents (substr(title_words, 1, 100), id);
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
CREATE TRIGGER documents_changed AFTER UPDATE OF title_words, text_words, own_words ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  DELETE FROM documents_index WHERE rowid = OLD.id; DELETE FROM documents_waiting WHERE id = OLD.id; END;
