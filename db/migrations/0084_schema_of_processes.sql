-- oldest-release: 0.1.0
-- Newest migration that a service process knows. Two releases may have one number while they are developed, and during an
-- upgrade it tells which processes are still to be replaced. Null for processes of earlier releases.
alter table service_processes add column schema_version integer;
