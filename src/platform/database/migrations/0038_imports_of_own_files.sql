-- An import has only the files of the user who started it, unless an admin started it: then admins alone see it.
ALTER TABLE imports ADD COLUMN includes_others BIGINT NOT NULL DEFAULT 0;
UPDATE imports SET includes_others = 1 WHERE owner_id IN (SELECT id FROM users WHERE role = 'admin');

-- Earlier imports also named the files of others.
DELETE FROM import_files
WHERE import_id IN (SELECT id FROM imports WHERE includes_others = 0)
  AND NOT EXISTS (
    SELECT 1 FROM files JOIN imports ON imports.owner_id = files.owner_id
    WHERE files.id = import_files.file_id AND imports.id = import_files.import_id
  );
UPDATE imports SET
  imported = (SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = 'imported'),
  existing = (SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = 'exists'),
  refused = (SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = 'refused'),
  waiting = (SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = 'waiting')
WHERE includes_others = 0;
