-- oldest-release: 0.1.0
-- A workflow run, one to one with its activity.
create table workflow_runs (
  id                  uuid primary key references activities (id) on delete cascade,
  workflow_id         uuid not null,
  workflow_version_id uuid not null,
  workflow_code       text collate "C" not null,
  version             int not null,
  name                text collate "C" not null,
  metadata            jsonb not null default '{}',
  skip_steps          text[] collate "C" not null default '{}',
  -- Encrypted documents.
  property_overrides  bytea not null,
  notify              bytea,
  -- Beneath so many other runs: 0 of one that somebody asked for.
  depth               int not null default 0 check (depth >= 0),
  retry_of            uuid,
  scheduled_activity_id uuid
);
create index workflow_runs_by_workflow on workflow_runs (workflow_id, id);
create index workflow_runs_retry_of on workflow_runs (retry_of) where retry_of is not null;

-- What a step of a run makes, one to one with the step; stages and waits have none.
create table workflow_steps (
  id               uuid primary key references steps (id) on delete cascade,
  targets          text[] collate "C" not null default '{}',
  action           text collate "C",
  template_version text collate "C",
  start_time       text collate "C",
  workflow_code    text collate "C",
  -- Encrypted: all of it, the property overrides too.
  making           bytea not null,
  -- What the same step of the run that this one is a retry of had made: it is tried again.
  retries          uuid
);
