-- oldest-release: 0.1.0
-- What is generated of a row's state is said by functions, and what a state may be by its type: PostgreSQL reads the text of
-- a check and of what generates a column anew for every statement that writes the table, and folds its lists of words each
-- time. The call of a function is short to read; its body is kept by the connection.
create function sluice_is_final(status text) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return status in ('success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error');
  end $$;

create function sluice_reported_status(status text, waits_for_approval boolean, rejected boolean) returns text
  language plpgsql immutable parallel safe as $$
  begin
    if status = 'waiting' and waits_for_approval then return 'waiting_for_approval'; end if;
    if status = 'aborted' and rejected then return 'rejected'; end if;
    return status;
  end $$;

create domain step_status as text collate "C"
  check (value in ('pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted',
                   'system_error'));
create domain activity_status as text collate "C"
  check (value in ('initializing', 'pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled',
                   'aborted', 'system_error'));

alter table steps
  drop constraint steps_check1,
  drop constraint steps_status_check,
  drop column final,
  drop column reported_status;
alter table steps
  alter column status type step_status,
  add column final boolean not null generated always as (sluice_is_final(status)) stored,
  add column reported_status text collate "C" not null
    generated always as (sluice_reported_status(status, needs_approval, rejected)) stored;
alter table steps
  add constraint steps_final_has_no_open_children check (not final or open_children = 0),
  add constraint steps_success_has_no_open_body check (status <> 'success' or body <> 'open');
create index steps_by_status on steps (reported_status, created_at, id);
create index steps_unfinished on steps (parent_id, position) where not final;

alter table activities
  drop constraint activities_status_check,
  drop constraint activities_n_waiting_approval_check,
  drop column final,
  drop column reported_status;
alter table activities
  alter column status type activity_status,
  alter column n_waiting_approval type non_negative,
  add column final boolean not null generated always as (sluice_is_final(status)) stored,
  add column reported_status text collate "C" not null
    generated always as (sluice_reported_status(status, n_waiting_approval > 0, rejected)) stored;
create index activities_by_status on activities (reported_status, created_at, id);
create index activities_cancelling on activities (id) where cancel_requested_at is not null and not final;
create index activities_live on activities (kind, status) where not final;
create index activities_same_name on activities (site, name_key, number) where not final;
create index activities_unfinished_on_node on activities (node_id, number) where not final;
