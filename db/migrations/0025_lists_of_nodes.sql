-- oldest-release: 0.1.0
-- What lists of a million nodes are read from, in the orders and by the filters that people use all day.

create extension if not exists pg_trgm with schema public;

create index nodes_by_code on nodes (node_type, code, id) where destroyed_at is null;
create index nodes_by_change on nodes (node_type, updated_at, id) where destroyed_at is null;
create index nodes_by_maker on nodes (user_id, node_type, created_at, id) where destroyed_at is null;
create index nodes_archived on nodes (node_type, created_at, id) where archived and destroyed_at is null;
-- As lists compare parts of texts: lower case of every script, whatever the database's own collation.
create index nodes_by_part on nodes using gin
  (lower(name collate "und-x-icu") gin_trgm_ops, lower(code collate "und-x-icu") gin_trgm_ops,
   lower(description collate "und-x-icu") gin_trgm_ops)
  where destroyed_at is null;
create index nodes_by_beginning on nodes (node_type, (lower(name collate "und-x-icu") collate "C"), name, id)
  where destroyed_at is null;
-- In the order of lists, where there were only the parent and the type.
drop index nodes_by_parent;
create index nodes_by_parent on nodes (parent_id, node_type, created_at, id) where destroyed_at is null;

create index templates_by_code on templates (code);
create index bookmarks_by_time on bookmarks (created_at, id);
create index bookmarks_by_project on bookmarks (project_id, created_at, id);

-- No two versions of one owner at once, as before, but over a key that no lookup by id can take for its own: the planner
-- prefers this kind of index to the others, and it takes 57 microseconds where they take two.
alter table template_version_histories
  drop constraint template_version_histories_node_id_tstzrange_excl,
  add constraint template_version_histories_one_at_a_time
    exclude using gist (greatest(node_id) with =, tstzrange(active_from, active_to) with &&);
alter table template_version_commits
  drop constraint template_version_commits_template_version_id_tstzrange_excl,
  add constraint template_version_commits_one_at_a_time
    exclude using gist (greatest(template_version_id) with =, tstzrange(active_from, active_to) with &&);
create index template_version_commits_by_version on template_version_commits (template_version_id, active_from);
drop index template_version_histories_now;
create unique index template_version_histories_now on template_version_histories (node_id)
  include (template_id, template_version_id) where active_to is null;

-- Of expressions in indexes nothing is known before it has been looked at.
analyze nodes;
