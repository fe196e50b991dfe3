-- oldest-release: 0.1.0
-- A statement that moves steps and commits by itself refuses what a transaction's later statement would have refused.
create function sluice_all_moved(expected bigint, moved bigint) returns boolean
  language plpgsql volatile
  as $$
  begin
    if coalesce(expected, 0) <> moved then
      raise exception 'of % steps that were to move, % did: they are not what they were', coalesce(expected, 0), moved;
    end if;
    return true;
  end $$;
