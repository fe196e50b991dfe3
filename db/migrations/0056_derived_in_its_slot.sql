-- oldest-release: 0.1.0
-- The change in whose slot a program is asked what it declares, once it was admitted: such a task stands in no line.
alter table node_background_tasks add column activity_id uuid references activities (id) on delete set null;
create index node_background_tasks_by_activity on node_background_tasks (activity_id) where activity_id is not null;
