-- oldest-release: 0.1.0
-- The published version of its workflow that a schedule runs; null: the latest.
alter table scheduled_activities add column version integer check (version >= 1);
