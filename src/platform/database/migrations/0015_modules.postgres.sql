-- Kinds of records belong to the modules: no list of them in the schema.
ALTER TABLE trash DROP CONSTRAINT trash_kind_check;
ALTER TABLE documents DROP CONSTRAINT documents_kind_check;
