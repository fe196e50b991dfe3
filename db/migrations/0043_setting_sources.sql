-- oldest-release: 0.1.0
-- Where each of a change's resolved settings is from, for those that are no defaults. Null of a change that was made
-- before this was kept. Sealed it need not be: it names levels, no values.
alter table changes add column setting_sources jsonb;
