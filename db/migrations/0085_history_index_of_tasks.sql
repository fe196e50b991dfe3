-- oldest-release: 0.1.0
-- Replaced by node_background_tasks_latest_of_history. By itself: an index that is created and one that is dropped lock a
-- table in two strengths, between which what works on the table would stand in a circle with the migration.
drop index node_background_tasks_by_history;
