-- oldest-release: 0.1.0
-- Texts of a step that are about to be recorded (the subject of a mail), until the step's runner has said how its log would
-- show them. Whichever process holds the runner's connection asks it, which need not be the one that records them.
create table texts_to_mask (
  id         uuid        primary key default sluice_uuid7(),
  runner_id  uuid        not null references runners (id) on delete cascade,
  step_id    uuid        not null,
  attempt    integer     not null,
  fence      bigint      not null,
  texts      bytea       not null,
  masked     bytea,
  created_at timestamptz not null default sluice_now()
);
create index texts_to_mask_by_runner on texts_to_mask (runner_id);
