-- The zone of the camera's clock, as the file says it.
ALTER TABLE images ADD COLUMN taken_at_zone TEXT;
