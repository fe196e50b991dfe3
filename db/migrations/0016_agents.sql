-- oldest-release: 0.1.0
-- What is wanted of each agent and what has become of it, and the images that are built for agents.

create table agent_statuses (
  id             uuid primary key default sluice_uuid7(),
  node_id        uuid not null unique references nodes (id) on delete cascade,
  desired_status text collate "C" not null default 'absent' check (desired_status in ('running', 'absent')),
  status         text collate "C" not null default 'absent'
                 check (status in ('absent', 'initializing', 'running', 'stopping', 'error')),
  -- The build of the image that it runs, or is to run.
  build_task_id  uuid references node_background_tasks (id),
  row_version    bigint not null default 1,
  created_at     timestamptz not null default sluice_now(),
  updated_at     timestamptz not null default sluice_now()
);
create index agent_statuses_by_build_task on agent_statuses (build_task_id) where build_task_id is not null;

insert into agent_statuses (node_id)
select id from nodes where node_type = 'agent';

alter table node_background_tasks
  -- What a build came to; kept when the image itself is gone.
  add column image_sha    text collate "C",
  add column image_purged boolean not null default false;
