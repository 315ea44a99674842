-- Whether the title of a photo is only the name of its file: decided when one of them is set. Null until the server has looked at a
-- photo of an earlier version. `photo_lists` has one more list for each owner: `untitled:1`.
ALTER TABLE photos ADD COLUMN is_untitled BIGINT;
CREATE INDEX photos_undecided ON photos (id) WHERE is_untitled IS NULL;
