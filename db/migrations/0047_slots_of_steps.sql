-- oldest-release: 0.1.0
-- Changes of which each step has a slot and a runner of its own (docs/adr/0068).

-- How many slots its steps hold: those that run, and those queued whose runner is on its way. First a plain number, which
-- rewrites nothing.
alter table activities add column n_slots int not null default 0;
alter table activities alter column n_slots type non_negative;

-- Where admission looks for steps that lack a slot: only such changes as run, which are few.
create index activities_of_single_steps on activities (site, pool, number) where status = 'running' and pod_per_step;

-- The runner of a step. One that was told to stop takes nothing more, so the step may have the next one already.
create unique index runners_of_step on runners (step_id)
  where step_id is not null and status in ('wanted', 'starting', 'live');
