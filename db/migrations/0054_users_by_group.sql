-- oldest-release: 0.1.0
-- Who is in a group is asked by its name, in any case of A to Z. What folds the names of all of a user's groups at once is no
-- function that PostgreSQL lets an index be made of, since texts of some arrays depend on settings; those of texts do not.
create function sluice_folded_names(names text[]) returns text[]
  language plpgsql immutable parallel safe as $$
  begin
    return lower(names::text collate "C")::text[];
  end $$;

create index users_by_group on users using gin (sluice_folded_names(groupnames));

-- Of expressions in indexes nothing is known before it has been looked at.
analyze users;
