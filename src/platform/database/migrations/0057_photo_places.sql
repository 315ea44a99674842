-- Where photos were taken, in ten-millionths of a degree: only photos with a known place that are not in the trash. `is_shown` is 1
-- if everyone may see the place. `code` is the cell of the finest grid, whose first digits to the base 4 are those of the coarser
-- grids: every cell is a range of codes.
CREATE TABLE photo_places (
  photo_id BIGINT NOT NULL PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL,
  is_shown BIGINT NOT NULL,
  latitude BIGINT NOT NULL,
  longitude BIGINT NOT NULL,
  code BIGINT NOT NULL
);
CREATE INDEX photo_places_shown ON photo_places (code, latitude, longitude, photo_id) WHERE is_shown = 1;
CREATE INDEX photo_places_of_owner ON photo_places (owner_id, code, latitude, longitude, photo_id);

-- How many photos are in each cell of the grids of the map: of an owner, and those that everyone may see (owner 0). Each count is
-- the sum over its lanes.
CREATE TABLE photo_areas (
  owner_id BIGINT NOT NULL,
  level BIGINT NOT NULL,
  x BIGINT NOT NULL,
  y BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (owner_id, level, x, y, lane)
);

-- The server reads the files of these photos again, and finds their places.
UPDATE photos SET kind = NULL WHERE EXISTS (
  SELECT 1 FROM files LEFT JOIN images ON images.sha256 = files.sha256
  WHERE files.id = photos.file_id AND (photos.place IS NOT NULL OR images.place IS NOT NULL));
