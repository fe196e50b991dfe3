-- Runners, what they are asked to mask, and the dependencies that they share.

create table runners (
  id              uuid primary key default sluice_uuid7(),
  site            text collate "C" not null default 'main',
  kind            text collate "C" not null check (kind in ('process', 'container', 'kubernetes')),
  activity_id     uuid references activities (id) on delete cascade,
  step_id         uuid,
  task_id         uuid,
  status          text collate "C" not null default 'wanted' check (status in ('wanted', 'starting', 'live', 'stopping', 'gone')),
  secret_sha      bytea,
  session         bigint not null default 0,
  protocol        integer,
  acked_seq       bigint not null default 0,
  options         jsonb not null default '{}',
  start_attempts  integer not null default 0,
  starter_pid     integer,
  starter_started bigint,
  host            text collate "C",
  pid             integer,
  pid_started     bigint,
  folder          text,
  last_contact    timestamptz,
  idle_since      timestamptz,
  gone_reason     text collate "C",
  created_at      timestamptz not null default sluice_now(),
  started_at      timestamptz,
  gone_at         timestamptz,
  constraint runners_of_activity_or_task check (activity_id is null or task_id is null)
) with (fillfactor = 70);
create unique index runners_of_activity on runners (activity_id)
  where status in ('wanted', 'starting', 'live') and step_id is null;
create unique index runners_of_step on runners (step_id)
  where step_id is not null and status in ('wanted', 'starting', 'live');
create unique index runners_of_task on runners (task_id) where status in ('wanted', 'starting', 'live');
create index runners_to_start on runners (site, created_at) where status = 'wanted';
create index runners_here on runners (status) where status in ('starting', 'live', 'stopping');
create index runners_by_activity on runners (activity_id) where activity_id is not null;
create index runners_by_task on runners (task_id) where task_id is not null;
comment on table runners is
  'Runners: each works for an activity, for a single step of one, or for a background task; a spare one for none yet.';
comment on column runners.status is
  'wanted: to be started; starting: a service process starts it; live: it has connected; stopping: it was told to stop; '
  'gone.';
comment on column runners.session is
  'Number of the current connection. A new connection takes the next number, and messages of older ones are rejected.';
comment on column runners.acked_seq is 'Number of the latest message that was acknowledged.';
comment on column runners.starter_pid is
  'Service process on `host` that starts the runner. If it ends before the runner has a process, the runner is wanted '
  'again at once.';
comment on column runners.pid_started is
  'Start time of the process (field 22 of /proc/<pid>/stat), which together with the pid identifies it for good.';
comment on column runners.folder is
  'Folder of a process runner on its host, through which another service process there can adopt it: it publishes its '
  'address to the folder, and reads what a runner that ended had left to report.';
comment on index runners_of_activity is
  'A runner that was told to stop accepts no further step, so its activity may already have the next one.';

create table secrets_to_mask (
  id         uuid primary key default sluice_uuid7(),
  runner_id  uuid not null references runners (id) on delete cascade,
  step_id    uuid not null,
  attempt    integer not null,
  fence      bigint not null,
  value      bytea not null,
  masked     boolean not null default false,
  created_at timestamptz not null default sluice_now()
);
create index secrets_to_mask_by_runner on secrets_to_mask (runner_id);
comment on table secrets_to_mask is
  'Secrets requested by running steps, until the runner masks them: only then is the request answered. The process that '
  'has the connection of the runner sends them, which need not be the one that received the request.';
comment on column secrets_to_mask.value is 'Encrypted.';

create table texts_to_mask (
  id         uuid primary key default sluice_uuid7(),
  runner_id  uuid not null references runners (id) on delete cascade,
  step_id    uuid not null,
  attempt    integer not null,
  fence      bigint not null,
  texts      bytea not null,
  masked     bytea,
  created_at timestamptz not null default sluice_now()
);
create index texts_to_mask_by_runner on texts_to_mask (runner_id);
comment on table texts_to_mask is
  'Texts of steps that are about to be recorded, such as the subject of a mail, until the runner has masked them as in '
  'its log.';
comment on column texts_to_mask.texts is 'Encrypted.';
comment on column texts_to_mask.masked is 'Encrypted. Null: not masked yet.';

create table kept_dependencies (
  name    text collate "C" not null check (name ~ '^[0-9a-f]{64}$'),
  sha256  text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  kept_at timestamptz not null default sluice_now(),
  constraint kept_dependencies_pkey primary key (name, sha256)
);
create index kept_dependencies_by_age on kept_dependencies (kept_at);
comment on table kept_dependencies is
  'Digests of dependency archives that runners share on the disks of their hosts. An archive whose digest is not listed '
  'is not used.';
