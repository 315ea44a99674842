-- What only SQLite has, after schema.sql.

-- Search ------------------------------------------------------------------------------------------------------------------------

-- The index holds which documents have a word, and not where in it: looking up whether words are adjacent takes FTS5 as long as the texts
-- are, and would delay all other requests. It does not merge on its own, for the same reason. `block` is the number of a run of documents
-- that is searched at once.
CREATE VIRTUAL TABLE documents_index USING fts5 (
  block, kind, owner_id, title_words, text_words, own_words,
  content = '', contentless_delete = 1, tokenize = "ascii", detail = column, prefix = '2 3 4 6'
);
INSERT INTO documents_index (documents_index, rank) VALUES ('automerge', 0);
INSERT INTO documents_index (documents_index, rank) VALUES ('crisismerge', 1000);

-- Documents that are not indexed yet: writing many at once costs a twentieth. A search has them indexed first.
CREATE TABLE documents_waiting (id INTEGER PRIMARY KEY);

-- The statement that fires a trigger has its own conflict clause, which would overrule an OR IGNORE in the trigger.
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting);
END;

CREATE TRIGGER documents_changed AFTER UPDATE OF title_words, text_words, own_words, owner_id, is_private ON documents BEGIN
  INSERT INTO documents_waiting (id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT id FROM documents_waiting);
END;

CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  DELETE FROM documents_index WHERE rowid = OLD.id;
  DELETE FROM documents_waiting WHERE id = OLD.id;
END;

-- Posts -------------------------------------------------------------------------------------------------------------------------

CREATE TRIGGER posts_stored AFTER INSERT ON posts BEGIN
  INSERT INTO post_bytes (id, owner_id, bytes) VALUES (NEW.id, NEW.owner_id, octet_length(NEW.content));
END;

CREATE TRIGGER posts_resized AFTER UPDATE OF content ON posts WHEN NEW.content <> OLD.content BEGIN
  UPDATE post_bytes SET bytes = bytes + octet_length(NEW.content) - octet_length(OLD.content) WHERE id = NEW.id;
END;

CREATE TRIGGER posts_given AFTER UPDATE OF owner_id ON posts WHEN NEW.owner_id <> OLD.owner_id BEGIN
  UPDATE post_bytes SET owner_id = NEW.owner_id WHERE id = NEW.id;
END;

CREATE TRIGGER posts_removed AFTER DELETE ON posts BEGIN
  DELETE FROM post_bytes WHERE id = OLD.id;
END;

CREATE TRIGGER post_revisions_stored AFTER INSERT ON post_revisions BEGIN
  UPDATE post_bytes SET bytes = bytes + octet_length(NEW.content) WHERE id = NEW.post_id;
END;

CREATE TRIGGER post_revisions_removed AFTER DELETE ON post_revisions BEGIN
  UPDATE post_bytes SET bytes = bytes - octet_length(OLD.content) WHERE id = OLD.post_id;
END;

-- Albums ------------------------------------------------------------------------------------------------------------------------

-- In this order: of two indexes that cost the same, SQLite takes the first.
CREATE INDEX album_photos_in_order ON album_photos (album_id, position);
CREATE INDEX album_photos_seen ON album_photos (album_id, seen_by, position, photo_id);

-- Activity ----------------------------------------------------------------------------------------------------------------------

-- Rows are committed in the order of their ids, so all of them are settled.
CREATE VIEW activity_horizon AS SELECT 1 AS settled, 1 AS upcoming;
