-- oldest-release: 0.1.0
-- Models of assets: the templates that they are rendered from, and what came of each rendering.

-- The model.json.erb of a template's folder at a commit: reading it never waits on Git.
create table model_files (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  folder        text collate "C" not null,
  content       text not null,
  primary key (git_remote_id, commit_sha, folder),
  foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);

create table models (
  id                          uuid primary key default sluice_uuid7(),
  node_id                     uuid not null references nodes (id),
  project_id                  uuid not null,
  -- The time of its asset in which it was rendered.
  template_version_history_id uuid not null references template_version_histories (id),
  git_remote_id               uuid not null,
  commit_sha                  text collate "C" not null,
  -- Of the converged properties that it was rendered from, with the installation's key.
  properties_sha              bytea not null,
  data                        bytea not null,
  -- Of the data as JSON, in hexadecimal.
  sha256                      text collate "C" not null,
  -- The actions in it, as the actions of a commit are kept.
  actions                     bytea not null,
  render_logs                 bytea not null,
  created_by                  text collate "C" not null,
  user_id                     uuid,
  created_at                  timestamptz not null default sluice_now()
);
create index models_by_node on models (node_id, created_at, id);
