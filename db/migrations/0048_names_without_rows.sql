-- oldest-release: 0.1.0
-- The line of a name is held by an advisory lock (docs/adr/0072): its rows were never removed, and held by one at a time.

drop table name_queues;
