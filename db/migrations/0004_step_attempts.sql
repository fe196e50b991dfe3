-- oldest-release: 0.1.0
--
-- Processes of the release before keep only the newest attempt, as they did.
create table step_attempts (
  activity_id   uuid not null references activities (id) on delete cascade,
  step_id       uuid not null,
  attempt       positive not null,
  runner_id     uuid,
  error_message text collate "C" not null,
  started_at    timestamptz not null,
  finished_at   timestamptz not null,
  constraint step_attempts_pkey primary key (activity_id, step_id, attempt)
);
comment on table step_attempts is
  'Attempts of steps that ran again in the same activity. The newest attempt is in the row of the step, so a step that '
  'runs once has no row here.';
comment on column step_attempts.step_id is
  'No foreign key: every transition of a step would check it. Attempts are deleted with their activity.';
comment on column step_attempts.error_message is 'Why it ended.';
