-- The place of an album among those in the same album, or at the top level. At the top level the newest comes first, and in an album
-- the oldest, until somebody moves one.
ALTER TABLE albums ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
UPDATE albums SET position = CASE WHEN parent_id IS NULL THEN -1 ELSE 1 END * created_at * 1024;

-- `manual`, `oldestFirst` or `newestFirst`: in the other two, the positions of the photos follow from their dates.
ALTER TABLE albums ADD COLUMN photo_order TEXT NOT NULL DEFAULT 'manual';

-- The photos of a smart album follow from this filter, as JSON; null for an ordinary album.
ALTER TABLE albums ADD COLUMN filter TEXT;

DROP INDEX albums_by_parent;
CREATE INDEX albums_by_parent ON albums (parent_id, position, id) WHERE parent_id IS NOT NULL;
CREATE INDEX albums_in_order ON albums (is_private, position, id) WHERE trash_id IS NULL;
CREATE INDEX albums_of_owner_in_order ON albums (owner_id, is_private, position, id) WHERE trash_id IS NULL;
CREATE INDEX albums_by_owner_in_order ON albums (owner_id, position, id) WHERE trash_id IS NULL;
CREATE INDEX smart_albums ON albums (owner_id, id) WHERE filter IS NOT NULL;
