-- The index holds which documents have a word, and not where in it: to look up whether words stand next to each other takes
-- FTS5 as long as the texts are, and no other request is served meanwhile. Nor does it merge by itself, for the same reason.
-- block is the number of a run of documents that is searched at once.
DROP TABLE documents_index;
CREATE VIRTUAL TABLE documents_index USING fts5 (
  block, kind, owner_id, title_words, text_words, own_words,
  content = '', contentless_delete = 1, tokenize = "ascii", detail = column, prefix = '2 3 4 6'
);
INSERT INTO documents_index (documents_index, rank) VALUES ('automerge', 0);
INSERT INTO documents_index (documents_index, rank) VALUES ('crisismerge', 1000);

-- All records are read again: what was indexed before had private words among the others, and no emoji.
DROP TRIGGER documents_changed;
DELETE FROM documents_waiting;
UPDATE documents SET title_words = ' ', text_words = ' ', unread = 1;
CREATE TRIGGER documents_changed AFTER UPDATE OF title_words, text_words, own_words ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting); END;
