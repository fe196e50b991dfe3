-- oldest-release: 0.1.0
-- Rows of destroyed nodes are deleted: whoever is referred to asks by these who refers to it.

create index nodes_destroyed on nodes (node_type, id) where destroyed_at is not null;
create index nodes_beneath on nodes (parent_id);
create index activities_by_root on activities (root_step_id);
create index runners_by_activity on runners (activity_id) where activity_id is not null;
create index runners_by_task on runners (task_id) where task_id is not null;
create index artefacts_by_content on artefacts (sha256);
create index node_background_tasks_by_history on node_background_tasks (template_version_history_id)
  where template_version_history_id is not null;
create index models_by_history on models (template_version_history_id);
create index models_by_time on models (created_at);
create index template_version_histories_by_any_version on template_version_histories (template_version_id);
create index template_version_commits_by_commit on template_version_commits (git_remote_id, commit_sha);
create index template_versions_by_remote on template_versions (git_remote_id);
create index templates_by_remote on templates (git_remote_id);
create index action_catalogues_of_assets on action_catalogues (derived_at) where input_sha <> '';
