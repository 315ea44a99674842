-- The secret that an authenticator app shares with the server, encrypted. It counts from confirmed_at on. No code of
-- last_step, or of an earlier time step, is accepted again.
CREATE TABLE totp_secrets (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  last_step BIGINT NOT NULL
);
-- Codes for those who have lost their second factor. A row is deleted when it is used.
CREATE TABLE recovery_codes (
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
-- Sign-ins whose password was right, and which wait for the second factor. password_tag is a hash of the stored hash of
-- the password: a changed password ends them.
CREATE TABLE signin_tickets (
  ticket_hash TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  password_tag TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX signin_tickets_by_user ON signin_tickets (user_id);
CREATE INDEX signin_tickets_by_expiry ON signin_tickets (expires_at);
