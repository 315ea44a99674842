-- People who get new posts by e-mail. `state` is pending, confirmed, unsubscribed or bouncing. `address_key` is the address in lower case.
-- `unsubscribe_token` is in every mail. `confirm_hash` is the hash of the token in the last mail that asks for a confirmation.
CREATE TABLE subscribers (
  id ID,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  ended_at BIGINT,
  asked_at BIGINT,
  state TEXT NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL UNIQUE,
  name TEXT,
  unsubscribe_token TEXT NOT NULL UNIQUE,
  confirm_hash TEXT UNIQUE,
  bounce TEXT
);
CREATE INDEX subscribers_by_state ON subscribers (state, id);
CREATE INDEX subscribers_asked ON subscribers (asked_at) WHERE confirm_hash IS NOT NULL;

-- Posts that are sent to the subscribers, each once. `state` is waiting (for its publication), sending, sent or stopped. Mails were queued for the
-- subscribers up to `queued_to`, and are queued up to `last_id`, the last one there was when it was published.
CREATE TABLE newsletter_posts (
  post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  queued_to BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  sent BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  state TEXT NOT NULL
);
CREATE INDEX newsletter_posts_open ON newsletter_posts (post_id) WHERE state IN ('waiting', 'sending');

-- A mail of a post to a subscriber, until its outcome is counted. `mail_id` is its row in the outbox.
CREATE TABLE newsletter_mails (
  post_id BIGINT NOT NULL REFERENCES newsletter_posts (post_id) ON DELETE CASCADE,
  subscriber_id BIGINT NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
  mail_id BIGINT NOT NULL UNIQUE,
  PRIMARY KEY (post_id, subscriber_id)
);
CREATE INDEX newsletter_mails_by_subscriber ON newsletter_mails (subscriber_id);
