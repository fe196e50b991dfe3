-- Retention rules (docs/adr/0091).

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
comment on table data_cleanup_definitions is 'Retention rules: what to delete, after how long, on which schedule.';
comment on column data_cleanup_definitions.revision is
  'Increases when the meaning of the rule changes, so that a run in progress notices that it is outdated.';

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
  seen_at         timestamptz,
  seen_id         uuid,
  removed_count   bigint not null default 0,
  failed_count    bigint not null default 0,
  last_error      text collate "C",
  created_at      timestamptz not null default sluice_now(),
  updated_at      timestamptz not null default sluice_now()
);
comment on table data_cleanup_runs is
  'Runs in progress, at most one for each rule. A run outlives its rule until it has reported what it deleted.';
comment on column data_cleanup_runs.claim is
  'Id set by the process that works on the run; a process whose id was replaced stops.';
comment on column data_cleanup_runs.seen_at is 'With seen_id: position up to which records were examined.';

-- Without statistics PostgreSQL assumes ten pages for an empty table and knows nothing of the expressions in its indexes.
analyze nodes, properties_versions, settings_versions, policy_assignments, directory_groups, users, activities,
  slot_pools;
