-- Activities: changes and workflow runs alike. The lifecycle tables in src/domain/steps define the statuses; a test compares
-- the types below with them.
--
-- Permitted values are checked by domains and generated columns call functions, because PostgreSQL parses the text of a
-- table's checks and generated columns again for every statement that writes the table: on activities and steps that was a
-- seventh of the cost of the end of a step. Domains and function bodies are cached by the connection.

create domain non_negative as integer check (value >= 0);
create domain positive as integer check (value >= 1);
create domain activity_kind as text collate "C" check (value in ('change', 'workflow_run'));
create domain activity_status as text collate "C"
  check (value in ('initializing', 'pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled',
                   'aborted', 'system_error'));
create domain activity_pause_state as text collate "C" check (value in ('none', 'pausing', 'paused'));
create domain on_runner_lost as text collate "C" check (value in ('error', 'restart'));
create domain runner_kind as text collate "C" check (value in ('process', 'container', 'kubernetes'));

create function sluice_is_final(status text) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return status in ('success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error');
  end $$;
comment on function sluice_is_final is 'Whether an activity or a step with this status has ended.';

create function sluice_reported_status(status text, waits_for_approval boolean, rejected boolean) returns text
  language plpgsql immutable parallel safe as $$
  begin
    if status = 'waiting' and waits_for_approval then return 'waiting_for_approval'; end if;
    if status = 'aborted' and rejected then return 'rejected'; end if;
    return status;
  end $$;
comment on function sluice_reported_status is 'Status as users see it.';

create table activities (
  id                     uuid primary key default sluice_uuid7(),
  number                 bigint not null generated always as identity,
  kind                   activity_kind not null,
  node_id                uuid not null references nodes (id),
  project_id             uuid not null,
  path                   text collate "C" not null,
  site                   text collate "C" not null default 'main',
  pool                   text collate "C" not null default 'runner',
  name_key               text collate "C" not null,
  status                 activity_status not null default 'initializing',
  final                  boolean not null generated always as (sluice_is_final(status)) stored,
  reported_status        text collate "C" not null
    generated always as (sluice_reported_status(status, n_waiting_approval > 0, rejected)) stored,
  pause_state            activity_pause_state not null default 'none',
  paused_by              text collate "C",
  rejected               boolean not null default false,
  head                   boolean not null default false,
  under_way              boolean not null default false,
  allow_same_name        boolean not null default false,
  allow_parallel         boolean not null default true,
  pod_per_step           boolean not null default false,
  parallel_steps         positive not null default 5,
  on_runner_lost         on_runner_lost not null default 'error',
  runner_kind            runner_kind not null default 'process',
  runner_options         jsonb not null default '{}',
  holds_slot             boolean not null default false,
  waiting_since          timestamptz,
  idle_seconds           non_negative not null default 30,
  n_pending              non_negative not null default 0,
  n_queued               non_negative not null default 0,
  n_running              non_negative not null default 0,
  n_waiting              non_negative not null default 0,
  n_waiting_approval     non_negative not null default 0,
  n_slots                non_negative not null default 0,
  root_step_id           uuid,
  workflow_step_id       uuid,
  created_by             text collate "C" not null,
  user_id                uuid,
  scope_project_id       uuid,
  requires_approval_from jsonb not null default '[]',
  approved_by            jsonb not null default '[]',
  rejected_by            jsonb not null default '[]',
  cancelled_by           text collate "C",
  cancelled_by_id        uuid,
  cancel_requested_at    timestamptz,
  cancel_request         jsonb,
  error_message          text collate "C",
  run_at                 timestamptz,
  row_version            bigint not null default 1,
  created_at             timestamptz not null default sluice_now(),
  started_at             timestamptz,
  finished_at            timestamptz,
  updated_at             timestamptz not null default sluice_now()
) with (fillfactor = 70);
create index activities_by_time on activities (created_at, id);
create index activities_by_project on activities (project_id, created_at, id);
create index activities_by_path on activities (path, created_at, id);
create index activities_by_beginning_of_path on activities ((lower(path collate "und-x-icu") collate "C"));
create index activities_by_node on activities (node_id, created_at, id);
create index activities_by_status on activities (reported_status, created_at, id);
create index activities_by_maker on activities (user_id, created_at, id) where user_id is not null;
create index activities_by_root on activities (root_step_id);
create index activities_runs on activities (created_at, id) where kind = 'workflow_run';
create index activities_runs_of_project on activities (project_id, created_at, id) where kind = 'workflow_run';
create index activities_runs_of_project_by_id on activities (project_id, id) where kind = 'workflow_run';
create unique index activities_of_workflow_step on activities (workflow_step_id) where workflow_step_id is not null;
create index activities_live on activities (kind, status) where not final;
create index activities_same_name on activities (site, name_key, number) where not final;
create index activities_unfinished_on_node on activities (node_id, number) where not final;
create index activities_started_on_node on activities (node_id) where status in ('running', 'waiting', 'queued');
create index activities_to_begin on activities (project_id)
  where (status)::text = 'initializing' or ((status)::text = 'pending' and head);
create index activities_admissible on activities (site, pool, number) where status = 'pending' and head;
create index activities_admissible_to_creator on activities (site, pool, user_id, number) where status = 'pending';
create index activities_under_way on activities (site, pool, number) where status = 'pending' and under_way;
create index activities_to_resume on activities (site, pool, number) where status = 'queued';
create index activities_of_single_steps on activities (site, pool, number) where status = 'running' and pod_per_step;
create index activities_idle on activities (waiting_since) where status = 'waiting' and holds_slot;
create index activities_cancelling on activities (id) where cancel_requested_at is not null and not final;
comment on table activities is
  'Changes and workflow runs, as the engine executes them. `changes` and `workflow_runs` extend it one to one.';
comment on column activities.number is
  'Creation order, by which the oldest is admitted first. A sequence, because clocks do not give an order.';
comment on column activities.name_key is
  'Key by which activities have the same name: of a change, its target and action; of a run, its workflow. Lower case.';
comment on column activities.head is
  'Whether no older activity of its name is unfinished. Maintained under an advisory lock on the name (docs/adr/0072) by '
  'whoever creates or ends one.';
comment on column activities.under_way is 'Created by a step of an admitted run: maintenance mode does not hold it back.';
comment on column activities.allow_same_name is
  'This and the columns down to runner_options are copies of the settings that admission needs: settings are encrypted.';
comment on column activities.pod_per_step is 'Whether each step has a slot and a runner of its own (docs/adr/0068).';
comment on column activities.idle_seconds is 'How long a waiting activity keeps its slot and runner.';
comment on column activities.n_pending is
  'This and the following four count the steps in each live status. Changed by the statement that changes the steps. Not '
  'indexed, because they change often.';
comment on column activities.n_running is
  'Counts steps whose own body runs: a group whose children are running needs no runner.';
comment on column activities.n_slots is
  'Slots of single steps: of running ones, and of queued ones whose runner is about to start.';
comment on column activities.workflow_step_id is
  'Step of a workflow run that created the activity: at most one for each step.';
comment on column activities.scope_project_id is 'As template_versions.scope_project_id.';
comment on column activities.cancel_request is
  'Request that asked for the cancellation. Its event is recorded when the last running step has ended, possibly by '
  'another process.';
comment on index activities_by_beginning_of_path is 'Filter on the beginning of the node path, case-insensitively.';
comment on index activities_to_begin is 'Work of a project that was created and has not started, which schedules limit.';
comment on index activities_of_single_steps is
  'Where admission looks for steps without a slot: among running activities only, which are few.';

create table name_checks (
  id       bigint generated always as identity primary key,
  site     text collate "C" not null,
  name_key text collate "C" not null
);
comment on table name_checks is
  'Names of which an activity has ended. The next activity of the name becomes the head in a transaction of its own, '
  'because a transaction that has locked an activity must not wait for another one (lock order).';

create table slot_pools (
  site             text collate "C" not null default 'main',
  pool             text collate "C" not null,
  id               uuid not null default sluice_uuid7(),
  configured_limit integer not null check (configured_limit >= 0),
  used             integer not null default 0 check (used >= 0),
  row_version      bigint not null default 1,
  updated_at       timestamptz not null default sluice_now(),
  constraint slot_pools_pkey primary key (site, pool)
);
create unique index slot_pools_by_id on slot_pools (id);
comment on table slot_pools is 'Limits of concurrent work: one pool for each kind of work and site.';
insert into slot_pools (pool, configured_limit) values
  ('runner', 15), ('actions_refresh', 5), ('model', 5), ('agent', 50), ('image_build', 8);

create table slot_claims (
  id          uuid primary key default sluice_uuid7(),
  site        text collate "C" not null,
  pool        text collate "C" not null,
  slot        integer not null check (slot >= 1),
  holder_kind text collate "C" not null check (holder_kind in ('activity', 'step', 'task', 'agent')),
  holder_id   uuid not null unique,
  node_path   text collate "C" not null,
  claimed_at  timestamptz not null default sluice_now(),
  constraint slot_claims_site_pool_slot_key unique (site, pool, slot),
  constraint slot_claims_site_pool_fkey foreign key (site, pool) references slot_pools (site, pool)
);
comment on table slot_claims is 'Slots in use.';
