-- oldest-release: 0.1.0
-- What was wrong with a commit's files when an earlier release read them may be right by now (merge keys, documents of
-- nothing but comments): such readings are forgotten, and the commit is read anew when its version is fetched the next time.
delete from repository_folders where error is not null;
delete from action_catalogues c
 where c.state = 'broken' and c.input_sha = ''
   and not exists (select from node_actions n where n.catalogue_id = c.id);
