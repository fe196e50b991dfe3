-- oldest-release: 0.1.0
-- The audit trail: written once, sealed into a hash chain by one process, in commit order (docs/adr/0006).

create table events (
  id          uuid not null default sluice_uuid7(),
  -- The transaction that wrote it. Ids and sequences are no commit order; what lies below the oldest running
  -- transaction is complete, and only that is sealed and streamed.
  tx          xid8 not null default pg_current_xact_id(),
  type        text collate "C" not null,
  system      boolean not null,
  username    text collate "C" not null,
  user_id     uuid,
  project_id  uuid,
  node_id     uuid,
  path        text collate "C",
  source_type text collate "C",
  source_id   uuid,
  activity_id uuid,
  created_at  timestamptz not null default sluice_now(),
  -- The exact bytes that are hashed; attributes is the same document for filters (jsonb renders anew).
  body        bytea not null,
  attributes  jsonb not null,
  primary key (id)
) partition by range (id);
create table events_default partition of events default;
create index events_by_tx on events (tx);
create index events_by_time on events (created_at, id);
create index events_by_type on events (type, created_at, id);
create index events_by_project on events (project_id, created_at, id);
create index events_by_path on events (path, created_at, id);
create index events_by_source on events (source_id, created_at, id);
create index events_by_activity on events (activity_id, created_at, id) where activity_id is not null;
create index events_by_username on events (username, created_at, id);
create index events_by_attributes on events using gin (attributes jsonb_path_ops);

create trigger events_are_written_once before update or delete on events
  for each row execute function sluice_refuse();
create trigger events_are_never_emptied before truncate on events
  for each statement execute function sluice_refuse();

-- The live output of a fetch lies beside its event, outside the hash.
create table event_progress (
  event_id   uuid not null,
  part       int not null,
  text       text not null,
  created_at timestamptz not null default sluice_now(),
  primary key (event_id, part)
);

create table event_seals (
  seq       bigint primary key,
  event_id  uuid not null unique,
  digest    bytea not null,
  hash      bytea not null,
  sealed_at timestamptz not null default sluice_now()
);
create trigger event_seals_are_written_once before update or delete on event_seals
  for each row execute function sluice_refuse();
create trigger event_seals_are_never_emptied before truncate on event_seals
  for each statement execute function sluice_refuse();

create table audit_head (
  one          boolean primary key default true check (one),
  seq          bigint not null default 0,
  hash         bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
  -- Every event of a transaction below this one is sealed.
  sealed_below xid8 not null default '0'
);
insert into audit_head default values;

-- When an event that is recorded at most once in a period was last recorded, across all processes.
create table event_throttles (
  key         text collate "C" primary key,
  recorded_at timestamptz not null
);
