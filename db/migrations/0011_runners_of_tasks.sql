-- oldest-release: 0.1.0
-- A runner works for an activity or for a background task, which is how actions that are programs are derived: a user's
-- code runs nowhere else.

alter table runners add column task_id uuid;
alter table runners add check (activity_id is null or task_id is null);
create unique index runners_of_task on runners (task_id) where status in ('wanted', 'starting', 'live');

-- Lines of a log are known by (step, attempt, number): a task that runs again is another attempt.
alter table node_background_tasks add column attempt int not null default 0;
create index node_background_tasks_by_version on node_background_tasks (template_version_id)
  where template_version_id is not null;
