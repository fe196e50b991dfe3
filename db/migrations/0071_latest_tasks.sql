-- oldest-release: 0.1.0
-- The latest background task of each type of a node, and the latest tasks of a time in which it had one version, each by
-- one probe: a node that follows a branch has a task for each commit, and a page of assets read all of them.
create index node_background_tasks_latest on node_background_tasks (node_id, task_type, request_number desc);
create index node_background_tasks_latest_of_history
  on node_background_tasks (template_version_history_id, request_number desc)
  where template_version_history_id is not null;
