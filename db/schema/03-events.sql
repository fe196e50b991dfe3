-- Audit trail: events are written once and sealed into a hash chain by one process, in commit order (docs/adr/0006).

create table events (
  id          uuid not null default sluice_uuid7(),
  tx          xid8 not null default sluice_transaction(),
  created_at  timestamptz not null default sluice_now(),
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
  body        bytea not null,
  attributes  jsonb not null,
  constraint events_pkey primary key (id)
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
comment on table events is 'Events of the audit trail, partitioned by month. Triggers and grants make it append-only.';
comment on column events.tx is
  'Transaction that wrote the event. Ids and sequences do not follow commit order; everything below the oldest running '
  'transaction is complete, and only that is sealed and streamed.';
comment on column events.user_id is 'User who acted. Null: the system.';
comment on column events.path is 'Path of the node, by which access is checked.';
comment on column events.source_id is 'Record that the event is about.';
comment on column events.body is 'Document of the event as the exact bytes that are hashed.';
comment on column events.attributes is 'The same document as `body`, for filters: jsonb does not keep the bytes.';

create table event_progress (
  event_id   uuid not null,
  part       integer not null,
  text       text not null,
  created_at timestamptz not null default sluice_now(),
  constraint event_progress_pkey primary key (event_id, part)
);
comment on table event_progress is 'Live output of a Git fetch, stored beside its event and outside of the hash.';

create table event_seals (
  seq       bigint primary key,
  event_id  uuid not null unique,
  digest    bytea not null,
  hash      bytea not null,
  sealed_at timestamptz not null default sluice_now()
);
comment on table event_seals is
  'Hash chain over events. Seals remain when old events are removed, so that the chain still proves the events that are '
  'left.';
comment on column event_seals.seq is 'Position in the chain, without gaps.';
comment on column event_seals.digest is 'Hash of the event alone.';
comment on column event_seals.hash is 'Hash of the previous seal''s hash and this digest.';

create table audit_head (
  one          boolean primary key default true check (one),
  seq          bigint not null default 0,
  hash         bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
  sealed_below xid8 not null default '0'
);
comment on table audit_head is 'Head of the hash chain. One row.';
comment on column audit_head.sealed_below is 'Every event of a transaction below this one is sealed.';
insert into audit_head default values;

create table event_throttles (
  key         text collate "C" primary key,
  recorded_at timestamptz not null
);
comment on table event_throttles is
  'Latest recording of each event that is recorded at most once per period, across all processes.';

create function sluice_refuse_event() returns trigger
  language plpgsql
  as $$
  begin
    if tg_op = 'DELETE' and current_setting('sluice.removing_events', true) = 'on'
       and current_user = (select pg_get_userbyid(c.relowner) from pg_catalog.pg_class c where c.oid = tg_relid)
       and old.created_at < public.sluice_now() - interval '30 days'
       and not (old.system and old.type = 'info:data_cleanup:events')
       and exists (select from public.event_seals s where s.event_id = old.id) then
      return old;
    end if;
    raise exception '% on % is refused: it is written once', tg_op, tg_table_name using errcode = '42501';
  end $$;
comment on function sluice_refuse_event is
  'Trigger function that rejects changes of events, except for deletion by sluice_remove_events() of sealed events older '
  'than thirty days. Events that report a removal stay for ever, so that no event is missing without a record of it.';

create trigger events_are_written_once before update or delete on events
  for each row execute function sluice_refuse_event();
create trigger events_are_never_emptied before truncate on events
  for each statement execute function sluice_refuse();
create trigger event_seals_are_written_once before update or delete on event_seals
  for each row execute function sluice_refuse();
create trigger event_seals_are_never_emptied before truncate on event_seals
  for each statement execute function sluice_refuse();

create function sluice_remove_events(ids uuid[]) returns bigint[]
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  declare
    gone bigint[];
  begin
    perform set_config('sluice.removing_events', 'on', true);
    with removed as (
      delete from events e
       using event_seals s
       where e.id = any(ids) and s.event_id = e.id and e.created_at < sluice_now() - interval '30 days'
         and not (e.system and e.type = 'info:data_cleanup:events')
      returning e.id, s.seq
    ), output as (
      delete from event_progress p using removed r where p.event_id = r.id
    )
    select coalesce(array_agg(seq order by seq), '{}') into gone from removed;
    perform set_config('sluice.removing_events', 'off', true);
    return gone;
  end $$;
revoke execute on function sluice_remove_events(uuid[]) from public;
comment on function sluice_remove_events is
  'Deletes those of the events that may be deleted, and their output; returns the numbers of their seals. Runs as the '
  'owner of the table, because the role of the service cannot delete events.';
