-- The newest documents with a word are found block by block, however many have it: in the indexes, each word has the number of
-- its block of 2048 documents before it. A server of the last version finds the same without these indexes, by reading all
-- documents.
CREATE FUNCTION block_words(document_id BIGINT, words tsvector) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
  AS $$ SELECT array_to_tsvector(ARRAY(
    SELECT document_id / 2048 || '_' || word FROM unnest(tsvector_to_array(words)) AS word)) $$;
DROP INDEX documents_by_title;
DROP INDEX documents_by_everything;
DROP INDEX documents_by_own;
CREATE INDEX documents_by_title ON documents_index USING gin (block_words(id, title)) WITH (fastupdate = off);
CREATE INDEX documents_by_everything ON documents_index USING gin (block_words(id, everything)) WITH (fastupdate = off);
CREATE INDEX documents_by_own ON documents_index USING gin (block_words(id, own)) WITH (fastupdate = off);

-- The first photos of an album that a viewer sees are read from this index alone, in their order: PostgreSQL would otherwise
-- sort a large album where most are small.
DROP INDEX album_photos_in_order;
CREATE INDEX album_photos_in_order ON album_photos (album_id, position, photo_id, seen_by);
