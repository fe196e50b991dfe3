-- oldest-release: 0.1.0
-- A secret that a step has asked the service for, until the step's runner masks it: only then is it answered. Whichever
-- process holds the runner's connection tells it, which need not be the one that was asked.
create table secrets_to_mask (
  id         uuid        primary key default sluice_uuid7(),
  runner_id  uuid        not null references runners (id) on delete cascade,
  step_id    uuid        not null,
  attempt    integer     not null,
  fence      bigint      not null,
  value      bytea       not null,
  masked     boolean     not null default false,
  created_at timestamptz not null default sluice_now()
);
create index secrets_to_mask_by_runner on secrets_to_mask (runner_id);
