-- oldest-release: 0.1.0
-- What of each project is due, or made and has not begun, before more of it is made.
create index schedule_occurrences_open on schedule_occurrences (schedule_id) where state in ('due', 'resolving');
create index activities_to_begin on activities (project_id)
  where (status)::text = 'initializing' or ((status)::text = 'pending' and head);
