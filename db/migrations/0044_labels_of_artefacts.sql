-- oldest-release: 0.1.0
-- What a step says of a file that it leaves, to find it by: texts under names.
alter table artefacts add column labels jsonb not null default '{}';
