-- Requests with an Idempotency-Key, per caller. While the first request runs, and if its result was lost, status is null.
CREATE TABLE idempotency_keys (
  caller TEXT NOT NULL,
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  status BIGINT,
  body TEXT,
  location TEXT,
  PRIMARY KEY (caller, name)
);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at);
