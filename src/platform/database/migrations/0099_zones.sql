-- The zone in which the clock of a camera is read: as the file says, and as the owner has set it.
ALTER TABLE images ADD COLUMN taken_at_zone TEXT;
ALTER TABLE photos ADD COLUMN taken_at_zone TEXT;
