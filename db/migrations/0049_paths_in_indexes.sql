-- oldest-release: 0.1.0
-- Who may read a node is decided by its path. An index that has its order but not its path sends whoever may read one in
-- five to hundreds of scattered rows before a page is full; with the path in it, to none but those that are shown.
drop index nodes_by_name;
create index nodes_by_name on nodes (node_type, name, id) include (path) where destroyed_at is null;
drop index nodes_by_change;
create index nodes_by_change on nodes (node_type, updated_at, id) include (path) where destroyed_at is null;
drop index nodes_by_template;
create index nodes_by_template on nodes (node_type, template_code, created_at, id) include (path)
  where destroyed_at is null;
-- What begins so is found here whole, and brought into the order of names or of time before anybody's rights are asked.
drop index nodes_by_beginning;
create index nodes_by_beginning on nodes (node_type, (lower(name collate "und-x-icu") collate "C"), name, id)
  include (project_id, path, created_at)
  where destroyed_at is null;
-- A project is mostly read whole, whatever is asked of it: what that is mostly about stands here side by side.
drop index nodes_by_project;
create index nodes_by_project on nodes (project_id, node_type, created_at, id)
  include (name, code, updated_at, archived, template_code, user_id)
  where destroyed_at is null;

-- Of expressions in indexes nothing is known before it has been looked at.
analyze nodes;
