-- Git remotes, and the files that are read from their commits.

create table git_remotes (
  id                      uuid primary key default sluice_uuid7(),
  project_id              uuid not null references nodes (id),
  path                    text collate "C" not null,
  name                    text collate "C" not null check (length(name) between 1 and 255),
  url                     text collate "C" not null,
  public_url              text collate "C",
  "user"                  text collate "C",
  credentials             bytea,
  has_password            boolean not null default false,
  has_ssh_key             boolean not null default false,
  has_passphrase          boolean not null default false,
  periodic_fetch_interval integer check (periodic_fetch_interval between 60 and 86400),
  archived                boolean not null default false,
  fetched_at              timestamptz,
  fetch_milliseconds      integer check (fetch_milliseconds >= 0),
  fetch_failures          integer not null default 0,
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
comment on table git_remotes is 'Git repositories of a project.';
comment on column git_remotes.path is 'Path that access is checked on: <project path>/git_remotes/<id>.';
comment on column git_remotes.credentials is 'Encrypted password, SSH key and passphrase.';
comment on column git_remotes.periodic_fetch_interval is 'In seconds.';
comment on column git_remotes.fetch_milliseconds is 'Duration of the latest fetch that updated branches and tags.';

create table git_commits (
  git_remote_id uuid not null references git_remotes (id) on delete cascade,
  commit_sha    text collate "C" not null check (commit_sha ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
  committed_at  timestamptz,
  subject       text collate "C",
  kept_at       timestamptz not null default sluice_now(),
  constraint git_commits_pkey primary key (git_remote_id, commit_sha)
);
comment on table git_commits is
  'Commits that a record refers to. The mirror contains refs/sluice/keep/<sha> before the row is committed, so that a '
  'force-push and a garbage collection upstream lose nothing that a retry or an audit needs.';

create table repository_folders (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  repo_folder   text collate "C" not null,
  template_code text collate "C" not null,
  read_at       timestamptz not null default sluice_now(),
  error         text collate "C",
  constraint repository_folders_pkey primary key (git_remote_id, commit_sha, repo_folder, template_code),
  constraint repository_folders_git_remote_id_commit_sha_fkey
    foreign key (git_remote_id, commit_sha) references git_commits on delete cascade
);
comment on table repository_folders is
  'Folders of commits whose property files were read, for one template each. Converged properties never wait for Git.';

create table repository_files (
  git_remote_id uuid not null,
  commit_sha    text collate "C" not null,
  repo_folder   text collate "C" not null,
  template_code text collate "C" not null,
  path          text collate "C" not null,
  content       bytea not null,
  constraint repository_files_pkey primary key (git_remote_id, commit_sha, repo_folder, template_code, path),
  constraint repository_files_folder_fkey
    foreign key (git_remote_id, commit_sha, repo_folder, template_code) references repository_folders on delete cascade
);
comment on table repository_files is 'Property files of repository_folders, parsed and encrypted.';
