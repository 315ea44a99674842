-- The image whose size width and height are: they change with the file's content. Null: they were sent, and stay.
ALTER TABLE photos ADD COLUMN sized_sha256 TEXT;
UPDATE photos SET sized_sha256 = (
  SELECT images.sha256 FROM files JOIN images ON images.sha256 = files.sha256
  WHERE files.id = photos.file_id AND images.width = photos.width AND images.height = photos.height);
