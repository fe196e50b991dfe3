-- oldest-release: 0.1.0
-- What fails each time it runs goes on all the same, and was told of in the log of its process alone.
alter table service_processes add column failing_loops jsonb not null default '[]';
