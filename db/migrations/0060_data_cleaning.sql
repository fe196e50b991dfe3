-- oldest-release: 0.1.0
-- What is old and to be removed, and when (docs/adr/0091). `revision` counts what changes the meaning of a definition, so
-- that a run that is under way sees that it is not wanted any more.
create table data_cleanup_definitions (
  id              uuid primary key default sluice_uuid7(),
  name            text collate "C" not null,
  kind            text collate "C" not null check (kind in ('activities', 'events', 'jobs')),
  cron_schedule   text collate "C" not null,
  time_zone       text collate "C" not null default 'UTC',
  node_paths      jsonb not null default '["%"]',
  filters         jsonb not null default '{}',
  older_than      text collate "C" not null,
  maximum_per_run integer check (maximum_per_run >= 1),
  enabled         boolean not null default true,
  last_run_at     timestamptz,
  next_run_at     timestamptz,
  revision        integer not null default 1,
  created_by      text collate "C" not null,
  user_id         uuid,
  row_version     bigint not null default 1,
  created_at      timestamptz not null default sluice_now(),
  updated_at      timestamptz not null default sluice_now()
);
create index data_cleanup_definitions_by_time on data_cleanup_definitions (created_at, id);
create index data_cleanup_definitions_due on data_cleanup_definitions (next_run_at)
  where enabled and next_run_at is not null;

-- A run that is under way: of each definition one at most. It outlives its definition until it has said what it removed.
-- Whoever works on it has put its own `claim` there, and whose claim is gone stops.
create table data_cleanup_runs (
  definition_id   uuid primary key,
  revision        integer not null,
  name            text collate "C" not null,
  kind            text collate "C" not null,
  node_paths      jsonb not null,
  filters         jsonb not null,
  older_than      text collate "C" not null,
  maximum_per_run integer,
  cutoff          timestamptz not null,
  claim           uuid,
  -- All up to here was looked at.
  seen_at         timestamptz,
  seen_id         uuid,
  removed_count   bigint not null default 0,
  failed_count    bigint not null default 0,
  last_error      text collate "C",
  created_at      timestamptz not null default sluice_now(),
  updated_at      timestamptz not null default sluice_now()
);

-- Events are written once, and what is old may be removed: by one function, which belongs to the owner, and only what is
-- sealed and thirty days old, whoever asks. The seals stay, so that the chain still proves what is there; and what tells of
-- removed events stays, so that nothing is missing of which it is not told.
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
drop trigger events_are_written_once on events;
create trigger events_are_written_once before update or delete on events
  for each row execute function sluice_refuse_event();

-- Of these events those that may go, with the output that lies beside them; answers the numbers of their seals.
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
