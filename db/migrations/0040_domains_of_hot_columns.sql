-- oldest-release: 0.1.0
-- What a column of activities and steps may hold is said by its type. A check of the table is read anew from its text for
-- every statement that touches a row, of columns that the statement leaves alone as well: of these two tables that was a
-- seventh of what the end of a step cost. A domain is kept by the connection, and asked for what is written only.
-- Columns that others are generated from (status, n_waiting_approval) keep their checks.
create domain non_negative as integer check (value >= 0);
create domain positive as integer check (value >= 1);
create domain activity_kind as text collate "C" check (value in ('change', 'workflow_run'));
create domain activity_pause_state as text collate "C" check (value in ('none', 'pausing', 'paused'));
create domain on_runner_lost as text collate "C" check (value in ('error', 'restart'));
create domain runner_kind as text collate "C" check (value in ('process', 'container', 'kubernetes'));
create domain step_type as text collate "C" check (value in ('standard', 'wait', 'input', 'stage', 'change', 'workflow'));
create domain step_body as text collate "C" check (value in ('none', 'open', 'done', 'failed'));
create domain child_execution_strategy as text collate "C" check (value in ('sequential', 'parallel'));

alter table activities
  drop constraint activities_idle_seconds_check,
  drop constraint activities_kind_check,
  drop constraint activities_n_pending_check,
  drop constraint activities_n_queued_check,
  drop constraint activities_n_running_check,
  drop constraint activities_n_waiting_check,
  drop constraint activities_on_runner_lost_check,
  drop constraint activities_parallel_steps_check,
  drop constraint activities_pause_state_check,
  drop constraint activities_runner_kind_check,
  alter column idle_seconds type non_negative,
  alter column kind type activity_kind,
  alter column n_pending type non_negative,
  alter column n_queued type non_negative,
  alter column n_running type non_negative,
  alter column n_waiting type non_negative,
  alter column on_runner_lost type on_runner_lost,
  alter column parallel_steps type positive,
  alter column pause_state type activity_pause_state,
  alter column runner_kind type runner_kind;

alter table steps
  drop constraint steps_body_check,
  drop constraint steps_child_execution_strategy_check,
  drop constraint steps_children_check,
  drop constraint steps_failed_children_check,
  drop constraint steps_open_children_check,
  drop constraint steps_step_type_check,
  drop constraint steps_system_failed_children_check,
  drop constraint steps_wait_seconds_check,
  alter column body type step_body,
  alter column child_execution_strategy type child_execution_strategy,
  alter column children type non_negative,
  alter column failed_children type non_negative,
  alter column open_children type non_negative,
  alter column step_type type step_type,
  alter column system_failed_children type non_negative,
  alter column wait_seconds type non_negative;
