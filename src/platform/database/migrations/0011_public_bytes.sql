-- `reader` is the version of the code that wrote the row; rows of older versions are read again. `withheld` is 1 if private
-- data cannot be removed from the file: then only its owner and admins can download it.
ALTER TABLE images ADD COLUMN reader BIGINT NOT NULL DEFAULT 0;
ALTER TABLE images ADD COLUMN withheld BIGINT NOT NULL DEFAULT 0;
