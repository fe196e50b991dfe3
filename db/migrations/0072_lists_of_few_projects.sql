-- oldest-release: 0.1.0
-- Lists for people who may read a few projects only. The list of steps read every step of the installation in its order
-- until it had found a page of theirs, and the lists of workflow runs and of their steps read every run, or every change.
create index steps_by_project_in_order on steps (project_id, activity_id desc, tree_order);
create index activities_runs on activities (created_at, id) where kind = 'workflow_run';
create index activities_runs_of_project on activities (project_id, created_at, id) where kind = 'workflow_run';
create index activities_runs_of_project_by_id on activities (project_id, id) where kind = 'workflow_run';
