-- Properties and settings: one record for each owner, with its document in encrypted versions. Validity intervals include
-- their start and not their end.

create table properties (
  id           uuid primary key default sluice_uuid7(),
  owner_type   text collate "C" not null
    check (owner_type in ('Project', 'Environment', 'Template', 'Template version', 'Agent', 'Asset')),
  owner_id     uuid not null,
  project_id   uuid not null,
  path         text collate "C" not null,
  version      integer not null default 1 check (version >= 1),
  destroyed_at timestamptz,
  created_by   text collate "C" not null,
  user_id      uuid,
  row_version  bigint not null default 1,
  created_at   timestamptz not null default sluice_now(),
  updated_at   timestamptz not null default sluice_now(),
  constraint properties_owner_id_key unique (owner_id) include (id)
);
create index properties_by_project on properties (project_id);
comment on table properties is 'Properties of nodes, templates and template versions.';
comment on column properties.path is 'Path that access is checked on: the path of the owner and /properties.';
comment on column properties.version is 'Number of the latest version.';
comment on column properties.destroyed_at is
  'Set together with the one of the owner: invisible to every reader at once, the versions are deleted in batches '
  'afterwards.';
comment on constraint properties_owner_id_key on properties is
  'Contains the id, which lists of nodes show: a page of a hundred nodes read two hundred scattered pages for it.';

create table properties_versions (
  id            uuid primary key default sluice_uuid7(),
  properties_id uuid not null references properties (id) on delete cascade,
  version       integer not null check (version >= 1),
  data          bytea not null,
  data_sha      bytea not null,
  created_by    text collate "C" not null,
  user_id       uuid,
  step_id       uuid,
  active_from   timestamptz not null default sluice_now(),
  active_to     timestamptz,
  created_at    timestamptz not null default sluice_now(),
  constraint properties_versions_properties_id_version_key unique (properties_id, version),
  constraint properties_versions_one_at_a_time
    exclude using gist (greatest(properties_id) with =, tstzrange(active_from, active_to) with &&)
);
comment on table properties_versions is 'Versions of properties.';
comment on column properties_versions.data is 'Encrypted document.';
comment on column properties_versions.data_sha is 'Hash of the document, to compare versions without decrypting them.';
comment on column properties_versions.step_id is 'Step that wrote the version. Null: a user.';
comment on column properties_versions.active_to is 'Null: current version.';
comment on constraint properties_versions_one_at_a_time on properties_versions is
  'No two versions of one record are valid at the same time. greatest() keeps the planner from using this index for '
  'lookups by id: it prefers GiST indexes, and read all of ten thousand versions to find one.';

create table settings (
  id           uuid primary key default sluice_uuid7(),
  owner_type   text collate "C" not null
    check (owner_type in ('Global', 'Project', 'Environment', 'Template', 'Template version', 'Agent', 'Asset')),
  owner_id     uuid not null,
  project_id   uuid,
  path         text collate "C" not null,
  version      integer not null default 1 check (version >= 1),
  destroyed_at timestamptz,
  created_by   text collate "C" not null,
  user_id      uuid,
  row_version  bigint not null default 1,
  created_at   timestamptz not null default sluice_now(),
  updated_at   timestamptz not null default sluice_now(),
  constraint settings_owner_id_key unique (owner_id) include (id)
);
create index settings_by_project on settings (project_id);
comment on table settings is
  'Settings of the installation, of nodes, templates and template versions. Columns as in `properties`.';
comment on column settings.project_id is 'Null: settings of the installation.';

create table settings_versions (
  id          uuid primary key default sluice_uuid7(),
  settings_id uuid not null references settings (id) on delete cascade,
  version     integer not null check (version >= 1),
  data        bytea not null,
  data_sha    bytea not null,
  created_by  text collate "C" not null,
  user_id     uuid,
  step_id     uuid,
  active_from timestamptz not null default sluice_now(),
  active_to   timestamptz,
  created_at  timestamptz not null default sluice_now(),
  constraint settings_versions_settings_id_version_key unique (settings_id, version),
  constraint settings_versions_one_at_a_time
    exclude using gist (greatest(settings_id) with =, tstzrange(active_from, active_to) with &&)
);
comment on table settings_versions is 'Versions of settings. Columns and constraints as in `properties_versions`.';

create function sluice_settings_of_node() returns trigger language plpgsql as $$
begin
  update nodes n set settings_id = made.id from made where n.id = made.owner_id;
  return null;
end $$;
create trigger settings_of_node after insert on settings
  referencing new table as made for each statement execute function sluice_settings_of_node();
comment on function sluice_settings_of_node is
  'Trigger function that writes nodes.settings_id. A node has one record of settings for good.';

create function sluice_properties_of_node() returns trigger language plpgsql as $$
begin
  update nodes n set properties_id = made.id from made where n.id = made.owner_id;
  return null;
end $$;
create trigger properties_of_node after insert on properties
  referencing new table as made for each statement execute function sluice_properties_of_node();
comment on function sluice_properties_of_node is
  'Trigger function that writes nodes.properties_id. A node has one record of properties for good.';
