-- oldest-release: 0.1.0
-- Who may do what. User names are never given twice, so a deleted user keeps its row.

create table users (
  id               uuid primary key default sluice_uuid7(),
  username         text collate "C" not null check (username ~ '^[^:/[:cntrl:]]{1,255}$'),
  display_name     text collate "C",
  email_address    text collate "C",
  auth_provider    text collate "C" not null default 'local' check (auth_provider in ('local', 'ldap')),
  password_hash    text,
  password_version int not null default 1,
  groupnames       text[] collate "C" not null default '{}',
  disabled         boolean not null default false,
  deleted_at       timestamptz,
  created_by       text collate "C" not null,
  user_id          uuid,
  row_version      bigint not null default 1,
  created_at       timestamptz not null default sluice_now(),
  updated_at       timestamptz not null default sluice_now(),
  check (username <> 'system')
);
create unique index users_username on users (lower(username));

-- Wrong credentials in the minute that began with the first of them. The key is a MAC of user name and address: what
-- people type into the wrong field is kept nowhere.
create table sign_in_failures (
  key      bytea primary key,
  failures int not null,
  since    timestamptz not null
);

create table tokens (
  id          uuid primary key default sluice_uuid7(),
  kind        text collate "C" not null check (kind in ('personal', 'session', 'attempt', 'agent')),
  user_id     uuid not null references users (id),
  secret_sha  bytea not null unique,
  description text collate "C" not null default '',
  csrf_sha    bytea,
  -- A token of an attempt is good for one attempt of one step: every call with it checks that its fence is the newest.
  activity_id uuid,
  step_id     uuid,
  fence       bigint,
  project_id  uuid,
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  row_version bigint not null default 1,
  created_by  text collate "C" not null,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index tokens_by_user on tokens (user_id, created_at);
create index tokens_by_activity on tokens (activity_id) where activity_id is not null;

create table authorisation_policies (
  id          uuid primary key default sluice_uuid7(),
  name        text collate "C" not null check (length(name) between 1 and 255),
  description text collate "C",
  system      text collate "C" unique check (system in ('superuser', 'blocked')),
  row_version bigint not null default 1,
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create unique index authorisation_policies_name on authorisation_policies (lower(name));

-- Each right is true (allow), false (deny) or null (says nothing).
create table authorisation_rules (
  id          uuid primary key default sluice_uuid7(),
  path        text collate "C" not null check (path ~ '^/'),
  name        text collate "C",
  read        boolean,
  update      boolean,
  execute     boolean,
  delete      boolean,
  row_version bigint not null default 1,
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index authorisation_rules_by_path on authorisation_rules (path);

create table policy_rules (
  id         uuid primary key default sluice_uuid7(),
  policy_id  uuid not null references authorisation_policies (id) on delete cascade,
  rule_id    uuid not null references authorisation_rules (id) on delete cascade,
  created_by text collate "C" not null,
  user_id    uuid,
  created_at timestamptz not null default sluice_now(),
  unique (policy_id, rule_id)
);
create index policy_rules_by_rule on policy_rules (rule_id);

-- A user, a group, both (a member of the group who is that user), or everyone (neither).
create table policy_assignments (
  id          uuid primary key default sluice_uuid7(),
  policy_id   uuid not null references authorisation_policies (id) on delete cascade,
  assignee_id uuid references users (id),
  groupname   text collate "C",
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  unique nulls not distinct (policy_id, assignee_id, groupname)
);
create index policy_assignments_by_assignee on policy_assignments (assignee_id);
create index policy_assignments_by_group on policy_assignments (groupname);

insert into authorisation_policies (name, description, system, created_by) values
  ('superuser', 'Everything, everywhere', 'superuser', 'system'),
  ('blocked', 'Nothing; outranks every other policy', 'blocked', 'system');
