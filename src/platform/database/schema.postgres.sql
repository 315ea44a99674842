-- What only PostgreSQL has, after schema.sql.
--
-- Triggers that count run once per statement and not per row: many changes of one row in one transaction become slower and slower.
-- Connections write to different lanes, so that few of them wait for each other.

-- Platform ----------------------------------------------------------------------------------------------------------------------

-- The programs that use this database: servers, and migrate-engine while it copies. Each renews `seen_at`, in the database's time; an old
-- value means that the program was killed.
CREATE TABLE programs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  seen_at BIGINT NOT NULL
);

-- The tables that recent transactions have written, for the caches of other servers. It may be lost in a crash: a transaction without a
-- row counts as one that wrote every table.
CREATE UNLOGGED TABLE written_tables (
  transaction_id xid8 PRIMARY KEY DEFAULT pg_current_xact_id(),
  tables TEXT NOT NULL
);

-- Search ------------------------------------------------------------------------------------------------------------------------

-- The newest documents with a word are found block by block, however many have it: each word is preceded by the number of its block
-- of 2048 documents, and by a letter for where it occurs: in the title (t), in title or text (e), in what only the owner may search (o).
-- The kind is one more word, with a _ before it. The words are taken unchanged, without a parser. Without SELECT, these functions are
-- not planned at each call.
CREATE FUNCTION everybodys_words(id BIGINT, kind text, title text, words text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
  AS $$ BEGIN
    RETURN (replace(' _' || kind || rtrim(title), ' ', ' ' || id / 2048 || 't_')
      || replace(' _' || kind || rtrim(title) || rtrim(words), ' ', ' ' || id / 2048 || 'e_'))::tsvector;
  END $$;
CREATE FUNCTION owners_words(id BIGINT, kind text, title text, words text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
  AS $$ BEGIN
    RETURN replace(' _' || kind || rtrim(title) || rtrim(words), ' ', ' ' || id / 2048 || 'o_')::tsvector;
  END $$;

-- Nothing of a private document is in the first one. Most documents have nothing of their own in the second one. Without fastupdate, a
-- search never reads what was written since the last vacuum.
CREATE INDEX documents_by_words ON documents USING gin (everybodys_words(id, kind, title_words, text_words))
  WITH (fastupdate = off) WHERE is_private = 0;
CREATE INDEX documents_by_own_words ON documents
  USING gin (owners_words(id, kind, title_words, coalesce(own_words, text_words)))
  WITH (fastupdate = off) WHERE is_private <> 0 OR own_words IS NOT NULL;

-- The program creates the triggers that call it: a record that is deleted, however that happens, has no document.
CREATE FUNCTION forget_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM documents WHERE kind = TG_ARGV[0] AND record_id = OLD.id;
  RETURN NULL;
END $$;

-- Posts -------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION count_post_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_bytes (id, owner_id, bytes) SELECT id, owner_id, octet_length(content) FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM post_bytes WHERE id IN (SELECT id FROM removed);
  ELSE
    UPDATE post_bytes SET owner_id = changed.owner_id, bytes = post_bytes.bytes + changed.growth
    FROM (
      SELECT added.id, added.owner_id, octet_length(added.content) - octet_length(removed.content) AS growth
      FROM added JOIN removed ON removed.id = added.id) AS changed
    WHERE post_bytes.id = changed.id AND (post_bytes.owner_id <> changed.owner_id OR changed.growth <> 0);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_stored AFTER INSERT ON posts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();
CREATE TRIGGER posts_resized AFTER UPDATE ON posts REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();
CREATE TRIGGER posts_removed AFTER DELETE ON posts REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();

CREATE FUNCTION count_revision_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE post_bytes SET bytes = bytes + growth
    FROM (SELECT post_id, sum(octet_length(content)) AS growth FROM added GROUP BY post_id) AS changed WHERE id = post_id;
  ELSE
    UPDATE post_bytes SET bytes = bytes - growth
    FROM (SELECT post_id, sum(octet_length(content)) AS growth FROM removed GROUP BY post_id) AS changed WHERE id = post_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER post_revisions_stored AFTER INSERT ON post_revisions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_revision_bytes();
CREATE TRIGGER post_revisions_removed AFTER DELETE ON post_revisions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_revision_bytes();

-- Albums ------------------------------------------------------------------------------------------------------------------------

-- The first photos of an album that a viewer sees are read from this index alone, in their order: PostgreSQL would otherwise sort a large
-- album where most are small.
CREATE INDEX album_photos_in_order ON album_photos (album_id, position, photo_id, seen_by);
CREATE INDEX album_photos_seen ON album_photos (album_id, seen_by, position, photo_id);

-- Activity ----------------------------------------------------------------------------------------------------------------------

-- Transactions commit in another order than they take ids. All those below `settled` have ended, so no row can appear there any more. No
-- row of this cluster has a transaction from `upcoming` on.
ALTER TABLE activity ALTER COLUMN transaction_id SET DEFAULT (pg_current_xact_id()::text::bigint);
CREATE VIEW activity_horizon AS
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled,
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS upcoming;
