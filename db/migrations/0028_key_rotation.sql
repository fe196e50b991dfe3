-- oldest-release: 0.1.0
-- Data keys and the root key are replaced while the service runs: a key is announced, used once every process knows it,
-- and what was sealed before is sealed anew.

alter table data_keys add column in_use_at timestamptz;
update data_keys set in_use_at = created_at;

-- What cursors, sessions and tokens are signed with, wrapped by the root key like the data keys: it stays when that changes.
alter table installation add column mac_key bytea;

-- What each process says of its keys. A release that says nothing knows none of what is announced.
alter table service_processes
  add column knows_key  integer not null default 0,
  add column seals_with integer not null default 0,
  -- Names the root key that is to follow, where a process has it.
  add column next_root  text collate "C";

create table key_rotations (
  id          uuid primary key default sluice_uuid7(),
  status      text collate "C" not null default 'announced'
              check (status in ('announced', 'switching', 'resealing', 'success')),
  data_key    integer not null references data_keys,
  root_key    boolean not null,
  waiting_for text collate "C",
  -- The transactions that may still hold what was sealed before are older than this one.
  switched_tx xid8,
  -- Where sealing anew stands: how many tables are done in this pass, and the key after which the next one goes on.
  tables_done integer not null default 0,
  place       text[] collate "C",
  found       bigint not null default 0,
  resealed    bigint not null default 0,
  row_version bigint not null default 1,
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now(),
  finished_at timestamptz,
  constraint key_rotations_end check ((finished_at is not null) = (status = 'success'))
);
create unique index key_rotations_one_at_a_time on key_rotations ((true)) where finished_at is null;
