-- oldest-release: 0.1.0
-- The engine: one table of activities (changes and workflow runs alike), one of steps. The lifecycle tables in
-- src/domain/steps are the truth about statuses; the checks below are compared with them by a test.

create sequence fences;

create table activities (
  id              uuid primary key default sluice_uuid7(),
  -- Creation order: what "oldest first" means. A sequence, because clocks are not.
  number          bigint not null generated always as identity,
  kind            text collate "C" not null check (kind in ('change', 'workflow_run')),
  node_id         uuid not null references nodes (id),
  project_id      uuid not null,
  path            text collate "C" not null,
  site            text collate "C" not null default 'main',
  pool            text collate "C" not null default 'runner',
  -- What "the same name" compares: for a change its target and action, for a run its workflow; lower case.
  name_key        text collate "C" not null,
  status          text collate "C" not null default 'initializing'
                  check (status in ('initializing', 'pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error')),
  reported_status text collate "C" not null generated always as (
                    case when status = 'waiting' and n_waiting_approval > 0 then 'waiting_for_approval'
                         when status = 'aborted' and rejected then 'rejected'
                         else status end) stored,
  final           boolean not null generated always as (status in ('success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error')) stored,
  pause_state     text collate "C" not null default 'none' check (pause_state in ('none', 'pausing', 'paused')),
  paused_by       text collate "C",
  rejected        boolean not null default false,
  -- Nothing older of its name is unfinished: kept under the lock of its name_queues row by whoever creates or ends one.
  head            boolean not null default false,
  -- Made by a step of an admitted run: maintenance does not hold it.
  under_way       boolean not null default false,
  -- What admission asks of the settings, copied at creation (settings are encrypted).
  allow_same_name boolean not null default false,
  allow_parallel  boolean not null default true,
  pod_per_step    boolean not null default false,
  parallel_steps  int not null default 5 check (parallel_steps >= 1),
  on_runner_lost  text collate "C" not null default 'error' check (on_runner_lost in ('error', 'restart')),
  runner_kind     text collate "C" not null default 'process' check (runner_kind in ('process', 'container', 'kubernetes')),
  runner_options  jsonb not null default '{}',
  holds_slot      boolean not null default false,
  -- While it waits it keeps slot and runner for so long.
  waiting_since   timestamptz,
  idle_seconds    int not null default 30 check (idle_seconds >= 0),
  -- How many steps are in each live status; moved by the statement that moves the steps. No index: they are hot.
  -- Running counts open bodies only: a group whose children are under way holds no runner.
  n_pending          int not null default 0 check (n_pending >= 0),
  n_queued           int not null default 0 check (n_queued >= 0),
  n_running          int not null default 0 check (n_running >= 0),
  n_waiting          int not null default 0 check (n_waiting >= 0),
  n_waiting_approval int not null default 0 check (n_waiting_approval >= 0),
  root_step_id    uuid,
  created_by      text collate "C" not null,
  user_id         uuid,
  requires_approval_from jsonb not null default '[]',
  approved_by     jsonb not null default '[]',
  rejected_by     jsonb not null default '[]',
  cancelled_by    text collate "C",
  cancelled_by_id uuid,
  cancel_requested_at timestamptz,
  error_message   text collate "C",
  run_at          timestamptz,
  row_version     bigint not null default 1,
  created_at      timestamptz not null default sluice_now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  updated_at      timestamptz not null default sluice_now()
) with (fillfactor = 70);
create index activities_by_time on activities (created_at, id);
create index activities_by_project on activities (project_id, created_at, id);
create index activities_by_path on activities (path, created_at, id);
create index activities_by_node on activities (node_id, created_at, id);
create index activities_by_status on activities (reported_status, created_at, id);
create index activities_live on activities (kind, status) where not final;
create index activities_same_name on activities (site, name_key, number) where not final;
create index activities_admissible on activities (site, pool, number) where status = 'pending' and head;
create index activities_admissible_to_creator on activities (site, pool, user_id, number) where status = 'pending';
create index activities_under_way on activities (site, pool, number) where status = 'pending' and under_way;
create index activities_started_on_node on activities (node_id) where status in ('running', 'waiting', 'queued');
create index activities_to_resume on activities (site, pool, number) where status = 'queued';
create index activities_unfinished_on_node on activities (node_id, number) where not final;
create index activities_idle on activities (waiting_since) where status = 'waiting' and holds_slot;
create index activities_cancelling on activities (id) where cancel_requested_at is not null and not final;

-- The lock under which heads are moved.
create table name_queues (
  site     text collate "C" not null,
  name_key text collate "C" not null,
  primary key (site, name_key)
);

-- Names of which an activity has ended: the next of each is moved to the head in a transaction of its own, because one
-- that holds an activity may not wait for another (lock order).
create table name_checks (
  id       bigint primary key generated always as identity,
  site     text collate "C" not null,
  name_key text collate "C" not null
);

create table slot_pools (
  site             text collate "C" not null default 'main',
  pool             text collate "C" not null,
  configured_limit int not null check (configured_limit >= 0),
  used             int not null default 0 check (used >= 0),
  row_version      bigint not null default 1,
  updated_at       timestamptz not null default sluice_now(),
  primary key (site, pool)
);
insert into slot_pools (pool, configured_limit) values
  ('runner', 15), ('actions_refresh', 5), ('model', 5), ('agent', 50), ('image_build', 8);

create table slot_claims (
  id          uuid primary key default sluice_uuid7(),
  site        text collate "C" not null,
  pool        text collate "C" not null,
  slot        int not null check (slot >= 1),
  holder_kind text collate "C" not null check (holder_kind in ('activity', 'step', 'task', 'agent')),
  holder_id   uuid not null unique,
  node_path   text collate "C" not null,
  claimed_at  timestamptz not null default sluice_now(),
  unique (site, pool, slot),
  foreign key (site, pool) references slot_pools (site, pool)
);

create table steps (
  id                   uuid primary key default sluice_uuid7(),
  activity_id          uuid not null references activities (id) on delete cascade,
  project_id           uuid not null,
  path                 text collate "C" not null,
  parent_id            uuid references steps (id) on delete cascade,
  -- Position among its siblings from 0; tree_order sorts a whole tree in reading order, bytewise.
  position             int not null,
  tree_order           text collate "C" not null,
  step_type            text collate "C" not null check (step_type in ('standard', 'wait', 'input', 'stage', 'change', 'workflow')),
  action               text collate "C",
  step_name            text collate "C" not null,
  full_path            text collate "C" not null,
  description          text collate "C",
  -- What there is to run: {run, shell, env, needs, timeout_seconds, …} as read from the catalogue, untemplated.
  definition           text,
  status               text collate "C" not null default 'pending'
                       check (status in ('pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error')),
  -- none: nothing to run. A step is final only when its body is not open and no child is.
  body                 text collate "C" not null default 'open' check (body in ('none', 'open', 'done', 'failed')),
  reported_status      text collate "C" not null generated always as (
                         case when status = 'waiting' and needs_approval then 'waiting_for_approval'
                              when status = 'aborted' and rejected then 'rejected'
                              else status end) stored,
  final                boolean not null generated always as (status in ('success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error')) stored,
  child_execution_strategy text collate "C" not null default 'sequential' check (child_execution_strategy in ('sequential', 'parallel')),
  ignore_failure       boolean not null default false,
  skip_requested       boolean not null default false,
  needs_approval       boolean not null default false,
  rejected             boolean not null default false,
  reset_on_retry       boolean not null default false,
  children             int not null default 0 check (children >= 0),
  open_children        int not null default 0 check (open_children >= 0),
  -- Children that ended neither success nor skipped; of those, the ones that no ignore_failure covers.
  failed_children      int not null default 0 check (failed_children >= 0),
  system_failed_children int not null default 0 check (system_failed_children >= 0),
  attempt              int not null default 0,
  fence                bigint not null default 0,
  -- The number of the newest message of this attempt that was applied: a repeated one is acknowledged, not refused.
  result_seq           bigint not null default 0,
  runner_id            uuid,
  -- Of a wait step that continues by itself; wake_at is set from them when it begins to wait.
  wait_seconds         int check (wait_seconds >= 0),
  wait_until           timestamptz,
  wake_at              timestamptz,
  -- Encrypted: they may hold values marked sensitive.
  input_arguments      bytea,
  requires_approval_from jsonb not null default '[]',
  approved_by          jsonb not null default '[]',
  rejected_by          jsonb not null default '[]',
  continued_by         text collate "C",
  outcome_reason       text collate "C",
  exit_code            int,
  error_message        text collate "C",
  outputs              bytea,
  row_version          bigint not null default 1,
  created_at           timestamptz not null default sluice_now(),
  queued_at            timestamptz,
  started_at           timestamptz,
  finished_at          timestamptz,
  updated_at           timestamptz not null default sluice_now(),
  check (not final or open_children = 0),
  check (status <> 'success' or body <> 'open')
) with (fillfactor = 70);
-- Newest activity first, each in reading order: the default order of the list of steps.
create unique index steps_in_order on steps (activity_id desc, tree_order);
create index steps_by_parent on steps (parent_id, position);
create index steps_by_status on steps (reported_status, created_at, id);
create index steps_by_project on steps (project_id, created_at, id);
create index steps_by_time on steps (created_at, id);
create index steps_queued on steps (activity_id, tree_order) where status = 'queued';
create index steps_running on steps (runner_id) where status = 'running' and body = 'open';
create index steps_unfinished on steps (parent_id, position) where not final;
create index steps_to_wake on steps (wake_at) where status = 'waiting' and wake_at is not null;

alter table activities add foreign key (root_step_id) references steps (id) deferrable initially deferred;

-- A change, one to one with its activity.
create table changes (
  id                  uuid primary key references activities (id) on delete cascade,
  action              text collate "C" not null,
  step_name           text collate "C" not null,
  metadata            jsonb not null default '{}',
  git_remote_id       uuid,
  git_remote_name     text collate "C",
  git_rev             text collate "C",
  commit_sha          text collate "C",
  template_version_id uuid,
  template_version    text collate "C",
  template_code       text collate "C",
  catalogue_id        uuid,
  skip_steps          text[] collate "C" not null default '{}',
  starting_step       text collate "C",
  auto_continue_wait_steps boolean not null default false,
  build_without_cache boolean not null default false,
  -- Encrypted documents. property_overrides is the layer "change" of its converged properties; steps write to it.
  property_overrides  bytea not null,
  property_overrides_version int not null default 1,
  settings_overrides  bytea not null,
  -- The settings as they were resolved at creation: a retry runs under the same.
  resolved_settings   bytea,
  notify              bytea,
  plan_sha            text collate "C",
  retry_of            uuid,
  workflow_step_id    uuid,
  scheduled_activity_id uuid
);
create index changes_by_action on changes (action, id);
create index changes_by_template_version on changes (template_version_id);
create index changes_by_commit on changes (git_remote_id, commit_sha);
create index changes_retry_of on changes (retry_of) where retry_of is not null;
