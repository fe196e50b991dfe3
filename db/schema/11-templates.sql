-- Templates, their versions, and the version that each node has.

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
create index templates_by_code on templates (code);
create index templates_by_project on templates (project_id, created_at, id);
create index templates_by_remote on templates (git_remote_id);
comment on table templates is 'Templates of assets and agents. Their codes never change.';

create table template_versions (
  id                   uuid primary key default sluice_uuid7(),
  template_id          uuid not null references templates (id) on delete cascade,
  project_id           uuid not null,
  path                 text collate "C" not null,
  version              text collate "C" not null
    check (length(version) between 1 and 100 and version not in ('.', '..')),
  description          text collate "C" not null default '',
  state                text collate "C" not null default 'initializing' check (state in ('initializing', 'ready', 'broken')),
  git_remote_id        uuid not null references git_remotes (id),
  git_rev              text collate "C" not null,
  git_ref              text collate "C",
  git_rev_ambiguous    boolean not null default false,
  commit_sha           text collate "C",
  fetch_request        integer not null default 1,
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
  scope_project_id     uuid,
  row_version          bigint not null default 1,
  created_at           timestamptz not null default sluice_now(),
  updated_at           timestamptz not null default sluice_now(),
  constraint template_versions_locked_or_floating check (not (locked and float_git_rev)),
  constraint template_versions_ready_has_commit check (state <> 'ready' or commit_sha is not null)
);
create unique index template_versions_version on template_versions (template_id, version);
create index template_versions_open on template_versions (updated_at) where fetch_open;
create index template_versions_by_remote on template_versions (git_remote_id);
comment on table template_versions is 'Versions of templates: a revision each. Their names never change.';
comment on column template_versions.git_rev is 'Revision as the user gave it.';
comment on column template_versions.git_ref is
  'What git_rev was when it was first resolved: the full name of a branch or tag, or the id of a commit. Resolved from '
  'then on, whatever else gets the same short name.';
comment on column template_versions.git_rev_ambiguous is 'Whether git_rev named both a branch and a tag.';
comment on column template_versions.fetch_request is
  'Number of the latest request to move the version; a fetch that ends under an older number is superseded.';
comment on column template_versions.pending_commit is 'Commit whose files are being read.';
comment on column template_versions.fetch_open is 'Whether the latest request is still to be processed.';
comment on column template_versions.float_git_rev is 'Whether the version follows its revision to new commits.';
comment on column template_versions.scope_project_id is
  'Project that limits the rights of the creator, for work created with the token of a step: whatever acts later in the '
  'name of that user keeps the limit. Null: created by a person.';

create table template_version_commits (
  id                  uuid primary key default sluice_uuid7(),
  template_version_id uuid not null references template_versions (id) on delete cascade,
  git_remote_id       uuid not null,
  commit_sha          text collate "C" not null,
  active_from         timestamptz not null default sluice_now(),
  active_to           timestamptz,
  constraint template_version_commits_git_remote_id_commit_sha_fkey
    foreign key (git_remote_id, commit_sha) references git_commits (git_remote_id, commit_sha),
  constraint template_version_commits_one_at_a_time
    exclude using gist (greatest(template_version_id) with =, tstzrange(active_from, active_to) with &&)
);
create index template_version_commits_by_version on template_version_commits (template_version_id, active_from);
create index template_version_commits_by_commit on template_version_commits (git_remote_id, commit_sha);
comment on table template_version_commits is
  'Commits of template versions, each with the interval in which it was current.';
comment on constraint template_version_commits_one_at_a_time on template_version_commits is
  'greatest() keeps the planner from using this index for lookups by id, which would take 57 microseconds instead of two.';

create table template_version_histories (
  id                  uuid primary key default sluice_uuid7(),
  node_id             uuid not null references nodes (id),
  project_id          uuid not null,
  path                text collate "C" not null,
  template_id         uuid not null references templates (id),
  template_version_id uuid not null references template_versions (id),
  active_from         timestamptz not null default sluice_now(),
  active_to           timestamptz,
  created_by          text collate "C" not null,
  user_id             uuid,
  constraint template_version_histories_one_at_a_time
    exclude using gist (greatest(node_id) with =, tstzrange(active_from, active_to) with &&)
);
create unique index template_version_histories_now on template_version_histories (node_id)
  include (template_id, template_version_id) where active_to is null;
create index template_version_histories_by_node on template_version_histories (node_id, active_from);
create index template_version_histories_by_template on template_version_histories (template_id);
create index template_version_histories_nodes on template_version_histories (template_id, node_id) where active_to is null;
create index template_version_histories_by_version on template_version_histories (template_version_id) where active_to is null;
create index template_version_histories_by_any_version on template_version_histories (template_version_id);
comment on table template_version_histories is
  'Template versions of assets and agents, each with the interval in which the node had it. The row without an end is '
  'the current one.';
comment on index template_version_histories_nodes is
  'Order in which a template lists the first of its nodes, so that no more of them are read.';
comment on index template_version_histories_by_any_version is 'Foreign key, for the deletion of destroyed nodes.';
comment on constraint template_version_histories_one_at_a_time on template_version_histories is
  'As template_version_commits_one_at_a_time.';

create function sluice_template_of_node() returns trigger language plpgsql as $$
begin
  update nodes n
     set template_id = t.id, template_code = t.code, template_version_id = v.id, template_version = v.version
    from begun h
    join templates t on t.id = h.template_id
    join template_versions v on v.id = h.template_version_id
   where n.id = h.node_id and h.active_to is null;
  return null;
end $$;
create trigger template_of_node after insert on template_version_histories
  referencing new table as begun for each statement execute function sluice_template_of_node();
comment on function sluice_template_of_node is
  'Trigger function that writes the template columns of nodes. Whoever ends a version starts the next one in the same '
  'transaction, so inserts are sufficient.';

create view template_version_names as
  select v.id as template_version_id,
         t.id as template_id,
         t.code as template_code,
         t.name as template_name,
         v.version
    from template_versions v
    join templates t on t.id = v.template_id;
comment on view template_version_names is 'Template versions with the names of their templates.';

create view node_template_versions as
  select h.node_id, names.*, h.active_from, h.active_to
    from template_version_histories h
    join template_version_names names using (template_version_id);
comment on view node_template_versions is
  'Template version that a node had in an interval. Interface by which properties are converged without an import of '
  'templates.';

create view node_commits as
  select h.*,
         c.git_remote_id,
         c.commit_sha,
         greatest(h.active_from, c.active_from) as commit_active_from,
         least(h.active_to, c.active_to) as commit_active_to
    from node_template_versions h
    join template_version_commits c on c.template_version_id = h.template_version_id
     and tstzrange(c.active_from, c.active_to) && tstzrange(h.active_from, h.active_to);
comment on view node_commits is 'Commit that the template version of a node pointed at in an interval.';
