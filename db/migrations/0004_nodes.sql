-- oldest-release: 0.1.0
-- The tree: project, environment, asset, agent. Codes and paths never change; a destroyed node frees its code.

create table nodes (
  id             uuid primary key default sluice_uuid7(),
  number         bigint not null generated always as identity,
  node_type      text collate "C" not null check (node_type in ('project', 'environment', 'asset', 'agent')),
  code           text collate "C" not null check (code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'),
  name           text collate "C" not null check (length(name) between 1 and 255),
  description    text collate "C",
  project_type   text collate "C" check (project_type in ('Standard', 'Enterprise')),
  parent_id      uuid references nodes (id),
  project_id     uuid not null,
  environment_id uuid,
  path           text collate "C" not null,
  archived       boolean not null default false,
  archived_at    timestamptz,
  destroyed_at   timestamptz,
  created_by     text collate "C" not null,
  user_id        uuid,
  row_version    bigint not null default 1,
  created_at     timestamptz not null default sluice_now(),
  updated_at     timestamptz not null default sluice_now(),
  check ((node_type = 'project') = (parent_id is null)),
  check ((node_type = 'project') = (project_type is not null)),
  check ((node_type = 'project') = (project_id = id))
);
create unique index nodes_code on nodes (coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), node_type, lower(code))
  where destroyed_at is null;
create unique index nodes_path on nodes (path) where destroyed_at is null;
create index nodes_by_parent on nodes (parent_id, node_type) where destroyed_at is null;
create index nodes_by_type on nodes (node_type, created_at, id) where destroyed_at is null;
create index nodes_by_project on nodes (project_id, node_type, created_at, id) where destroyed_at is null;
create index nodes_by_name on nodes (node_type, name, id) where destroyed_at is null;

create table bookmarks (
  id          uuid primary key default sluice_uuid7(),
  node_id     uuid not null references nodes (id),
  project_id  uuid not null,
  path        text collate "C" not null,
  description text collate "C" not null check (length(description) between 1 and 255),
  url         text collate "C",
  created_by  text collate "C" not null,
  user_id     uuid,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index bookmarks_by_node on bookmarks (node_id, created_at, id);
