-- Models of assets.

create table model_files (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  folder        text collate "C" not null,
  content       text not null,
  constraint model_files_pkey primary key (git_remote_id, commit_sha, folder),
  constraint model_files_git_remote_id_commit_sha_fkey
    foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);
comment on table model_files is 'The model.json.erb of template folders at commits. Reading it never waits for Git.';

create table models (
  id                          uuid primary key default sluice_uuid7(),
  node_id                     uuid not null references nodes (id),
  project_id                  uuid not null,
  template_version_history_id uuid not null references template_version_histories (id),
  git_remote_id               uuid not null,
  commit_sha                  text collate "C" not null,
  properties_sha              bytea not null,
  data                        bytea not null,
  sha256                      text collate "C" not null,
  actions                     bytea not null,
  render_logs                 bytea not null,
  created_by                  text collate "C" not null,
  user_id                     uuid,
  created_at                  timestamptz not null default sluice_now()
);
create index models_by_node on models (node_id, created_at, id);
create index models_by_history on models (template_version_history_id);
create index models_by_time on models (created_at);
comment on table models is 'Rendered models of assets.';
comment on column models.template_version_history_id is
  'Template version that the asset had when the model was rendered.';
comment on column models.properties_sha is 'Keyed hash of the converged properties that the model was rendered from.';
comment on column models.data is 'Encrypted.';
comment on column models.sha256 is 'Hash of the data as JSON, in hexadecimal.';
comment on column models.actions is 'Encrypted. The actions in the model, in the form of action_catalogues.actions.';
comment on column models.render_logs is 'Encrypted.';
