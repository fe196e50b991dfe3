-- oldest-release: 0.1.0
-- Who follows a log asks for the chunks that were not there when they last looked. Neither times nor ids tell that, since
-- a transaction may end after one that began later; the transaction itself, held against the snapshot of that look, does.
-- A restore from a backup gives chunks the number of its own transaction.

alter table log_chunks add column tx xid8 not null default pg_current_xact_id();
create index log_chunks_by_tx on log_chunks (activity_id, tx);
