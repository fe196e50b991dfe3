-- oldest-release: 0.1.0
-- A list of nodes shows the ids of their settings and properties, and nothing else of these: told by the index itself, a
-- page of a hundred reads two hundred scattered pages less.
alter table settings
  drop constraint settings_owner_id_key,
  add constraint settings_owner_id_key unique (owner_id) include (id);
alter table properties
  drop constraint properties_owner_id_key,
  add constraint properties_owner_id_key unique (owner_id) include (id);
