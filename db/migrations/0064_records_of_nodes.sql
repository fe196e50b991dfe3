-- oldest-release: 0.1.0
-- What belongs to a node and what it is made from now, by id on its own row, as 0035 has the names: three joins for each
-- record of a list were half of what its page took. A node has one record of settings and one of properties for good, and
-- another version of its template is another row of its history.
alter table nodes
  add column settings_id uuid,
  add column properties_id uuid,
  add column template_id uuid,
  add column template_version_id uuid;

create or replace function sluice_template_of_node() returns trigger language plpgsql as $$
begin
  update nodes n
     set template_id = t.id, template_code = t.code, template_version_id = v.id, template_version = v.version
    from begun h
    join templates t on t.id = h.template_id
    join template_versions v on v.id = h.template_version_id
   where n.id = h.node_id and h.active_to is null;
  return null;
end $$;

create function sluice_settings_of_node() returns trigger language plpgsql as $$
begin
  update nodes n set settings_id = made.id from made where n.id = made.owner_id;
  return null;
end $$;
create trigger settings_of_node after insert on settings
  referencing new table as made for each statement execute function sluice_settings_of_node();

create function sluice_properties_of_node() returns trigger language plpgsql as $$
begin
  update nodes n set properties_id = made.id from made where n.id = made.owner_id;
  return null;
end $$;
create trigger properties_of_node after insert on properties
  referencing new table as made for each statement execute function sluice_properties_of_node();

-- Every row is written anew, which the words of a million in this index would take most of the time of.
drop index nodes_by_part;
update nodes n
   set settings_id = s.id, properties_id = p.id, template_id = h.template_id, template_version_id = h.template_version_id
  from nodes same
  left join settings s on s.owner_id = same.id
  left join properties p on p.owner_id = same.id
  left join template_version_histories h on h.node_id = same.id and h.active_to is null
 where same.id = n.id and n.destroyed_at is null;
create index nodes_by_part on nodes using gin
  (lower(name collate "und-x-icu") gin_trgm_ops, lower(code collate "und-x-icu") gin_trgm_ops,
   lower(description collate "und-x-icu") gin_trgm_ops)
  where destroyed_at is null;

analyze nodes;
