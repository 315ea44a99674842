CREATE FUNCTION count_post_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_bytes (id, owner_id, bytes) SELECT id, owner_id, octet_length(content) FROM added; ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM post_bytes WHERE id IN (SELECT id FROM removed); ELSE
    UPDATE post_bytes SET owner_id = changed.owner_id, bytes = post_bytes.bytes + changed.growth
    FROM (
      SELECT added.id, added.owner_id, octet_length(added.content) - octet_length(removed.content) AS growth
      FROM added JOIN removed ON removed.id = added.id) AS changed
    WHERE post_bytes.id = changed.id AND (post_bytes.owner_id <> changed.owner_id OR changed.growth <> 0); END IF; RETURN NULL; END $$;
CREATE TRIGGER posts_stored AFTER INSERT ON posts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();
CREATE TRIGGER posts_resized AFTER UPDATE ON posts REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();
CREATE TRIGGER posts_removed AFTER DELETE ON posts REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_bytes();

CREATE FUNCTION count_revision_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE post_bytes SET bytes = bytes + growth
    FROM (SELECT post_id, sum(octet_length(content)) AS growth FROM added GROUP BY post_id) AS changed WHERE id = post_id; ELSE
    UPDATE post_bytes SET bytes = bytes - growth
    FROM (SELECT post_id, sum(octet_length(content)) AS growth FROM removed GROUP BY post_id) AS changed WHERE id = post_id; END IF; RETURN NULL; END $$;
CREATE TRIGGER post_revisions_stored AFTER INSERT ON post_revisions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_revision_bytes();
CREATE TRIGGER post_revisions_removed AFTER DELETE ON post_revisions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_revision_bytes();

CREATE TRIGGER post_bytes_stored AFTER INSERT ON post_bytes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');
CREATE TRIGGER post_bytes_changed AFTER UPDATE ON post_bytes REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');
CREATE TRIGGER post_bytes_removed AFTER DELETE ON post_bytes REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');

CREATE TRIGGER responses_stored AFTER INSERT ON idempotency_keys REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');
CREATE TRIGGER responses_resized AFTER UPDATE ON idempotency_keys REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');
CREATE TRIGGER responses_removed AFTER DELETE ON idempotency_keys REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('bytes');
