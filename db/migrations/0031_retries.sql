-- oldest-release: 0.1.0
-- Of a step of a retry: the step that it was copied from, and, when it was taken over as it had ended, the step that ran:
-- its log lies there, however often it has been taken over since.
alter table steps add column retry_of uuid;
alter table steps add column ran_as uuid;
-- The steps beneath it were made by its own body: they are what it did, and it is not run again to make them once more.
alter table steps add column made_children boolean not null default false;
-- A retry that takes the newest commit, if its actions can be had.
alter table changes add column refresh_sha boolean not null default false;
