-- Rows are committed in the order of their ids, and all of them are settled.
CREATE VIEW activity_horizon AS SELECT 1 AS settled, 1 AS upcoming;
