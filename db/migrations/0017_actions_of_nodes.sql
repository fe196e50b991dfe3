-- oldest-release: 0.1.0
-- A program may read the properties of the asset whose actions it declares: then they are derived for each asset.

alter table action_catalogues add column reads_input boolean not null default false;

-- The actions that a node was given last, where they are its own. What is derived anew and fails leaves them.
create table node_actions (
  node_id      uuid primary key references nodes (id) on delete cascade,
  catalogue_id uuid not null references action_catalogues (id) on delete cascade,
  derived_at   timestamptz not null default sluice_now()
);
create index node_actions_by_catalogue on node_actions (catalogue_id);
