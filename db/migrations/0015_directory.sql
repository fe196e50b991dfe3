-- oldest-release: 0.1.0
-- What was last read of the directory. Its people stand in users (auth_provider ldap), with the names of their groups.

create table directory_groups (
  id          uuid primary key default sluice_uuid7(),
  groupname   text collate "C" not null unique check (length(groupname) between 1 and 255),
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);

create table directory_refreshes (
  one          boolean primary key default true check (one),
  started_at   timestamptz,
  ended_at     timestamptz,
  -- When the refresh began that is in force: one that began before it no longer counts.
  read_at      timestamptz,
  -- How often in a row nobody, or no group, was found.
  empty_users  int not null default 0,
  empty_groups int not null default 0
);
insert into directory_refreshes default values;
