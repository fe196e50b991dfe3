-- oldest-release: 0.1.0
-- Which service process is starting a runner, on `host`: when that one has ended before the runner has a process, nobody
-- starts it any more, and it is wanted again at once.

alter table runners add column starter_pid integer, add column starter_started bigint;
