-- The tree: project, environment, asset, agent.

create table nodes (
  id                  uuid primary key default sluice_uuid7(),
  number              bigint not null generated always as identity,
  node_type           text collate "C" not null check (node_type in ('project', 'environment', 'asset', 'agent')),
  code                text collate "C" not null check (code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'),
  name                text collate "C" not null check (length(name) between 1 and 255),
  description         text collate "C" not null default '',
  project_type        text collate "C" check (project_type in ('Standard', 'Enterprise')),
  parent_id           uuid references nodes (id),
  project_id          uuid not null,
  environment_id      uuid,
  path                text collate "C" not null,
  settings_id         uuid,
  properties_id       uuid,
  template_id         uuid,
  template_code       text collate "C",
  template_version_id uuid,
  template_version    text collate "C",
  archived            boolean not null default false,
  archived_at         timestamptz,
  destroyed_at        timestamptz,
  created_by          text collate "C" not null,
  user_id             uuid,
  row_version         bigint not null default 1,
  created_at          timestamptz not null default sluice_now(),
  updated_at          timestamptz not null default sluice_now(),
  constraint nodes_project_has_no_parent check ((node_type = 'project') = (parent_id is null)),
  constraint nodes_project_has_a_type check ((node_type = 'project') = (project_type is not null)),
  constraint nodes_project_is_its_own_project check ((node_type = 'project') = (project_id = id))
);
create unique index nodes_code on nodes
  (coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), node_type, lower(code)) where destroyed_at is null;
create unique index nodes_path on nodes (path) where destroyed_at is null;
create index nodes_by_parent on nodes (parent_id, node_type, created_at, id) where destroyed_at is null;
create index nodes_beneath on nodes (parent_id);
create index nodes_by_type on nodes (node_type, created_at, id) where destroyed_at is null;
create index nodes_by_project on nodes (project_id, node_type, created_at, id)
  include (name, code, updated_at, archived, template_code, user_id)
  where destroyed_at is null;
create index nodes_by_name on nodes (node_type, name, id) include (path) where destroyed_at is null;
create index nodes_by_code on nodes (node_type, code, id) where destroyed_at is null;
create index nodes_by_change on nodes (node_type, updated_at, id) include (path) where destroyed_at is null;
create index nodes_by_maker on nodes (user_id, node_type, created_at, id) where destroyed_at is null;
create index nodes_by_template on nodes (node_type, template_code, created_at, id) include (path)
  where destroyed_at is null;
create index nodes_by_beginning on nodes (node_type, (lower(name collate "und-x-icu") collate "C"), name, id)
  include (project_id, path, created_at)
  where destroyed_at is null;
create index nodes_by_part on nodes using gin
  (lower(name collate "und-x-icu") gin_trgm_ops, lower(code collate "und-x-icu") gin_trgm_ops,
   lower(description collate "und-x-icu") gin_trgm_ops)
  where destroyed_at is null;
create index nodes_archived on nodes (node_type, created_at, id) where archived and destroyed_at is null;
create index nodes_destroyed on nodes (node_type, id) where destroyed_at is not null;
comment on table nodes is
  'Nodes of the tree. Codes and paths never change; a destroyed node releases its code. Triggers on settings, properties '
  'and template_version_histories write settings_id, properties_id and the template columns (docs/adr/0059): three joins '
  'for each record were half of the time of a page of a list.';
comment on column nodes.number is 'Creation order.';
comment on column nodes.project_id is 'Project that contains the node; for a project, itself.';
comment on column nodes.path is 'Path that access is checked on.';
comment on column nodes.settings_id is 'Settings of the node. Written by the trigger settings_of_node.';
comment on column nodes.properties_id is 'Properties of the node. Written by the trigger properties_of_node.';
comment on column nodes.template_id is
  'Current template. Written by the trigger template_of_node, as are the following three.';
comment on column nodes.destroyed_at is
  'Invisible to every reader from then on; the rows of the node are deleted in batches afterwards.';
comment on index nodes_by_name is
  'Contains the path because access is decided by it: without it, a reader of one node in five visited hundreds of '
  'scattered rows to fill a page (docs/adr/0073).';
comment on index nodes_by_project is 'Contains the columns that most lists of a project show, filter or sort by.';
comment on index nodes_by_beginning is
  'Filter "starts with", case-insensitively. Matches are found completely and sorted before access is checked.';
comment on index nodes_by_part is
  'Filter "contains". Lower case of every script, as lists compare it, independent of the collation of the database.';
comment on index nodes_beneath is 'Foreign key, for the deletion of destroyed nodes.';

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
create index bookmarks_by_time on bookmarks (created_at, id);
create index bookmarks_by_project on bookmarks (project_id, created_at, id);
comment on table bookmarks is 'Links shown with a node.';
