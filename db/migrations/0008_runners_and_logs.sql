-- oldest-release: 0.1.0
-- Runners, the sessions they hold, and what they send: log lines and artefacts.

create table runners (
  id            uuid primary key default sluice_uuid7(),
  site          text collate "C" not null default 'main',
  kind          text collate "C" not null check (kind in ('process', 'container', 'kubernetes')),
  activity_id   uuid references activities (id) on delete cascade,
  step_id       uuid,
  -- wanted: to be started; starting: a worker is about it; live: it has said hello; stopping: told to end; gone.
  status        text collate "C" not null default 'wanted' check (status in ('wanted', 'starting', 'live', 'stopping', 'gone')),
  secret_sha    bytea,
  -- The session: a new connection takes a new number, and what comes under an older one is refused.
  session       bigint not null default 0,
  host          text collate "C",
  pid           int,
  -- Field 22 of /proc/<pid>/stat: with the pid it names a process for good.
  pid_started   bigint,
  protocol      int,
  acked_seq     bigint not null default 0,
  start_attempts int not null default 0,
  options       jsonb not null default '{}',
  last_contact  timestamptz,
  idle_since    timestamptz,
  gone_reason   text collate "C",
  created_at    timestamptz not null default sluice_now(),
  started_at    timestamptz,
  gone_at       timestamptz
) with (fillfactor = 70);
create index runners_to_start on runners (site, created_at) where status = 'wanted';
create index runners_here on runners (status) where status in ('starting', 'live', 'stopping');
-- A runner that was told to stop takes no more steps, so its activity may have the next one already.
create unique index runners_of_activity on runners (activity_id)
  where status in ('wanted', 'starting', 'live') and step_id is null;

-- One row holds up to 1,000 lines or 250 ms of one step, as the runner cut it: (step, attempt, first_seq) is the
-- deduplicating key. A row for each line would not reach 100,000 lines a second (docs/adr/0008).
create table log_chunks (
  step_id     uuid not null,
  attempt     int not null,
  first_seq   bigint not null check (first_seq >= 1),
  line_count  int not null check (line_count between 1 and 1000),
  activity_id uuid not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  ats         timestamptz[] not null,
  categories  text[] collate "C" not null,
  messages    text[] not null,
  primary key (step_id, attempt, first_seq)
) partition by range (step_id);
create table log_chunks_default partition of log_chunks default;
create index log_chunks_by_activity on log_chunks (activity_id, first_at);

-- A line's id is a version 8 UUID of its step, attempt and number, so that it need not be stored.
create function sluice_line_id(step_id uuid, attempt int, seq bigint) returns uuid
  language sql immutable parallel safe
  as $$
    select encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
      from (select substring(sha256(uuid_send(step_id) || int4send(attempt) || int8send(seq)) from 1 for 16) as digest) t
  $$;

-- The chunks as lines. Conditions on step_id, attempt, activity_id and the chunk's columns reach the chunks' indexes.
create view log_lines as
select sluice_line_id(c.step_id, c.attempt, c.first_seq + l.number - 1) as id,
       c.step_id,
       c.attempt,
       c.first_seq + l.number - 1                                       as seq,
       c.activity_id,
       c.first_seq,
       c.first_at,
       c.last_at,
       l.logged_at,
       l.category,
       l.message
  from log_chunks c
 cross join lateral unnest(c.ats, c.categories, c.messages) with ordinality l (logged_at, category, message, number);

create table artefacts (
  id           uuid primary key default sluice_uuid7(),
  step_id      uuid not null references steps (id) on delete cascade,
  activity_id  uuid not null,
  project_id   uuid not null,
  path         text collate "C" not null,
  attempt      int not null,
  name         text collate "C" not null,
  content_type text collate "C" not null,
  byte_size    bigint not null,
  sha256       text collate "C" not null,
  created_at   timestamptz not null default sluice_now(),
  unique (step_id, attempt, name)
);
create index artefacts_by_activity on artefacts (activity_id, created_at, id);
create table artefact_chunks (
  sha256   text collate "C" not null,
  position int not null,
  bytes    bytea not null check (octet_length(bytes) <= 1048576),
  primary key (sha256, position)
);

-- Monthly partitions of events and log chunks, made ahead of time by a job. The function belongs to the owner, so that
-- the service, which may not change the schema, can ask for it.
create function sluice_ensure_partitions(months_ahead int) returns int
  language plpgsql security definer set search_path = public
  as $$
  declare
    month date;
    parent text;
    name text;
    made int := 0;
  begin
    if months_ahead not between 0 and 24 then raise exception 'months_ahead must be 0 to 24'; end if;
    for month in select generate_series(date_trunc('month', sluice_now() at time zone 'UTC'),
                                        date_trunc('month', sluice_now() at time zone 'UTC') + make_interval(months => months_ahead),
                                        interval '1 month')::date
    loop
      foreach parent in array array['events', 'log_chunks'] loop
        name := parent || '_' || to_char(month, 'YYYYMM');
        if to_regclass(name) is null then
          execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent,
                         sluice_uuid7_floor(month::timestamp at time zone 'UTC'),
                         sluice_uuid7_floor((month + interval '1 month')::timestamp at time zone 'UTC'));
          made := made + 1;
        end if;
      end loop;
    end loop;
    return made;
  end $$;
