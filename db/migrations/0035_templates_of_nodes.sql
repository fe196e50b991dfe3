-- oldest-release: 0.1.0
-- What a node is made from now, on its own row: a list of the assets of one template is then read from one index in its
-- order, instead of looking the template up for each asset until a hundred are found. The codes of templates and the
-- names of versions never change.
alter table nodes
  add column template_code text collate "C",
  add column template_version text collate "C";

-- Every row is written anew, which the words of a million in this index would take most of the time of.
drop index nodes_by_part;
update nodes n
   set template_code = t.code, template_version = v.version
  from template_version_histories h
  join templates t on t.id = h.template_id
  join template_versions v on v.id = h.template_version_id
 where h.node_id = n.id and h.active_to is null and n.destroyed_at is null;

create index nodes_by_part on nodes using gin
  (lower(name collate "und-x-icu") gin_trgm_ops, lower(code collate "und-x-icu") gin_trgm_ops,
   lower(description collate "und-x-icu") gin_trgm_ops)
  where destroyed_at is null;
create index nodes_by_template on nodes (node_type, template_code, created_at, id) where destroyed_at is null;

create function sluice_template_of_node() returns trigger language plpgsql as $$
begin
  update nodes n
     set template_code = t.code, template_version = v.version
    from begun h
    join templates t on t.id = h.template_id
    join template_versions v on v.id = h.template_version_id
   where n.id = h.node_id and h.active_to is null;
  return null;
end $$;

-- Whoever closes a version opens the next one in the same transaction, so that beginnings tell all.
create trigger template_of_node after insert on template_version_histories
  referencing new table as begun for each statement execute function sluice_template_of_node();

analyze nodes;
