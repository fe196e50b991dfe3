-- oldest-release: 0.1.0
-- Replaced by steps_by_project_in_order; by itself, as the drop before it.
drop index steps_by_project;
