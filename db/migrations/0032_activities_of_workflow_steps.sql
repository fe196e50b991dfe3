-- oldest-release: 0.1.0
-- What a step of a workflow run makes, a change or a run: one at most for each step.
alter table activities add column workflow_step_id uuid references steps (id) on delete set null;
create unique index activities_of_workflow_step on activities (workflow_step_id) where workflow_step_id is not null;

-- Steps of runs whose change or run has ended or is paused: told to the run in a transaction of its own, because one that
-- holds an activity may not wait for another (lock order).
create table workflow_step_news (
  id      bigint primary key generated always as identity,
  step_id uuid not null
);

-- Steps of runs whose turn it is.
create index steps_to_make on steps (activity_id, tree_order)
  where status = 'queued' and step_type in ('change', 'workflow');
