-- oldest-release: 0.1.0
-- Workflows as documents: their sources in versions, sealed, for what is written there is what changes are given.

create table workflows (
  id                       uuid primary key default sluice_uuid7(),
  project_id               uuid not null references nodes (id),
  path                     text collate "C" not null,
  code                     text collate "C" not null check (code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'),
  name                     text collate "C" not null check (length(name) between 1 and 255),
  description              text collate "C",
  archived                 boolean not null default false,
  latest_version           int not null default 1,
  latest_published_version int,
  -- Set with its first run, and never taken back: what was run once is archived, not deleted.
  ever_run                 boolean not null default false,
  created_by               text collate "C" not null,
  user_id                  uuid,
  row_version              bigint not null default 1,
  created_at               timestamptz not null default sluice_now(),
  updated_at               timestamptz not null default sluice_now(),
  check (latest_published_version <= latest_version)
);
create unique index workflows_code on workflows (project_id, lower(code));
create index workflows_by_project on workflows (project_id, created_at, id);
create index workflows_by_time on workflows (created_at, id);

create table workflow_versions (
  id           uuid primary key default sluice_uuid7(),
  workflow_id  uuid not null references workflows (id) on delete cascade,
  project_id   uuid not null,
  path         text collate "C" not null,
  version      int not null check (version >= 1),
  -- Sealed: the text, and what was read from it ({steps} or {errors}).
  source_yaml  bytea not null,
  parsed       bytea not null,
  -- Of a published one: the workflows that it runs, [{code, version}].
  nested       jsonb not null default '[]',
  published_at timestamptz,
  created_by   text collate "C" not null,
  user_id      uuid,
  row_version  bigint not null default 1,
  created_at   timestamptz not null default sluice_now(),
  updated_at   timestamptz not null default sluice_now(),
  unique (workflow_id, version)
);
