-- oldest-release: 0.1.0
-- The secrets that input steps were given lie under the path of their change, and its retries refer to them in documents
-- that are sealed. Which of them do is noted here: the secrets of a change that was purged go with the last of these.
create table changes_using_inputs (
  -- The change whose input steps were given them. It may have been purged.
  change_id uuid not null,
  used_by   uuid not null references changes (id) on delete cascade,
  primary key (change_id, used_by)
);
create index changes_using_inputs_by_user on changes_using_inputs (used_by);

-- What the retries that there are refer to is not known here: whatever they are retries of.
with recursive line as (
  select retry_of as change_id, id as used_by from changes where retry_of is not null
  union
  select c.retry_of, l.used_by from line l join changes c on c.id = l.change_id where c.retry_of is not null
)
insert into changes_using_inputs (change_id, used_by) select change_id, used_by from line;
