-- oldest-release: 0.1.0
-- Digests of what npm has installed for a commit and runners keep for one another. The archives are on the disks of hosts;
-- one that is not here is not used.
create table kept_dependencies (
  name    text collate "C" not null check (name ~ '^[0-9a-f]{64}$'),
  sha256  text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  kept_at timestamptz not null default sluice_now(),
  primary key (name, sha256)
);
create index kept_dependencies_by_age on kept_dependencies (kept_at);
