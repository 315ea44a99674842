-- The tables that recent transactions have written, for the caches of other servers. It may be lost in a crash: a
-- transaction without a row counts as one that wrote every table.
CREATE UNLOGGED TABLE written_tables (
  transaction_id xid8 PRIMARY KEY DEFAULT pg_current_xact_id(),
  tables TEXT NOT NULL
);
