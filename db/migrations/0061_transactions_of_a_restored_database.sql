-- oldest-release: 0.1.0
-- The numbers of transactions by which events and log chunks are kept in order are the server's, and another server, on
-- which a dump is restored, counts from the beginning: what is written there would lie below what is sealed and seen. These
-- two functions say how this database counts. A start on such a server replaces them by ones that count on
-- (src/platform/db/transaction-numbers.ts).

create function sluice_transaction() returns xid8
  language sql volatile
  return pg_current_xact_id();

create function sluice_snapshot() returns pg_snapshot
  language sql stable
  return pg_current_snapshot();

alter table events alter column tx set default sluice_transaction();
alter table log_chunks alter column tx set default sluice_transaction();
