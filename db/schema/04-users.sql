-- Users, tokens, and the cache of the directory.

create function sluice_folded_names(names text[]) returns text[]
  language plpgsql immutable parallel safe as $$
  begin
    return lower(names::text collate "C")::text[];
  end $$;
comment on function sluice_folded_names is
  'Names in lower case (A to Z). PostgreSQL does not accept the cast of an array to text in an index, because for some '
  'types it depends on settings; for texts it does not.';

create table users (
  id               uuid primary key default sluice_uuid7(),
  username         text collate "C" not null check (username ~ '^[^:/[:cntrl:]]{1,255}$'),
  display_name     text collate "C",
  email_address    text collate "C",
  auth_provider    text collate "C" not null default 'local' check (auth_provider in ('local', 'ldap')),
  password_hash    text,
  password_version integer not null default 1,
  groupnames       text[] collate "C" not null default '{}',
  disabled         boolean not null default false,
  deleted_at       timestamptz,
  created_by       text collate "C" not null,
  user_id          uuid,
  row_version      bigint not null default 1,
  created_at       timestamptz not null default sluice_now(),
  updated_at       timestamptz not null default sluice_now(),
  constraint users_username_is_not_system check (username <> 'system')
);
create unique index users_username on users (lower(username));
create index users_by_group on users using gin (sluice_folded_names(groupnames));
comment on table users is
  'Users, local and of the directory. A deleted user keeps the row, because user names are never reused.';
comment on column users.password_version is
  'Number of changes of the password. A sign-in that verified an older password is rejected.';
comment on column users.groupnames is 'Groups in the directory.';
comment on column users.user_id is 'Creator. Null: the system.';

create table sign_in_failures (
  key      bytea primary key,
  failures integer not null,
  since    timestamptz not null
);
comment on table sign_in_failures is 'Failed sign-ins within the minute that began with the first of them.';
comment on column sign_in_failures.key is
  'MAC of user name and address, so that text typed into the wrong field is stored nowhere.';

create table tokens (
  id          uuid primary key default sluice_uuid7(),
  kind        text collate "C" not null check (kind in ('personal', 'session', 'attempt', 'agent')),
  user_id     uuid not null references users (id),
  secret_sha  bytea not null unique,
  description text collate "C" not null default '',
  activity_id uuid,
  step_id     uuid,
  fence       bigint,
  project_id  uuid,
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  created_by  text collate "C" not null,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index tokens_by_user on tokens (user_id, created_at);
create index tokens_by_activity on tokens (activity_id) where activity_id is not null;
create index tokens_of_sessions on tokens (expires_at) where kind = 'session';
comment on table tokens is 'Personal access tokens and sessions. Only a hash of the secret is stored.';
comment on column tokens.fence is
  'Fence of the attempt that a token of kind `attempt` is valid for: every call checks that it is still the newest.';

create table directory_groups (
  id          uuid primary key default sluice_uuid7(),
  groupname   text collate "C" not null unique check (length(groupname) between 1 and 255),
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index directory_groups_in_any_case on directory_groups (lower(groupname));
comment on table directory_groups is
  'Groups last read from the directory. Its users are rows of `users` with auth_provider `ldap`.';

create table directory_refreshes (
  one          boolean primary key default true check (one),
  started_at   timestamptz,
  ended_at     timestamptz,
  read_at      timestamptz,
  empty_users  integer not null default 0,
  empty_groups integer not null default 0
);
comment on table directory_refreshes is 'State of reading the directory. One row.';
comment on column directory_refreshes.read_at is
  'Start of the refresh whose result is stored; refreshes that started earlier are discarded.';
comment on column directory_refreshes.empty_users is 'Number of consecutive refreshes that found no user.';
comment on column directory_refreshes.empty_groups is 'Number of consecutive refreshes that found no group.';
insert into directory_refreshes default values;
