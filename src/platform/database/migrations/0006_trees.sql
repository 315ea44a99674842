-- The directories in a directory, without a look at its files: how deep a tree is does not depend on how much lies in it.
CREATE INDEX files_directories ON files (parent_id) WHERE sha256 IS NULL;
