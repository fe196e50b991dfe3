-- Logs and artefacts of steps and tasks, and the monthly partitions of logs and events.

create table log_chunks (
  step_id     uuid not null,
  attempt     integer not null,
  first_seq   bigint not null check (first_seq >= 1),
  line_count  integer not null check (line_count between 1 and 1000),
  activity_id uuid not null,
  tx          xid8 not null default sluice_transaction(),
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  ats         timestamptz[] not null,
  categories  text[] collate "C" not null,
  messages    text[] not null,
  constraint log_chunks_pkey primary key (step_id, attempt, first_seq)
) partition by range (step_id);
create table log_chunks_default partition of log_chunks default;
create index log_chunks_by_activity on log_chunks (activity_id, first_at);
create index log_chunks_by_time on log_chunks (last_at);
create index log_chunks_by_tx on log_chunks (activity_id, tx);
comment on table log_chunks is
  'Log lines, up to 1,000 lines or 250 ms of a step in a row, as the runner cut them; partitioned by month. The primary '
  'key removes duplicates. A row for each line would not reach 100,000 lines a second (docs/adr/0008).';
comment on column log_chunks.step_id is 'Step, or background task.';
comment on column log_chunks.activity_id is 'Activity, or background task.';
comment on column log_chunks.tx is
  'Transaction that stored the chunk. Readers that follow a log compare it with the snapshot of their previous read: '
  'neither times nor ids show which chunks are new, because a transaction may end after one that began later.';

create function sluice_line_id(step_id uuid, attempt int, seq bigint) returns uuid
  language sql immutable parallel safe
  as $$
    select encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
      from (select substring(sha256(uuid_send(step_id) || int4send(attempt) || int8send(seq)) from 1 for 16) as digest) t
  $$;
comment on function sluice_line_id is
  'Id of a log line: a UUID version 8 of step, attempt and line number, so that it need not be stored.';

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
comment on view log_lines is
  'Lines of log_chunks. Conditions on step_id, attempt, activity_id and the columns of the chunk use the indexes of '
  'log_chunks.';

create function sluice_ensure_partitions(months_ahead int) returns int
  language plpgsql security definer set search_path = public
  as $$
  declare
    month date;
    parent text;
    key text;
    name text;
    starts uuid;
    ends uuid;
    begun boolean;
    made int := 0;
  begin
    if months_ahead not between 0 and 24 then raise exception 'months_ahead must be 0 to 24'; end if;
    for month in select generate_series(date_trunc('month', sluice_now() at time zone 'UTC'),
                                        date_trunc('month', sluice_now() at time zone 'UTC') + make_interval(months => months_ahead),
                                        interval '1 month')::date
    loop
      starts := sluice_uuid7_floor(month::timestamp at time zone 'UTC');
      ends := sluice_uuid7_floor((month + interval '1 month')::timestamp at time zone 'UTC');
      for parent, key in values ('events', 'id'), ('log_chunks', 'step_id')
      loop
        name := parent || '_' || to_char(month, 'YYYYMM');
        continue when to_regclass(name) is not null;
        execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_default', key, starts, key, ends)
           into begun;
        continue when begun;
        execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, starts, ends);
        made := made + 1;
      end loop;
    end loop;
    return made;
  end $$;
comment on function sluice_ensure_partitions is
  'Creates the partitions of events and log_chunks for this month and the next ones; returns their number. Skips a month '
  'whose rows are in the default partition already: they stay there. Runs as the owner of the tables, because the role '
  'of the service cannot change the schema.';

create table artefacts (
  id           uuid primary key default sluice_uuid7(),
  step_id      uuid not null references steps (id) on delete cascade,
  activity_id  uuid not null,
  project_id   uuid not null,
  path         text collate "C" not null,
  attempt      integer not null,
  name         text collate "C" not null,
  content_type text collate "C" not null,
  byte_size    bigint not null,
  sha256       text collate "C" not null,
  labels       jsonb not null default '{}',
  created_at   timestamptz not null default sluice_now(),
  constraint artefacts_step_id_attempt_name_key unique (step_id, attempt, name)
);
create index artefacts_by_activity on artefacts (activity_id, created_at, id);
create index artefacts_by_content on artefacts (sha256);
comment on table artefacts is 'Files that steps leave.';
comment on column artefacts.labels is 'Names and values that the step attached, to find the file by.';

create table artefact_chunks (
  sha256   text collate "C" not null,
  position integer not null,
  bytes    bytea not null check (octet_length(bytes) <= 1048576),
  constraint artefact_chunks_pkey primary key (sha256, position)
);
comment on table artefact_chunks is 'Contents of artefacts. Equal files are stored once.';
