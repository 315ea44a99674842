-- Transactions commit in another order than they take ids. All those below `settled` have ended, so no row can appear
-- there any more. No row of this cluster has a transaction from `upcoming` on.
ALTER TABLE activity ALTER COLUMN transaction_id SET DEFAULT (pg_current_xact_id()::text::bigint);
CREATE VIEW activity_horizon AS
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled,
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS upcoming;
