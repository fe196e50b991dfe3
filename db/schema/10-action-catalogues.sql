-- Actions that a commit defines.

create table action_catalogues (
  id              uuid primary key default sluice_uuid7(),
  git_remote_id   uuid not null,
  commit_sha      text collate "C" not null,
  folder          text collate "C" not null,
  input_sha       text collate "C" not null default '',
  state           text collate "C" not null check (state in ('ready', 'broken', 'needs_runner')),
  actions         text,
  sources         text,
  error           text collate "C",
  has_model       boolean not null default false,
  reads_input     boolean not null default false,
  reads_catalogue boolean not null default false,
  derived_at      timestamptz not null default sluice_now(),
  constraint action_catalogues_input_key unique (git_remote_id, commit_sha, folder, input_sha),
  constraint action_catalogues_git_remote_id_commit_sha_fkey
    foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);
create index action_catalogues_of_assets on action_catalogues (derived_at) where input_sha <> '';
comment on table action_catalogues is 'Actions of a folder of a commit, derived once and reused.';
comment on column action_catalogues.folder is 'Empty: root of the repository.';
comment on column action_catalogues.input_sha is
  'Hash of the other input of actions that are computed by a program. Empty: declarative actions.';
comment on column action_catalogues.sources is
  'What the program is executed from, kept beside its result, because it may be executed again.';
comment on column action_catalogues.reads_input is
  'Whether the program reads the properties of the asset: then its actions are derived for each asset.';
comment on column action_catalogues.reads_catalogue is
  'Whether the program reads the actions of the asset''s model: then it is executed again for each new model.';
