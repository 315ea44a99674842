-- An account is deleted only if nothing refers to it: without these, each time the whole trash is read, and the undo of an import
-- with many people in it takes a time that grows with their number times that of their comments.
CREATE INDEX trash_of_owner ON trash (owner_id);
CREATE INDEX trash_deleted_by ON trash (deleted_by);
