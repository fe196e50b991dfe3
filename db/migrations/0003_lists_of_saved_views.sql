-- oldest-release: 0.1.0
--
-- Names of lists are checked by the service, which knows them.
alter table saved_views
  drop constraint saved_views_list_check,
  add constraint saved_views_list_check check (length(list) between 1 and 255);
