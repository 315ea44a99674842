-- Whether the file of a picture ends early or is damaged, so that only a part of the picture is shown.
ALTER TABLE images ADD COLUMN is_cut_off BIGINT NOT NULL DEFAULT 0;
