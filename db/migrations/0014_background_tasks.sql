-- oldest-release: 0.1.0
-- Background tasks that people ask for: what made each, who cancels it, and what it came to. Their log lines stay.

alter table node_background_tasks
  -- It is about the node itself: neither for a template version nor for a change that is being prepared.
  add column about_node   boolean not null default false,
  -- What made it: request, template_version_change, float, template_version, change …
  add column trigger      text collate "C",
  -- Set when somebody has asked for its end; it is cancelled once nothing of it runs any more.
  add column cancelled_by text collate "C",
  -- The actions that it came to.
  add column catalogue_id uuid;

-- One that has not begun does what a second one would: it looks at what is in force when it begins.
create unique index node_background_tasks_next on node_background_tasks (node_id, task_type)
  where about_node and status_code = 'initializing';

-- What a program is asked by, kept beside what it said: it may be asked again.
alter table action_catalogues add column sources text;
update action_catalogues set sources = actions where state = 'needs_runner';
