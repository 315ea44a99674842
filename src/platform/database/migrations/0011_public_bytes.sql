-- Which version of the reader wrote the row: those of older ones are read again. `withheld` is 1 where what is private in a
-- file cannot be removed: then only its owner and admins read its bytes, and `clean` says nothing.
ALTER TABLE images ADD COLUMN reader BIGINT NOT NULL DEFAULT 0;
ALTER TABLE images ADD COLUMN withheld BIGINT NOT NULL DEFAULT 0;
