-- Secrets: the built-in vault, and references to other vaults.

create table vault_entries (
  id          uuid primary key default sluice_uuid7(),
  project_id  uuid,
  path        text collate "C" not null check (path ~ '^/'),
  key         text collate "C" not null,
  value       bytea,
  kept_in     text collate "C",
  created_by  text collate "C" not null,
  user_id     uuid,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now(),
  constraint vault_entries_path_key_key unique (path, key),
  constraint vault_entries_kept_once check ((value is null) <> (kept_in is null))
);
comment on table vault_entries is 'Secrets by path and key.';
comment on column vault_entries.value is 'Encrypted value. Null: stored in the vault that `kept_in` names.';
comment on column vault_entries.kept_in is 'Name of the external vault that stores the value.';

create table vault_removals (
  id         uuid primary key default sluice_uuid7(),
  path       text collate "C" not null,
  key        text collate "C" not null,
  connection bytea not null,
  created_at timestamptz not null default sluice_now()
);
comment on table vault_removals is 'Secrets of destroyed nodes that are still to be deleted from external vaults.';
comment on column vault_removals.connection is
  'Encrypted connection to the vault: the settings that contained it are deleted with the node.';
