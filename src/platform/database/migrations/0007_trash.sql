-- Who moved the record to the trash. NULL: its owner.
ALTER TABLE trash ADD COLUMN deleted_by BIGINT REFERENCES users (id);
CREATE INDEX trash_by_deleter ON trash (coalesce(deleted_by, owner_id), id);
DROP INDEX trash_by_owner;
