-- Steps: the tree of each activity.

create sequence fences;
comment on sequence fences is
  'Fencing tokens. Each attempt of a step or task takes a new number, and writes under an older one are rejected.';

create domain step_type as text collate "C"
  check (value in ('standard', 'wait', 'input', 'stage', 'change', 'workflow'));
create domain step_status as text collate "C"
  check (value in ('pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted',
                   'system_error'));
create domain step_body as text collate "C" check (value in ('none', 'open', 'done', 'failed'));
create domain child_execution_strategy as text collate "C" check (value in ('sequential', 'parallel'));

create table steps (
  id                       uuid primary key default sluice_uuid7(),
  activity_id              uuid not null references activities (id) on delete cascade,
  project_id               uuid not null,
  path                     text collate "C" not null,
  parent_id                uuid references steps (id) on delete cascade,
  position                 integer not null,
  tree_order               text collate "C" not null,
  step_type                step_type not null,
  action                   text collate "C",
  step_name                text collate "C" not null,
  full_path                text collate "C" not null,
  description              text collate "C",
  definition               text,
  status                   step_status not null default 'pending',
  body                     step_body not null default 'open',
  final                    boolean not null generated always as (sluice_is_final(status)) stored,
  reported_status          text collate "C" not null
    generated always as (sluice_reported_status(status, needs_approval, rejected)) stored,
  child_execution_strategy child_execution_strategy not null default 'sequential',
  ignore_failure           boolean not null default false,
  skip_requested           boolean not null default false,
  needs_approval           boolean not null default false,
  rejected                 boolean not null default false,
  reset_on_retry           boolean not null default false,
  children                 non_negative not null default 0,
  open_children            non_negative not null default 0,
  failed_children          non_negative not null default 0,
  system_failed_children   non_negative not null default 0,
  attempt                  integer not null default 0,
  fence                    bigint not null default 0,
  result_seq               bigint not null default 0,
  runner_id                uuid,
  wait_seconds             non_negative,
  wait_until               timestamptz,
  wake_at                  timestamptz,
  input_arguments          bytea,
  requires_approval_from   jsonb not null default '[]',
  approved_by              jsonb not null default '[]',
  rejected_by              jsonb not null default '[]',
  continued_by             text collate "C",
  exit_code                integer,
  error_message            text collate "C",
  outputs                  bytea,
  retry_of                 uuid,
  ran_as                   uuid,
  made_children            boolean not null default false,
  row_version              bigint not null default 1,
  created_at               timestamptz not null default sluice_now(),
  queued_at                timestamptz,
  started_at               timestamptz,
  finished_at              timestamptz,
  updated_at               timestamptz not null default sluice_now(),
  constraint steps_final_has_no_open_children check (not final or open_children = 0),
  constraint steps_success_has_no_open_body check (status <> 'success' or body <> 'open')
) with (fillfactor = 70);
create unique index steps_in_order on steps (activity_id desc, tree_order);
create index steps_by_project_in_order on steps (project_id, activity_id desc, tree_order);
create index steps_by_parent on steps (parent_id, position);
create index steps_by_status on steps (reported_status, created_at, id);
create index steps_by_time on steps (created_at, id);
create index steps_unfinished on steps (parent_id, position) where not final;
create index steps_queued on steps (activity_id, tree_order) where status = 'queued';
create index steps_running on steps (runner_id) where status = 'running' and body = 'open';
create index steps_to_wake on steps (wake_at) where status = 'waiting' and wake_at is not null;
create index steps_to_make on steps (activity_id, tree_order)
  where status = 'queued' and step_type in ('change', 'workflow');
comment on table steps is 'Steps of activities.';
comment on column steps.position is 'Position among its siblings, from 0.';
comment on column steps.tree_order is 'Sort key (bytewise) of the whole tree in reading order.';
comment on column steps.definition is
  'What to execute: {run, shell, env, needs, timeout_seconds, …} as in the action catalogue, before properties are '
  'filled in.';
comment on column steps.body is
  'State of the step''s own work; `none`: it has none. A step is final only when its body is not open and no child is.';
comment on column steps.failed_children is 'Children that ended neither with success nor skipped.';
comment on column steps.system_failed_children is 'Failed children that ignore_failure does not cover.';
comment on column steps.attempt is 'Number of the attempt, from 1. 0: never started.';
comment on column steps.fence is 'Fencing token of the current attempt.';
comment on column steps.result_seq is
  'Number of the latest message of this attempt that was applied: a repeated one is acknowledged, not rejected.';
comment on column steps.wait_seconds is 'Duration of a wait step that continues by itself.';
comment on column steps.wait_until is 'End of a wait step that continues by itself.';
comment on column steps.wake_at is
  'When the step continues by itself: computed from the two columns before when it starts to wait.';
comment on column steps.input_arguments is 'Encrypted, because arguments may be sensitive.';
comment on column steps.outputs is 'Encrypted.';
comment on column steps.retry_of is 'Of a step of a retry: the step that it was copied from.';
comment on column steps.ran_as is
  'Of a step of a retry that was taken over as it had ended: the step that was executed and has the log, however often '
  'it was taken over since.';
comment on column steps.made_children is
  'Whether its own body created the steps below it. They are its result, so a retry does not execute the body again.';
comment on index steps_in_order is 'Default order of the list of steps: newest activity first, each in reading order.';
comment on index steps_by_project_in_order is
  'The same for readers of few projects: without it, the list read every step of the installation until a page was full.';
comment on index steps_to_make is 'Steps of workflow runs that are to create a change or a run.';

alter table activities
  add constraint activities_root_step_id_fkey
    foreign key (root_step_id) references steps (id) deferrable initially deferred,
  add constraint activities_workflow_step_id_fkey
    foreign key (workflow_step_id) references steps (id) on delete set null;

create function sluice_all_moved(expected bigint, moved bigint) returns boolean
  language plpgsql volatile
  as $$
  begin
    if coalesce(expected, 0) <> moved then
      raise exception 'of % steps that were to move, % did: they are not what they were', coalesce(expected, 0), moved;
    end if;
    return true;
  end $$;
comment on function sluice_all_moved is
  'Raises an exception when fewer steps changed than expected: a statement that commits by itself cannot rely on a later '
  'statement of the transaction to find out.';
