-- Background tasks of nodes and of template versions: actions of programs, models, images and agents.

create table node_background_tasks (
  id                          uuid primary key default sluice_uuid7(),
  request_number              bigint not null generated always as identity,
  task_type                   text collate "C" not null
    check (task_type in ('GenerateActionsRequest', 'BuildAgentImageTask', 'GenerateModelTask', 'StartAgentTask', 'StopAgentTask')),
  node_id                     uuid references nodes (id),
  template_version_id         uuid references template_versions (id),
  template_version_history_id uuid references template_version_histories (id),
  project_id                  uuid not null,
  path                        text collate "C" not null,
  about_node                  boolean not null default false,
  trigger                     text collate "C",
  activity_id                 uuid references activities (id) on delete set null,
  status_code                 text collate "C" not null default 'initializing'
    check (status_code in ('initializing', 'running', 'success', 'error', 'cancelled')),
  site                        text collate "C" not null default 'main',
  pool                        text collate "C" not null,
  attempt                     integer not null default 0,
  fence                       bigint not null default 0,
  input                       text,
  output                      text,
  catalogue_id                uuid,
  image_sha                   text collate "C",
  image_purged                boolean not null default false,
  error_message               text collate "C",
  cancelled_by                text collate "C",
  created_by                  text collate "C" not null,
  user_id                     uuid,
  scope_project_id            uuid,
  row_version                 bigint not null default 1,
  created_at                  timestamptz not null default sluice_now(),
  started_at                  timestamptz,
  finished_at                 timestamptz,
  updated_at                  timestamptz not null default sluice_now(),
  constraint node_background_tasks_of_node_or_version check (node_id is not null or template_version_id is not null)
);
create index node_background_tasks_by_node on node_background_tasks (node_id, created_at, id);
create index node_background_tasks_latest on node_background_tasks (node_id, task_type, request_number desc);
create index node_background_tasks_latest_of_history
  on node_background_tasks (template_version_history_id, request_number desc)
  where template_version_history_id is not null;
create index node_background_tasks_by_version on node_background_tasks (template_version_id)
  where template_version_id is not null;
create index node_background_tasks_by_activity on node_background_tasks (activity_id) where activity_id is not null;
create unique index node_background_tasks_next on node_background_tasks (node_id, task_type)
  where about_node and status_code = 'initializing';
create index node_background_tasks_open on node_background_tasks (status_code) where status_code in ('initializing', 'running');
create index node_background_tasks_waiting on node_background_tasks (site, pool, request_number) where status_code = 'initializing';
comment on table node_background_tasks is 'Background tasks. Their logs are kept.';
comment on column node_background_tasks.request_number is 'Creation order.';
comment on column node_background_tasks.about_node is
  'Whether the task concerns the node itself: neither a template version nor a change in preparation.';
comment on column node_background_tasks.trigger is
  'What created the task: request, template_version_change, float, template_version, change …';
comment on column node_background_tasks.activity_id is
  'Change in whose slot the actions of a program are derived after it was admitted: such a task does not queue.';
comment on column node_background_tasks.attempt is
  'A task that runs again is another attempt: log lines are identified by it.';
comment on column node_background_tasks.catalogue_id is 'Resulting actions.';
comment on column node_background_tasks.image_sha is 'Image that was built. Kept when the image itself is deleted.';
comment on column node_background_tasks.cancelled_by is
  'Who requested the cancellation. The task is cancelled once none of its processes runs.';
comment on column node_background_tasks.scope_project_id is 'As template_versions.scope_project_id.';
comment on index node_background_tasks_next is
  'A second task that has not started would do the same as the first: a task reads the current state when it starts.';
comment on index node_background_tasks_latest is
  'Latest task of each type of a node in one probe: a node that follows a branch has a task for each commit.';

create table node_actions (
  node_id      uuid primary key references nodes (id) on delete cascade,
  catalogue_id uuid not null references action_catalogues (id) on delete cascade,
  derived_at   timestamptz not null default sluice_now()
);
create index node_actions_by_catalogue on node_actions (catalogue_id);
comment on table node_actions is
  'Latest actions of nodes that have actions of their own. A failed derivation leaves them unchanged.';

create table agent_statuses (
  id             uuid primary key default sluice_uuid7(),
  node_id        uuid not null unique references nodes (id) on delete cascade,
  desired_status text collate "C" not null default 'absent' check (desired_status in ('running', 'absent')),
  status         text collate "C" not null default 'absent'
    check (status in ('absent', 'initializing', 'running', 'stopping', 'error')),
  build_task_id  uuid references node_background_tasks (id),
  row_version    bigint not null default 1,
  created_at     timestamptz not null default sluice_now(),
  updated_at     timestamptz not null default sluice_now()
);
create index agent_statuses_by_build_task on agent_statuses (build_task_id) where build_task_id is not null;
comment on table agent_statuses is 'Desired and actual status of agents.';
comment on column agent_statuses.build_task_id is 'Build of the image that the agent runs or is to run.';
