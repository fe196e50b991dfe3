-- oldest-release: 0.1.0
-- Background jobs that have gone well: the queue deletes them, and people ask what has been done. Its id is the one under
-- which the job was shown while it was queued (made of the queue's own number and of when it was put there).
create table finished_jobs (
  id               uuid primary key,
  job_class        text collate "C" not null,
  queue            text collate "C" not null,
  attempts         integer not null,
  maximum_attempts integer not null,
  run_at           timestamptz not null,
  started_at       timestamptz,
  finished_at      timestamptz not null,
  node_path        text collate "C",
  created_at       timestamptz not null
);
create index finished_jobs_by_time on finished_jobs (created_at, id);
create index finished_jobs_by_end on finished_jobs (finished_at);

-- Where work is done. Processes, runners and slot pools name it by its code.
create table sites (
  id         uuid primary key default sluice_uuid7(),
  code       text collate "C" not null unique,
  created_at timestamptz not null default sluice_now()
);
insert into sites (code) values ('main');
