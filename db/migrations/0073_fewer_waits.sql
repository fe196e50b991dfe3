-- oldest-release: 0.1.0
-- The newest lines of all logs, which were found by reading what every chunk says of itself.
create index log_chunks_by_time on log_chunks (last_at);

-- The epoch of rights as the sum of several counters, of which each transaction that writes rights moves one that no other
-- transaction is moving: such transactions waited for one row until the one before them had ended. A sum read in one
-- snapshot is another one as soon as that snapshot sees one more of them committed.
create table rights_epochs (
  slot  integer primary key,
  epoch bigint not null
);
-- A transaction that has moved the epoch and not committed would be lost: whoever cached rights at its number keeps them.
lock table rights_epoch in access exclusive mode;
insert into rights_epochs
select slot, case slot when 0 then (select epoch from rights_epoch) else 0 end from generate_series(0, 15) slot;
drop table rights_epoch;
create view rights_epoch as select sum(epoch)::bigint as epoch from rights_epochs;

create or replace function sluice_move_rights_epoch() returns trigger
  language plpgsql
  as $$
begin
  update rights_epochs
     set epoch = epoch + 1
   where slot = (select slot from rights_epochs order by slot limit 1 for no key update skip locked);
  if not found then
    update rights_epochs set epoch = epoch + 1 where slot = pg_backend_pid() % 16;
  end if;
  return null;
end $$;
