-- What can be searched for: one row a record, with the words of its title and of its text as platform/search/words.ts folds them,
-- between spaces. A word that only one user may find has that user's id and a _ before it.
CREATE TABLE documents (
  id ID,
  kind TEXT NOT NULL CHECK (kind IN ('photo', 'post', 'comment', 'album', 'file')),
  record_id BIGINT NOT NULL,
  title_words TEXT NOT NULL,
  text_words TEXT NOT NULL,
  UNIQUE (kind, record_id)
);
