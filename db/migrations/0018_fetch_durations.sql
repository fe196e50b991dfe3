-- oldest-release: 0.1.0
-- How long the newest fetch of a Git remote that brought its branches and tags took.

alter table git_remotes add column fetch_milliseconds int check (fetch_milliseconds >= 0);
