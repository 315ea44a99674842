-- Deliveries have been created for all activity up to the position. The secret of a webhook is derived from its salt.
CREATE TABLE webhooks (
  id ID,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  is_active BIGINT NOT NULL,
  position_transaction_id BIGINT NOT NULL,
  position_id BIGINT NOT NULL,
  salt TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  inactive_reason TEXT
);

-- next_at is when it is sent next: null once it was delivered or given up. While it is being sent, next_at is when
-- another process may take it over.
CREATE TABLE webhook_deliveries (
  id ID,
  webhook_id BIGINT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  next_at BIGINT,
  attempts BIGINT NOT NULL,
  attempted_at BIGINT,
  delivered_at BIGINT,
  status BIGINT,
  event TEXT NOT NULL,
  payload TEXT NOT NULL,
  error TEXT,
  response TEXT
);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);
