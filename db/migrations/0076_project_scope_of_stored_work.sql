-- oldest-release: 0.1.0
-- The project beyond which the creator's rights do not reach, for work that was created with the token of a step: whatever
-- acts later in the name of that user (a step of a run, a result, a retry, an exemption from maintenance) is held to it.
-- Null: created by a person. A process of the release before creates null, as it always did.
alter table activities add column scope_project_id uuid;
alter table workflow_versions add column scope_project_id uuid;
alter table node_background_tasks add column scope_project_id uuid;
alter table template_versions add column scope_project_id uuid;
