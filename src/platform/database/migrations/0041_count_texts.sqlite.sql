CREATE TRIGGER posts_stored AFTER INSERT ON posts BEGIN
  INSERT INTO post_bytes (id, owner_id, bytes) VALUES (NEW.id, NEW.owner_id, octet_length(NEW.content)); END;
CREATE TRIGGER posts_resized AFTER UPDATE OF content ON posts WHEN NEW.content <> OLD.content BEGIN
  UPDATE post_bytes SET bytes = bytes + octet_length(NEW.content) - octet_length(OLD.content) WHERE id = NEW.id; END;
CREATE TRIGGER posts_given AFTER UPDATE OF owner_id ON posts WHEN NEW.owner_id <> OLD.owner_id BEGIN
  UPDATE post_bytes SET owner_id = NEW.owner_id WHERE id = NEW.id; END;
CREATE TRIGGER posts_removed AFTER DELETE ON posts BEGIN DELETE FROM post_bytes WHERE id = OLD.id; END;

CREATE TRIGGER post_revisions_stored AFTER INSERT ON post_revisions BEGIN
  UPDATE post_bytes SET bytes = bytes + octet_length(NEW.content) WHERE id = NEW.post_id; END;
CREATE TRIGGER post_revisions_removed AFTER DELETE ON post_revisions BEGIN
  UPDATE post_bytes SET bytes = bytes - octet_length(OLD.content) WHERE id = OLD.post_id; END;

CREATE TRIGGER post_bytes_stored AFTER INSERT ON post_bytes BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER post_bytes_changed AFTER UPDATE ON post_bytes BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; INSERT INTO stored_bytes (owner_id, lane, bytes)
  VALUES (NEW.owner_id, 0, NEW.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER post_bytes_removed AFTER DELETE ON post_bytes BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;

CREATE TRIGGER responses_stored AFTER INSERT ON idempotency_keys WHEN NEW.bytes <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER responses_resized AFTER UPDATE OF bytes ON idempotency_keys WHEN NEW.bytes <> OLD.bytes BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.bytes - OLD.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER responses_removed AFTER DELETE ON idempotency_keys WHEN OLD.bytes <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.bytes)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
