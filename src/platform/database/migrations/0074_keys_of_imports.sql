-- The key for another server is only in the memory of the server that reads it. An import that has lost its key waits for it.
ALTER TABLE imports ADD COLUMN needs_key BIGINT NOT NULL DEFAULT 0;
