-- oldest-release: 0.1.0
-- What a sequence is made of: a step succeeds, and the sibling after it begins on the same runner. The same as the
-- statement for many activities (succession.store.ts) in statements of a row each, which together cost PostgreSQL a fifth
-- less than that one does for a single activity, since it begins and ends a plan for all that might be asked.
--
-- Answers nothing, and does nothing, where the activity's row is not what was `seen`, or the runner's session is another.
-- Steps that are not what they were although their activity is are a bug, and undo everything.
create function sluice_succeed(
  its_activity uuid, seen xid, its_runner uuid, its_session bigint,
  ended uuid, ended_fence bigint, ended_exit_code integer, ended_result_seq bigint,
  begun uuid, its_parent uuid)
returns table (id uuid, parent_id uuid, "position" integer, attempt integer, fence bigint, definition text, tree_order text)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    now timestamptz := sluice_now();
  begin
    perform from runners r
      where r.id = its_runner and r.session = its_session and r.status is not distinct from 'live'
        for key share;
    if not found then return; end if;

    update activities a
       set n_pending = a.n_pending - 1, updated_at = now
     where a.id = its_activity and a.xmin = seen;
    if not found then return; end if;

    update steps s
       set status = 'success', body = 'done', result_seq = ended_result_seq,
           exit_code = coalesce(ended_exit_code, s.exit_code), wake_at = null, finished_at = now,
           row_version = s.row_version + 1, updated_at = now
     where s.id = ended and s.activity_id is not distinct from its_activity
       and s.status is not distinct from 'running' and s.body is not distinct from 'open' and s.fence = ended_fence
       and s.parent_id is not distinct from its_parent;
    if not found then raise exception 'step % was to end, and is not what it was', ended; end if;

    update steps s
       set open_children = s.open_children - 1
     where s.id = its_parent and s.activity_id is not distinct from its_activity;
    if not found then raise exception 'step % was to lose a child, and is not there', its_parent; end if;

    return query
    update steps s
       set status = 'running', attempt = s.attempt + 1, fence = nextval('fences'), runner_id = its_runner,
           result_seq = 0, exit_code = null, error_message = null, wake_at = null, queued_at = now, started_at = now,
           finished_at = null, row_version = s.row_version + 1, updated_at = now
     where s.id = begun and s.activity_id is not distinct from its_activity
       and s.status is not distinct from 'pending' and s.body is not distinct from 'open'
       and s.parent_id is not distinct from its_parent
    returning s.id, s.parent_id, s.position, s.attempt, s.fence, s.definition, s.tree_order;
    if not found then raise exception 'step % was to begin, and is not what it was', begun; end if;
  end $$;
