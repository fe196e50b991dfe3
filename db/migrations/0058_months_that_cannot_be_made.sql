-- oldest-release: 0.1.0
-- A month of which rows lie in the default partition already cannot be made any more, and they stay there. The months after it
-- can, as long as they have not begun: where the first refusal ended the function, they all went the same way.
create or replace function sluice_ensure_partitions(months_ahead int) returns int
  language plpgsql security definer set search_path = public
  as $$
  declare
    month date;
    parent text;
    key text;
    name text;
    starts uuid;
    ends uuid;
    begun boolean;
    made int := 0;
  begin
    if months_ahead not between 0 and 24 then raise exception 'months_ahead must be 0 to 24'; end if;
    for month in select generate_series(date_trunc('month', sluice_now() at time zone 'UTC'),
                                        date_trunc('month', sluice_now() at time zone 'UTC') + make_interval(months => months_ahead),
                                        interval '1 month')::date
    loop
      starts := sluice_uuid7_floor(month::timestamp at time zone 'UTC');
      ends := sluice_uuid7_floor((month + interval '1 month')::timestamp at time zone 'UTC');
      for parent, key in values ('events', 'id'), ('log_chunks', 'step_id')
      loop
        name := parent || '_' || to_char(month, 'YYYYMM');
        continue when to_regclass(name) is not null;
        execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_default', key, starts, key, ends)
           into begun;
        continue when begun;
        execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, starts, ends);
        made := made + 1;
      end loop;
    end loop;
    return made;
  end $$;
