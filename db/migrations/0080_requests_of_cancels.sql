-- oldest-release: 0.1.0
-- Which request asked for a cancel: its event is recorded once the last running step has ended, maybe by another process.
alter table activities add column cancel_request jsonb;
