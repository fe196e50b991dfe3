-- oldest-release: 0.1.0
-- What a scheduled change hands on to its changes, and what both kinds do: whom to tell is sealed, for it names people.
alter table scheduled_activities add column auto_continue_wait_steps boolean not null default false;
alter table scheduled_activities add column build_without_cache boolean not null default false;
alter table scheduled_activities add column notify bytea;
