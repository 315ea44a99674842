-- The zone of the camera's clock, as the owner has set it.
ALTER TABLE photos ADD COLUMN taken_at_zone TEXT;
