-- oldest-release: 0.1.0
-- The users with most database time in the last minute, as each process tells with its heartbeat, and when they are all
-- asked for it (GET /api/admin/load).
alter table service_processes add column user_load jsonb not null default '[]';
