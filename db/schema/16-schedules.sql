-- Schedules.

create table scheduled_activities (
  id                        uuid primary key default sluice_uuid7(),
  kind                      text collate "C" not null check (kind in ('scheduled_change', 'scheduled_workflow')),
  node_id                   uuid not null references nodes (id),
  project_id                uuid not null,
  path                      text collate "C" not null,
  action                    text collate "C",
  workflow_code             text collate "C",
  version                   integer check (version >= 1),
  cron_schedule             text collate "C",
  run_at                    timestamptz,
  time_zone                 text collate "C" not null default 'UTC',
  repeat                    boolean not null default true,
  maximum_run_count         integer check (maximum_run_count >= 1),
  end_at                    timestamptz,
  enabled                   boolean not null default true,
  disabled_reason           text collate "C",
  new_commits_only          boolean not null default false,
  commit_file_patterns      jsonb not null default '[]',
  commit_file_pattern_match text collate "C" not null default 'any' check (commit_file_pattern_match in ('any', 'all')),
  allow_parallel_execution  boolean not null default false,
  git_remote_name           text collate "C",
  git_rev                   text collate "C",
  template_version          text collate "C",
  metadata                  jsonb not null default '{}',
  skip_steps                text[] collate "C" not null default '{}',
  starting_step             text collate "C",
  auto_continue_wait_steps  boolean not null default false,
  build_without_cache       boolean not null default false,
  property_overrides        bytea not null,
  settings_overrides        bytea not null,
  notify                    bytea,
  next_run_at               timestamptz,
  run_count                 integer not null default 0,
  created_by                text collate "C" not null,
  user_id                   uuid,
  row_version               bigint not null default 1,
  created_at                timestamptz not null default sluice_now(),
  updated_at                timestamptz not null default sluice_now(),
  constraint scheduled_activities_change_has_action check ((kind = 'scheduled_change') = (action is not null)),
  constraint scheduled_activities_workflow_has_code check ((kind = 'scheduled_workflow') = (workflow_code is not null)),
  constraint scheduled_activities_cron_or_time check (num_nonnulls(cron_schedule, run_at) = 1)
);
create index scheduled_activities_due on scheduled_activities (next_run_at) where enabled and next_run_at is not null;
create index scheduled_activities_by_node on scheduled_activities (node_id, created_at, id);
create index scheduled_activities_by_project on scheduled_activities (project_id, created_at, id);
create index scheduled_activities_by_time on scheduled_activities (created_at, id);
comment on table scheduled_activities is
  'Schedules that create a change of a node, or a workflow run of a project, when they are due. The service computes due '
  'times: time zones are never those of the database.';
comment on column scheduled_activities.path is 'Path that access to the schedule itself is checked on.';
comment on column scheduled_activities.version is 'Published version of the workflow to run. Null: the latest.';
comment on column scheduled_activities.property_overrides is 'Encrypted.';
comment on column scheduled_activities.settings_overrides is 'Encrypted.';
comment on column scheduled_activities.notify is 'Encrypted, because it names people.';
comment on column scheduled_activities.next_run_at is 'Null: never due again.';

create table schedule_occurrences (
  schedule_id uuid not null references scheduled_activities (id) on delete cascade,
  due_at      timestamptz not null,
  state       text collate "C" not null default 'due'
    check (state in ('due', 'resolving', 'created', 'skipped', 'missed', 'failed')),
  reason      text collate "C",
  commit_sha  text collate "C",
  activity_id uuid,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now(),
  constraint schedule_occurrences_pkey primary key (schedule_id, due_at),
  constraint schedule_occurrences_created_has_activity check ((state = 'created') = (activity_id is not null))
);
create index schedule_occurrences_open on schedule_occurrences (schedule_id) where state in ('due', 'resolving');
create index schedule_occurrences_by_commit on schedule_occurrences (schedule_id, commit_sha) where state = 'created';
comment on table schedule_occurrences is
  'Due times of schedules and their results. The primary key ensures that each creates at most one activity.';
