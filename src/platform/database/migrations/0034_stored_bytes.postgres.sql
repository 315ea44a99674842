-- The bytes that each owner has stored: files, versions and posters, also those in the trash. The quota reads them.
CREATE TABLE stored_bytes (
  owner_id BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (owner_id, lane)
);

-- Once per statement and not per row: many changes of one row in one transaction become slower and slower. The argument is
-- the column of the size. Connections write to different lanes, so that few of them wait for each other.
CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE changed text; BEGIN
  changed := CASE TG_OP WHEN 'INSERT' THEN 'SELECT owner_id, %1$I AS size FROM added'
    WHEN 'DELETE' THEN 'SELECT owner_id, -%1$I AS size FROM removed'
    ELSE 'SELECT owner_id, %1$I AS size FROM added UNION ALL SELECT owner_id, -%1$I FROM removed' END; EXECUTE format('
    INSERT INTO stored_bytes (owner_id, lane, bytes)
    SELECT owner_id, pg_backend_pid() %% 16, sum(size) FROM (' || changed || ') AS changed
    GROUP BY owner_id HAVING sum(size) <> 0 ORDER BY owner_id
    ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes', TG_ARGV[0]); RETURN NULL; END $$;

CREATE TRIGGER files_stored AFTER INSERT ON files REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('size');
CREATE TRIGGER files_resized AFTER UPDATE ON files REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('size');
CREATE TRIGGER files_removed AFTER DELETE ON files REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('size');

CREATE TRIGGER file_versions_stored AFTER INSERT ON file_versions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('size');
CREATE TRIGGER file_versions_removed AFTER DELETE ON file_versions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('size');

CREATE TRIGGER posters_stored AFTER INSERT ON photos REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('poster_size');
CREATE TRIGGER posters_resized AFTER UPDATE ON photos REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('poster_size');
CREATE TRIGGER posters_removed AFTER DELETE ON photos REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes('poster_size');

INSERT INTO stored_bytes (owner_id, lane, bytes)
SELECT owner_id, 0, sum(size) FROM (
  SELECT owner_id, size FROM files
  UNION ALL SELECT owner_id, size FROM file_versions
  UNION ALL SELECT owner_id, poster_size FROM photos WHERE poster_size IS NOT NULL) AS contents
GROUP BY owner_id;
