-- What only the owner of a record may find it by now stands apart from what everybody may: own_words are all the words that
-- the owner sees of a text. Where nothing is private, owner_id and own_words are null.
-- A document with a number in unread still has to be read: its words are not complete yet. Each write has another number.
ALTER TABLE documents ADD COLUMN owner_id BIGINT;
ALTER TABLE documents ADD COLUMN own_words TEXT;
ALTER TABLE documents ADD COLUMN unread BIGINT;
CREATE INDEX documents_unread ON documents (id) WHERE unread IS NOT NULL;
-- Titles have no limit in bytes once they are folded, entries of an index have.
CREATE INDEX documents_by_whole_title ON documents (substr(title_words, 1, 100), id);
