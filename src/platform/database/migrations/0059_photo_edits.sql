-- How the picture of a photo is turned, mirrored and cropped, as JSON; null if it is shown as it is in the file. `is_cropped` says
-- whether a part of it is left out: then its file is for those who may edit the photo. `closed_file_id` is the file that became
-- private with that, and is public again without it.
ALTER TABLE photos ADD COLUMN edits TEXT;
ALTER TABLE photos ADD COLUMN is_cropped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN closed_file_id BIGINT;
