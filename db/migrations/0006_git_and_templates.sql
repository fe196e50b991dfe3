-- oldest-release: 0.1.0
-- Git remotes, what is read from their commits, templates and their versions.

create table git_remotes (
  id                      uuid primary key default sluice_uuid7(),
  project_id              uuid not null references nodes (id),
  -- The path that the right to it is asked on: <project path>/git_remotes/<id>.
  path                    text collate "C" not null,
  name                    text collate "C" not null check (length(name) between 1 and 255),
  url                     text collate "C" not null,
  public_url              text collate "C",
  "user"                  text collate "C",
  credentials             bytea,
  has_password            boolean not null default false,
  has_ssh_key             boolean not null default false,
  has_passphrase          boolean not null default false,
  periodic_fetch_interval int check (periodic_fetch_interval between 60 and 86400),
  archived                boolean not null default false,
  fetched_at              timestamptz,
  fetch_failures          int not null default 0,
  fetch_error             text collate "C",
  next_fetch_at           timestamptz,
  created_by              text collate "C" not null,
  user_id                 uuid,
  row_version             bigint not null default 1,
  created_at              timestamptz not null default sluice_now(),
  updated_at              timestamptz not null default sluice_now()
);
create unique index git_remotes_name on git_remotes (project_id, lower(name));
create index git_remotes_due on git_remotes (next_fetch_at) where not archived;

-- Every commit that a record names. Its ref refs/sluice/keep/<sha> stands in the mirror before this row commits, so
-- that a force-push and a garbage collection upstream lose nothing that a retry or an audit will ask for.
create table git_commits (
  git_remote_id uuid not null references git_remotes (id) on delete cascade,
  commit_sha    text collate "C" not null check (commit_sha ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
  committed_at  timestamptz,
  subject       text collate "C",
  kept_at       timestamptz not null default sluice_now(),
  primary key (git_remote_id, commit_sha)
);

-- Parsed property files of a commit: converging never waits on Git.
create table repository_folders (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  -- repo_folder and template code that were read.
  repo_folder   text collate "C" not null,
  template_code text collate "C" not null,
  read_at       timestamptz not null default sluice_now(),
  error         text collate "C",
  primary key (git_remote_id, commit_sha, repo_folder, template_code),
  foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);
create table repository_files (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  repo_folder   text collate "C" not null,
  template_code text collate "C" not null,
  path          text collate "C" not null,
  content       bytea not null,
  primary key (git_remote_id, commit_sha, repo_folder, template_code, path),
  foreign key (git_remote_id, commit_sha, repo_folder, template_code) references repository_folders on delete cascade
);

-- The actions of one folder of one commit, derived once and reused (folder '' = the repository's root).
create table action_catalogues (
  id            uuid primary key default sluice_uuid7(),
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  folder        text collate "C" not null,
  -- What else decided the outcome, for actions that are computed; '' for declarative ones.
  input_sha     text collate "C" not null default '',
  state         text collate "C" not null check (state in ('ready', 'broken', 'needs_runner')),
  actions       text,
  error         text collate "C",
  has_model     boolean not null default false,
  derived_at    timestamptz not null default sluice_now(),
  unique (git_remote_id, commit_sha, folder, input_sha),
  foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);

create table templates (
  id            uuid primary key default sluice_uuid7(),
  project_id    uuid not null references nodes (id),
  path          text collate "C" not null,
  code          text collate "C" not null check (code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'),
  name          text collate "C" not null check (length(name) between 1 and 255),
  description   text collate "C",
  template_type text collate "C" not null check (template_type in ('asset', 'agent')),
  git_remote_id uuid not null references git_remotes (id),
  archived      boolean not null default false,
  disabled      boolean not null default false,
  created_by    text collate "C" not null,
  user_id       uuid,
  row_version   bigint not null default 1,
  created_at    timestamptz not null default sluice_now(),
  updated_at    timestamptz not null default sluice_now()
);
create unique index templates_code on templates (project_id, lower(code));
create index templates_by_project on templates (project_id, created_at, id);

create table template_versions (
  id                   uuid primary key default sluice_uuid7(),
  template_id          uuid not null references templates (id) on delete cascade,
  project_id           uuid not null,
  path                 text collate "C" not null,
  version              text collate "C" not null check (length(version) between 1 and 100 and version not in ('.', '..')),
  description          text collate "C" not null default '',
  state                text collate "C" not null default 'initializing' check (state in ('initializing', 'ready', 'broken')),
  git_remote_id        uuid not null references git_remotes (id),
  git_rev              text collate "C" not null,
  commit_sha           text collate "C",
  -- The number of the newest request to move; a fetch that ends under an older one is superseded.
  fetch_request        int not null default 1,
  pending_commit       text collate "C",
  fetch_open           boolean not null default true,
  locked               boolean not null default false,
  float_git_rev        boolean not null default false,
  float_refresh_error  text collate "C",
  initialization_error text collate "C",
  has_model            boolean not null default false,
  archived             boolean not null default false,
  created_by           text collate "C" not null,
  user_id              uuid,
  row_version          bigint not null default 1,
  created_at           timestamptz not null default sluice_now(),
  updated_at           timestamptz not null default sluice_now(),
  check (not (locked and float_git_rev)),
  check (state <> 'ready' or commit_sha is not null)
);
create unique index template_versions_version on template_versions (template_id, version);
create index template_versions_open on template_versions (updated_at) where fetch_open;

-- Which commit a version pointed at, and when.
create table template_version_commits (
  id                  uuid primary key default sluice_uuid7(),
  template_version_id uuid not null references template_versions (id) on delete cascade,
  git_remote_id       uuid not null,
  commit_sha          text collate "C" not null,
  active_from         timestamptz not null default sluice_now(),
  active_to           timestamptz,
  foreign key (git_remote_id, commit_sha) references git_commits (git_remote_id, commit_sha),
  exclude using gist (template_version_id with =, tstzrange(active_from, active_to) with &&)
);

-- Which template version an asset or agent had, and when. The open row is what it has now.
create table template_version_histories (
  id                  uuid primary key default sluice_uuid7(),
  node_id             uuid not null references nodes (id),
  project_id          uuid not null,
  path                text collate "C" not null,
  template_id         uuid not null references templates (id),
  template_version_id uuid not null references template_versions (id),
  created_by          text collate "C" not null,
  user_id             uuid,
  active_from         timestamptz not null default sluice_now(),
  active_to           timestamptz,
  exclude using gist (node_id with =, tstzrange(active_from, active_to) with &&)
);
create unique index template_version_histories_now on template_version_histories (node_id) where active_to is null;
create index template_version_histories_by_version on template_version_histories (template_version_id) where active_to is null;
create index template_version_histories_by_template on template_version_histories (template_id);
create index template_version_histories_by_node on template_version_histories (node_id, active_from);

-- The contract by which converging reads templates without importing them: the template version that a node had, and
-- the commit that the version then pointed at, each with the half-open interval in which that was so.
create view template_version_names as
  select v.id as template_version_id,
         t.id as template_id,
         t.code as template_code,
         t.name as template_name,
         v.version
    from template_versions v
    join templates t on t.id = v.template_id;
create view node_template_versions as
  select h.node_id, names.*, h.active_from, h.active_to
    from template_version_histories h
    join template_version_names names using (template_version_id);
create view node_commits as
  select h.*,
         c.git_remote_id,
         c.commit_sha,
         greatest(h.active_from, c.active_from) as commit_active_from,
         least(h.active_to, c.active_to) as commit_active_to
    from node_template_versions h
    join template_version_commits c on c.template_version_id = h.template_version_id
     and tstzrange(c.active_from, c.active_to) && tstzrange(h.active_from, h.active_to);

create table node_background_tasks (
  id                          uuid primary key default sluice_uuid7(),
  request_number              bigint not null generated always as identity,
  task_type                   text collate "C" not null check (task_type in ('GenerateActionsRequest', 'BuildAgentImageTask', 'GenerateModelTask', 'StartAgentTask', 'StopAgentTask')),
  node_id                     uuid references nodes (id),
  template_version_id         uuid references template_versions (id),
  template_version_history_id uuid references template_version_histories (id),
  project_id                  uuid not null,
  path                        text collate "C" not null,
  status_code                 text collate "C" not null default 'initializing' check (status_code in ('initializing', 'running', 'success', 'error', 'cancelled')),
  site                        text collate "C" not null default 'main',
  pool                        text collate "C" not null,
  fence                       bigint not null default 0,
  input                       text,
  output                      text,
  error_message               text collate "C",
  created_by                  text collate "C" not null,
  user_id                     uuid,
  row_version                 bigint not null default 1,
  created_at                  timestamptz not null default sluice_now(),
  started_at                  timestamptz,
  finished_at                 timestamptz,
  updated_at                  timestamptz not null default sluice_now(),
  check (node_id is not null or template_version_id is not null)
);
create index node_background_tasks_by_node on node_background_tasks (node_id, created_at, id);
create index node_background_tasks_waiting on node_background_tasks (site, pool, request_number) where status_code = 'initializing';
create index node_background_tasks_open on node_background_tasks (status_code) where status_code in ('initializing', 'running');
