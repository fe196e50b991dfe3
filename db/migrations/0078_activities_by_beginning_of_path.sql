-- oldest-release: 0.1.0
-- For whoever lists the changes and runs of nodes whose paths begin so, in any case.
create index activities_by_beginning_of_path on activities ((lower(path collate "und-x-icu") collate "C"));
analyze activities;
