-- Whether the password of an account is easy to guess or short, so that the account cannot be one of an admin. Passwords that
-- were set until now have met the rule of their version; an account without a password has none that is weak.
ALTER TABLE users ADD COLUMN has_weak_password BIGINT NOT NULL DEFAULT 0;

-- A site that somebody runs keeps its rule.
INSERT INTO site_settings (name, value)
SELECT 'passwordRule', '"strong"' WHERE EXISTS (SELECT 1 FROM users WHERE role = 'admin');
