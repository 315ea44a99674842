-- Mail that waits to be sent, or was sent or given up a while ago. With a `mail_key`, the same mail is queued only once. A row waits while
-- `next_at` is set; `sending_at` is set before the mail server gets it, and if it stays, nobody knows whether the mail has arrived. The texts
-- are emptied as soon as they are not needed.
CREATE TABLE outbox (
  id ID,
  mail_key TEXT UNIQUE,
  message_id TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT,
  headers TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  next_at BIGINT,
  sending_at BIGINT,
  settled_at BIGINT,
  outcome TEXT,
  reason TEXT
);
CREATE INDEX outbox_due ON outbox (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX outbox_being_sent ON outbox (sending_at) WHERE sending_at IS NOT NULL;
CREATE INDEX outbox_settled ON outbox (settled_at) WHERE settled_at IS NOT NULL;
