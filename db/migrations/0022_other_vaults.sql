-- oldest-release: 0.1.0
-- Secrets may lie in a vault of the organisation: their entries then hold its name in place of the value. The release
-- before this one knows none of them, and keeps every value itself.
alter table vault_entries
  alter column value drop not null,
  add column kept_in text collate "C",
  add constraint vault_entries_kept_once check ((value is null) <> (kept_in is null)) not valid;
alter table vault_entries validate constraint vault_entries_kept_once;

-- What is still to be erased in other vaults: nodes that were destroyed had stored it there.
create table vault_removals (
  id         uuid primary key default sluice_uuid7(),
  path       text collate "C" not null,
  key        text collate "C" not null,
  -- How to reach the vault, sealed: the settings that said so are gone with the node.
  connection bytea not null,
  created_at timestamptz not null default sluice_now()
);
