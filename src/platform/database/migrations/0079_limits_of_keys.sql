-- A key can be limited to one directory or album. Ids are not used again: a key whose record is gone reaches nothing.
ALTER TABLE app_keys ADD COLUMN limit_kind TEXT;
ALTER TABLE app_keys ADD COLUMN limit_id BIGINT;
