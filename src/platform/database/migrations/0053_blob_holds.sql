-- While a row of this table has not expired, no blob is removed: a backup is being made.
CREATE TABLE blob_holds (
  id TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
