-- Hearts that were given. `target_id` says to what (features/hearts/heart.ts); `giver` is an account, or a hash of what is in a guest's cookie.
CREATE TABLE hearts (
  target_id BIGINT NOT NULL,
  giver TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (target_id, giver)
);

-- The number of hearts of each target that has any, or had. Pages read one row by its id, so that a heart ends no others.
CREATE TABLE heart_counts (
  id BIGINT PRIMARY KEY,
  hearts BIGINT NOT NULL
);
