-- oldest-release: 0.1.0
-- The same answer as before (0046) for a tenth less: the runner and the activity are one statement, the three steps another.
--
-- Answers nothing, and does nothing, where the activity's row is not what was `seen`, or the runner's session is another.
-- Steps that are not what they were although their activity is are a bug, and undo everything.
create or replace function sluice_succeed(
  its_activity uuid, seen xid, its_runner uuid, its_session bigint,
  ended uuid, ended_fence bigint, ended_exit_code integer, ended_result_seq bigint,
  begun uuid, its_parent uuid)
returns table (id uuid, parent_id uuid, "position" integer, attempt integer, fence bigint, definition text, tree_order text)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    now timestamptz := sluice_now();
  begin
    with held as materialized (
      select from runners r
       where r.id = its_runner and r.session = its_session and r.status is not distinct from 'live'
         for key share
    )
    update activities a
       set n_pending = a.n_pending - 1, updated_at = now
      from held
     where a.id = its_activity and a.xmin = seen;
    if not found then return; end if;

    return query
    with moved as (
      update steps s
         set status        = case s.id when ended then 'success' when begun then 'running' else s.status end,
             body          = case s.id when ended then 'done' else s.body end,
             open_children = case s.id when its_parent then s.open_children - 1 else s.open_children end,
             attempt       = case s.id when begun then s.attempt + 1 else s.attempt end,
             fence         = case s.id when begun then nextval('fences') else s.fence end,
             runner_id     = case s.id when begun then its_runner else s.runner_id end,
             result_seq    = case s.id when ended then ended_result_seq when begun then 0 else s.result_seq end,
             exit_code     = case s.id when ended then coalesce(ended_exit_code, s.exit_code) when begun then null else s.exit_code end,
             error_message = case s.id when begun then null else s.error_message end,
             wake_at       = case s.id when its_parent then s.wake_at end,
             queued_at     = case s.id when begun then now else s.queued_at end,
             started_at    = case s.id when begun then now else s.started_at end,
             finished_at   = case s.id when ended then now when begun then null else s.finished_at end,
             row_version   = case s.id when its_parent then s.row_version else s.row_version + 1 end,
             updated_at    = case s.id when its_parent then s.updated_at else now end
       where s.id in (ended, begun, its_parent) and s.activity_id is not distinct from its_activity
         and (s.id = its_parent
              or s.parent_id is not distinct from its_parent and s.body is not distinct from 'open'
                 and (s.id = begun and s.status is not distinct from 'pending'
                      or s.id = ended and s.status is not distinct from 'running' and s.fence = ended_fence))
      returning s.id, s.parent_id, s.position, s.attempt, s.fence, s.definition, s.tree_order
    )
    select m.* from moved m where m.id = begun and (select count(*) from moved) = 3;
    if not found then
      raise exception 'step % was to end and step % to begin beneath %: they are not what they were', ended, begun, its_parent;
    end if;
  end $$;
