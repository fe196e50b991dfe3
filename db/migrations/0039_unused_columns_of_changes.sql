-- oldest-release: 0.1.0
-- Never written: which step of a run made an activity stands on the activity (0032), for runs as for changes; and which
-- actions a change runs follows from its commit.
alter table changes drop column workflow_step_id, drop column catalogue_id;
