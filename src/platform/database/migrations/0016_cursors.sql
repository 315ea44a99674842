-- The records of one owner, in the order of the list.
CREATE INDEX photos_by_owner ON photos (owner_id, id) WHERE trash_id IS NULL;
CREATE INDEX posts_by_owner ON posts (owner_id, id) WHERE trash_id IS NULL;
CREATE INDEX albums_by_owner ON albums (owner_id, id) WHERE trash_id IS NULL;
