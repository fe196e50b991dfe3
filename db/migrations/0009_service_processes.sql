-- oldest-release: 0.1.0
-- The processes of the service that are alive, each renewing its row every 5 s. What a process held in the job queue
-- when it died is freed by the others once its row is 30 s old: the queue library itself would hold it for four hours.

create table service_processes (
  id           uuid primary key default sluice_uuid7(),
  site         text collate "C" not null default 'main',
  role         text collate "C" not null check (role in ('all', 'api', 'worker')),
  host         text collate "C" not null,
  pid          int not null,
  release      text collate "C" not null,
  job_workers  text[] collate "C" not null default '{}',
  started_at   timestamptz not null default sluice_now(),
  heartbeat_at timestamptz not null default sluice_now()
);
