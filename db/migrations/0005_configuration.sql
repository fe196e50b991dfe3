-- oldest-release: 0.1.0
-- Properties and settings: one record for each owner, its data in versions. Documents are encrypted; half-open
-- intervals of time, no two versions of one owner active at once.

create table properties (
  id         uuid primary key default sluice_uuid7(),
  owner_type text collate "C" not null check (owner_type in ('Project', 'Environment', 'Template', 'Template version', 'Agent', 'Asset')),
  owner_id   uuid not null unique,
  project_id uuid not null,
  -- The path that the right to it is asked on: the owner's path and /properties.
  path       text collate "C" not null,
  version    int not null default 1 check (version >= 1),
  -- Set with the owner's: gone for every reader at once, the versions are deleted in batches after that.
  destroyed_at timestamptz,
  created_by text collate "C" not null,
  user_id    uuid,
  row_version bigint not null default 1,
  created_at timestamptz not null default sluice_now(),
  updated_at timestamptz not null default sluice_now()
);

create index properties_by_project on properties (project_id);

create table properties_versions (
  id            uuid primary key default sluice_uuid7(),
  properties_id uuid not null references properties (id) on delete cascade,
  version       int not null check (version >= 1),
  data          bytea not null,
  data_sha      bytea not null,
  created_by    text collate "C" not null,
  user_id       uuid,
  -- The step that wrote it, when it was not a person.
  step_id       uuid,
  active_from   timestamptz not null default sluice_now(),
  active_to     timestamptz,
  created_at    timestamptz not null default sluice_now(),
  unique (properties_id, version),
  exclude using gist (properties_id with =, tstzrange(active_from, active_to) with &&)
);

create table settings (
  id         uuid primary key default sluice_uuid7(),
  owner_type text collate "C" not null check (owner_type in ('Global', 'Project', 'Environment', 'Template', 'Template version', 'Agent', 'Asset')),
  owner_id   uuid not null unique,
  project_id uuid,
  path       text collate "C" not null,
  version    int not null default 1 check (version >= 1),
  -- Set with the owner's: gone for every reader at once, the versions are deleted in batches after that.
  destroyed_at timestamptz,
  created_by text collate "C" not null,
  user_id    uuid,
  row_version bigint not null default 1,
  created_at timestamptz not null default sluice_now(),
  updated_at timestamptz not null default sluice_now()
);

create index settings_by_project on settings (project_id);

create table settings_versions (
  id          uuid primary key default sluice_uuid7(),
  settings_id uuid not null references settings (id) on delete cascade,
  version     int not null check (version >= 1),
  data        bytea not null,
  data_sha    bytea not null,
  created_by  text collate "C" not null,
  user_id     uuid,
  step_id     uuid,
  active_from timestamptz not null default sluice_now(),
  active_to   timestamptz,
  created_at  timestamptz not null default sluice_now(),
  unique (settings_id, version),
  exclude using gist (settings_id with =, tstzrange(active_from, active_to) with &&)
);

-- The maintenance mode in force: the setting, or what the environment states instead. Plain, because every admission
-- reads it; written only under the lock that admissions share.
create table maintenance_mode (
  one         boolean primary key default true check (one),
  mode        text collate "C" not null default 'disabled' check (mode in ('disabled', 'enabled', 'superuser_override')),
  switched_at timestamptz not null default sluice_now(),
  switched_by text collate "C" not null default 'system'
);
insert into maintenance_mode default values;

-- The built-in vault.
create table vault_entries (
  id          uuid primary key default sluice_uuid7(),
  project_id  uuid,
  path        text collate "C" not null check (path ~ '^/'),
  key         text collate "C" not null,
  value       bytea not null,
  row_version bigint not null default 1,
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now(),
  unique (path, key)
);
