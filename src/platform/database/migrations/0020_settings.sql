-- What admins choose for the site, as JSON. A setting without a row has its default.
CREATE TABLE site_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
