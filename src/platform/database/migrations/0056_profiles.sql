-- What the site shows of a person besides the username. `links` is JSON: [{"url": …, "label": …}]. The portrait is a photo of the same
-- user; nobody else may see it while it is private.
CREATE TABLE profiles (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  display_name TEXT,
  portrait_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
  about TEXT NOT NULL DEFAULT '',
  links TEXT NOT NULL DEFAULT '[]',
  updated_at BIGINT NOT NULL
);
CREATE INDEX profiles_by_portrait ON profiles (portrait_id) WHERE portrait_id IS NOT NULL;
