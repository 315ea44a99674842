-- Which process runs a task that one may run at a time, and until when unless it renews the lease;
-- and when one last finished it.
CREATE TABLE leases (
  task TEXT PRIMARY KEY,
  token BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  finished_at BIGINT NOT NULL
);
