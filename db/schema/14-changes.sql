-- Changes.

create table changes (
  id                         uuid primary key references activities (id) on delete cascade,
  action                     text collate "C" not null,
  step_name                  text collate "C" not null,
  metadata                   jsonb not null default '{}',
  git_remote_id              uuid,
  git_remote_name            text collate "C",
  git_rev                    text collate "C",
  commit_sha                 text collate "C",
  refresh_sha                boolean not null default false,
  template_version_id        uuid,
  template_version           text collate "C",
  template_code              text collate "C",
  skip_steps                 text[] collate "C" not null default '{}',
  starting_step              text collate "C",
  auto_continue_wait_steps   boolean not null default false,
  build_without_cache        boolean not null default false,
  property_overrides         bytea not null,
  property_overrides_version integer not null default 1,
  settings_overrides         bytea not null,
  resolved_settings          bytea,
  setting_sources            jsonb,
  notify                     bytea,
  plan_sha                   text collate "C",
  retry_of                   uuid,
  scheduled_activity_id      uuid
);
create index changes_by_action on changes (action, id);
create index changes_by_template_version on changes (template_version_id);
create index changes_by_commit on changes (git_remote_id, commit_sha);
create index changes_retry_of on changes (retry_of) where retry_of is not null;
comment on table changes is 'Changes, one to one with their activities.';
comment on column changes.refresh_sha is
  'Of a retry: whether it uses the latest commit, provided that its actions can be derived.';
comment on column changes.property_overrides is
  'Encrypted. The layer "change" of the converged properties; steps write to it.';
comment on column changes.settings_overrides is 'Encrypted.';
comment on column changes.resolved_settings is 'Encrypted. Settings as resolved at creation: a retry uses the same.';
comment on column changes.setting_sources is
  'Level that each resolved setting comes from, unless it is a default. Not encrypted: names of levels, no values.';
comment on column changes.notify is 'Encrypted, because it names people.';

create table changes_using_inputs (
  change_id uuid not null,
  used_by   uuid not null references changes (id) on delete cascade,
  constraint changes_using_inputs_pkey primary key (change_id, used_by)
);
create index changes_using_inputs_by_user on changes_using_inputs (used_by);
comment on table changes_using_inputs is
  'Retries that use the secrets given to input steps of an earlier change, which are stored under the path of that '
  'change and referred to in encrypted documents. The secrets of a purged change are deleted with the last of its '
  'retries.';
comment on column changes_using_inputs.change_id is
  'Change whose input steps received the secrets. May have been purged.';
