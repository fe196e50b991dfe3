-- oldest-release: 0.1.0
-- As in 0025: no two versions of one document in force at once, over a key that no lookup by id and number can take for its
-- own. By this index one version of a document with ten thousand was found by reading all of them.
alter table properties_versions
  drop constraint properties_versions_properties_id_tstzrange_excl,
  add constraint properties_versions_one_at_a_time
    exclude using gist (greatest(properties_id) with =, tstzrange(active_from, active_to) with &&);
alter table settings_versions
  drop constraint settings_versions_settings_id_tstzrange_excl,
  add constraint settings_versions_one_at_a_time
    exclude using gist (greatest(settings_id) with =, tstzrange(active_from, active_to) with &&);

-- Of expressions in indexes nothing is known before it has been looked at.
analyze properties_versions;
analyze settings_versions;
