-- oldest-release: 0.1.0
-- Pools of slots are records that administrators read, and records have ids. A pool is a row for a kind of work and a site:
-- the table is rewritten in no time.
alter table slot_pools add column id uuid not null default sluice_uuid7();
create unique index slot_pools_by_id on slot_pools (id);
