-- Workflows: documents in versions, and their runs.

create table workflows (
  id                       uuid primary key default sluice_uuid7(),
  project_id               uuid not null references nodes (id),
  path                     text collate "C" not null,
  code                     text collate "C" not null check (code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'),
  name                     text collate "C" not null check (length(name) between 1 and 255),
  description              text collate "C",
  archived                 boolean not null default false,
  latest_version           integer not null default 1,
  latest_published_version integer,
  ever_run                 boolean not null default false,
  created_by               text collate "C" not null,
  user_id                  uuid,
  row_version              bigint not null default 1,
  created_at               timestamptz not null default sluice_now(),
  updated_at               timestamptz not null default sluice_now(),
  constraint workflows_published_is_not_newer check (latest_published_version <= latest_version)
);
create unique index workflows_code on workflows (project_id, lower(code));
create index workflows_by_project on workflows (project_id, created_at, id);
create index workflows_by_time on workflows (created_at, id);
comment on table workflows is 'Workflows of a project.';
comment on column workflows.ever_run is
  'Set with the first run and never reset: a workflow that has run is archived instead of deleted.';

create table workflow_versions (
  id               uuid primary key default sluice_uuid7(),
  workflow_id      uuid not null references workflows (id) on delete cascade,
  project_id       uuid not null,
  path             text collate "C" not null,
  version          integer not null check (version >= 1),
  source_yaml      bytea not null,
  parsed           bytea not null,
  nested           jsonb not null default '[]',
  published_at     timestamptz,
  created_by       text collate "C" not null,
  user_id          uuid,
  scope_project_id uuid,
  row_version      bigint not null default 1,
  created_at       timestamptz not null default sluice_now(),
  updated_at       timestamptz not null default sluice_now(),
  constraint workflow_versions_workflow_id_version_key unique (workflow_id, version)
);
comment on table workflow_versions is 'Versions of workflow documents.';
comment on column workflow_versions.source_yaml is
  'Encrypted text, because it contains the properties that changes are given.';
comment on column workflow_versions.parsed is 'Encrypted result of parsing: {steps} or {errors}.';
comment on column workflow_versions.nested is 'Of a published version: the workflows that it runs, [{code, version}].';
comment on column workflow_versions.scope_project_id is 'As template_versions.scope_project_id.';

create table workflow_runs (
  id                    uuid primary key references activities (id) on delete cascade,
  workflow_id           uuid not null,
  workflow_version_id   uuid not null,
  workflow_code         text collate "C" not null,
  version               integer not null,
  name                  text collate "C" not null,
  metadata              jsonb not null default '{}',
  skip_steps            text[] collate "C" not null default '{}',
  property_overrides    bytea not null,
  notify                bytea,
  depth                 integer not null default 0 check (depth >= 0),
  retry_of              uuid,
  scheduled_activity_id uuid
);
create index workflow_runs_by_workflow on workflow_runs (workflow_id, id);
create index workflow_runs_retry_of on workflow_runs (retry_of) where retry_of is not null;
comment on table workflow_runs is 'Workflow runs, one to one with their activities.';
comment on column workflow_runs.property_overrides is 'Encrypted.';
comment on column workflow_runs.notify is 'Encrypted.';
comment on column workflow_runs.depth is 'Number of runs above it. 0: not started by another run.';

create table workflow_steps (
  id               uuid primary key references steps (id) on delete cascade,
  targets          text[] collate "C" not null default '{}',
  action           text collate "C",
  template_version text collate "C",
  start_time       text collate "C",
  workflow_code    text collate "C",
  making           bytea not null,
  retries          uuid
);
comment on table workflow_steps is
  'What a step of a workflow run creates, one to one with the step. Stages and waits have no row.';
comment on column workflow_steps.making is 'Encrypted definition as a whole, with property overrides.';
comment on column workflow_steps.retries is
  'Activity that the same step created in the run that this run is a retry of. It is retried.';

create table workflow_step_news (
  id      bigint generated always as identity primary key,
  step_id uuid not null
);
comment on table workflow_step_news is
  'Steps of workflow runs whose activity has ended or is paused. The run is updated in a transaction of its own, because '
  'a transaction that has locked an activity must not wait for another one (lock order).';
