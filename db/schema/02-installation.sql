-- The installation, its service processes, sites and encryption keys.

comment on table schema_migrations is
  'Migrations applied to this database; 0000_schema is db/schema as a whole. Created by src/platform/db/migrate.ts '
  'before anything else.';
comment on column schema_migrations.oldest_release is 'Oldest release that can run on the schema after this migration.';

create table installation (
  one             boolean primary key default true check (one),
  id              uuid not null default sluice_uuid7(),
  created_at      timestamptz not null default sluice_now(),
  basic_auth      boolean not null default true,
  key_check       bytea,
  mac_key         bytea,
  heartbeat_at    timestamptz not null default sluice_now(),
  service_back_at timestamptz not null default sluice_now()
);
comment on table installation is 'This installation. One row.';
comment on column installation.basic_auth is
  'Copy of the setting enable_basic_auth: whether requests may carry a user name and password. Sign-in reads this row '
  'anyway, so a change applies from the next request in every process.';
comment on column installation.key_check is 'Proves that a root key is the one of this database.';
comment on column installation.mac_key is
  'Signs cursors, sessions and tokens. Wrapped by the root key like the data keys; unchanged when the root key is '
  'rotated.';
comment on column installation.heartbeat_at is 'Latest heartbeat of any service process.';
comment on column installation.service_back_at is
  'End of the latest outage of the service. After a gap of 5 s between heartbeats the first process to write sets it; '
  'the time without contact of a runner counts from it, so that our own outage never counts as the death of a runner.';
insert into installation default values;

create table maintenance_mode (
  one         boolean primary key default true check (one),
  mode        text collate "C" not null default 'disabled' check (mode in ('disabled', 'enabled', 'superuser_override')),
  switched_at timestamptz not null default sluice_now(),
  switched_by text collate "C" not null default 'system'
);
comment on table maintenance_mode is
  'Maintenance mode in force: the setting, or its override by the environment. One row. Not encrypted, because every '
  'admission reads it; written only under the lock that admissions share.';
insert into maintenance_mode default values;

create table sites (
  id         uuid primary key default sluice_uuid7(),
  code       text collate "C" not null unique,
  created_at timestamptz not null default sluice_now()
);
comment on table sites is 'Places where work is done. Processes, runners and slot pools refer to a site by its code.';
insert into sites (code) values ('main');

create table service_processes (
  id              uuid primary key default sluice_uuid7(),
  site            text collate "C" not null default 'main',
  role            text collate "C" not null check (role in ('all', 'api', 'worker')),
  host            text collate "C" not null,
  pid             integer not null,
  release         text collate "C" not null,
  schema_version  integer,
  started_at      timestamptz not null default sluice_now(),
  heartbeat_at    timestamptz not null default sluice_now(),
  job_workers     text[] collate "C" not null default '{}',
  failing_loops   jsonb not null default '[]',
  user_load       jsonb not null default '[]',
  steps_sandboxed boolean,
  steps_own_user  boolean,
  knows_key       integer not null default 0,
  seals_with      integer not null default 0,
  next_root       text collate "C"
);
comment on table service_processes is
  'Live processes of the service; each renews its row every 5 s. Jobs locked by a process that died are released by the '
  'others once its row is 30 s old: the queue library itself would keep them locked for four hours.';
comment on column service_processes.schema_version is
  'Number of the newest migration that the process knows. During an upgrade it shows which processes are still to be '
  'replaced.';
comment on column service_processes.job_workers is 'Names under which the process locks jobs of the queue.';
comment on column service_processes.failing_loops is 'Periodic tasks of the process whose latest run failed.';
comment on column service_processes.user_load is
  'Users with the most database time in the last minute (GET /api/admin/load).';
comment on column service_processes.steps_sandboxed is
  'Whether steps started by this process run in a sandbox. Null: not reported.';
comment on column service_processes.steps_own_user is
  'Whether steps started by this process run as a system user of their own. Null: not reported.';
comment on column service_processes.knows_key is 'Newest data key that the process has read.';
comment on column service_processes.seals_with is 'Data key that the process encrypts with.';
comment on column service_processes.next_root is 'Fingerprint of the next root key, if the process has it.';

create table data_keys (
  id         integer primary key,
  wrapped    bytea not null,
  created_at timestamptz not null default sluice_now(),
  in_use_at  timestamptz,
  retired_at timestamptz
);
comment on table data_keys is 'Keys that documents are encrypted with, each wrapped by the root key.';
comment on column data_keys.in_use_at is
  'When encryption with this key began. A key is announced first and used once every process has read it.';

create table key_rotations (
  id          uuid primary key default sluice_uuid7(),
  status      text collate "C" not null default 'announced'
    check (status in ('announced', 'switching', 'resealing', 'success')),
  data_key    integer not null references data_keys,
  root_key    boolean not null,
  waiting_for text collate "C",
  switched_tx xid8,
  tables_done integer not null default 0,
  place       text[] collate "C",
  found       bigint not null default 0,
  resealed    bigint not null default 0,
  created_by  text collate "C" not null,
  user_id     uuid,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now(),
  finished_at timestamptz,
  constraint key_rotations_end check ((finished_at is not null) = (status = 'success'))
);
create unique index key_rotations_one_at_a_time on key_rotations ((true)) where finished_at is null;
comment on table key_rotations is
  'Rotations of the encryption keys while the service runs: a data key is announced, used once every process knows it, '
  'and documents of older keys are encrypted again.';
comment on column key_rotations.root_key is 'Whether the root key is replaced as well.';
comment on column key_rotations.switched_tx is
  'Only transactions older than this one may still write documents of the previous key.';
comment on column key_rotations.tables_done is 'Tables finished in the current pass.';
comment on column key_rotations.place is
  'Key of the last row processed in the current table; the next batch continues after it.';

create table idempotency_keys (
  user_id    uuid not null,
  key        text collate "C" not null check (length(key) between 1 and 255),
  route      text collate "C" not null,
  body_sha   bytea not null,
  status     integer,
  answer     bytea,
  headers    jsonb,
  created_at timestamptz not null default sluice_now(),
  constraint idempotency_keys_pkey primary key (user_id, key, route)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
comment on table idempotency_keys is
  'Responses of requests that carried an Idempotency-Key, returned when the request is repeated.';
comment on column idempotency_keys.answer is 'Encrypted.';
comment on column idempotency_keys.status is 'HTTP status of the response. Null while the first request is in progress.';

create table finished_jobs (
  id               uuid primary key,
  job_class        text collate "C" not null,
  queue            text collate "C" not null,
  attempts         integer not null,
  maximum_attempts integer not null,
  node_path        text collate "C",
  run_at           timestamptz not null,
  created_at       timestamptz not null,
  started_at       timestamptz,
  finished_at      timestamptz not null
);
create index finished_jobs_by_time on finished_jobs (created_at, id);
create index finished_jobs_by_end on finished_jobs (finished_at);
comment on table finished_jobs is
  'Background jobs that succeeded. The queue deletes them, and this table keeps them for the list of jobs.';
comment on column finished_jobs.id is
  'Id under which the job was shown while it was queued, derived from its number in the queue and its creation time.';
