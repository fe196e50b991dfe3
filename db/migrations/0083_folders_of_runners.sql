-- oldest-release: 0.1.0
-- Folder of a process runner on its host, so that another service process there can take the runner over: it announces its
-- address in that folder, and reads there what a runner that has ended had left to report. Null for runners of earlier
-- releases.
alter table runners add column folder text;
