-- The key from which the public names of pictures are made. The first server that needs it creates it.
CREATE TABLE public_name_keys (
  purpose TEXT PRIMARY KEY,
  secret TEXT NOT NULL
);
