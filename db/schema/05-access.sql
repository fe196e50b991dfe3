-- Authorization: policies of rules, assigned to users and groups (docs/guides/rights.md).

create table authorisation_policies (
  id          uuid primary key default sluice_uuid7(),
  name        text collate "C" not null check (length(name) between 1 and 255),
  description text collate "C",
  system      text collate "C" unique check (system in ('superuser', 'blocked')),
  created_by  text collate "C" not null,
  user_id     uuid,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create unique index authorisation_policies_name on authorisation_policies (lower(name));
comment on table authorisation_policies is 'Named sets of rules.';
comment on column authorisation_policies.system is 'Which of the two built-in policies it is. Null: created by users.';
insert into authorisation_policies (name, description, system, created_by) values
  ('superuser', 'Everything, everywhere', 'superuser', 'system'),
  ('blocked', 'Nothing; outranks every other policy', 'blocked', 'system');

create table authorisation_rules (
  id          uuid primary key default sluice_uuid7(),
  path        text collate "C" not null check (path ~ '^/'),
  name        text collate "C",
  read        boolean,
  update      boolean,
  execute     boolean,
  delete      boolean,
  created_by  text collate "C" not null,
  user_id     uuid,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create index authorisation_rules_by_path on authorisation_rules (path);
comment on table authorisation_rules is
  'Rules: the rights on a path and below. Each right is true (allow), false (deny) or null (not specified).';

create table policy_rules (
  id         uuid primary key default sluice_uuid7(),
  policy_id  uuid not null references authorisation_policies (id) on delete cascade,
  rule_id    uuid not null references authorisation_rules (id) on delete cascade,
  created_by text collate "C" not null,
  user_id    uuid,
  created_at timestamptz not null default sluice_now(),
  constraint policy_rules_policy_id_rule_id_key unique (policy_id, rule_id)
);
create index policy_rules_by_rule on policy_rules (rule_id);
comment on table policy_rules is 'Rules of policies.';

create table policy_assignments (
  id          uuid primary key default sluice_uuid7(),
  policy_id   uuid not null references authorisation_policies (id) on delete cascade,
  assignee_id uuid references users (id),
  groupname   text collate "C",
  created_by  text collate "C" not null,
  user_id     uuid,
  created_at  timestamptz not null default sluice_now(),
  constraint policy_assignments_policy_id_assignee_id_groupname_key
    unique nulls not distinct (policy_id, assignee_id, groupname)
);
create index policy_assignments_by_assignee on policy_assignments (assignee_id);
create index policy_assignments_by_group on policy_assignments (groupname);
create index policy_assignments_by_group_in_any_case on policy_assignments (lower(groupname));
comment on table policy_assignments is
  'Assignments of policies to a user, to a group, to a user as a member of a group (both set), or to everyone (neither '
  'set).';

create table rights_epochs (
  slot  integer primary key,
  epoch bigint not null
);
comment on table rights_epochs is
  'Counters whose sum changes with every write of policies, rules and assignments, in the same transaction: a process '
  'that reads the sum unchanged need not read the rules again. Several counters, of which a transaction updates one that '
  'nobody has locked; with a single one, writers of rights waited for each other.';
insert into rights_epochs select slot, case slot when 0 then 1 else 0 end from generate_series(0, 15) slot;

create view rights_epoch as select sum(epoch)::bigint as epoch from rights_epochs;
comment on view rights_epoch is
  'Version of all access rights: the sum of rights_epochs in one snapshot. Differs as soon as one more write of rights '
  'is visible.';

create function sluice_move_rights_epoch() returns trigger
  language plpgsql
  as $$
begin
  update rights_epochs
     set epoch = epoch + 1
   where slot = (select slot from rights_epochs order by slot limit 1 for no key update skip locked);
  if not found then
    update rights_epochs set epoch = epoch + 1 where slot = pg_backend_pid() % 16;
  end if;
  return null;
end $$;
comment on function sluice_move_rights_epoch is
  'Trigger function that increases one of rights_epochs. Runs before the rows are written, so that nobody waits for a '
  'counter while holding locks on rules.';

create trigger authorisation_policies_move_epoch before insert or update or delete on authorisation_policies
  for each statement execute function sluice_move_rights_epoch();
create trigger authorisation_rules_move_epoch before insert or update or delete on authorisation_rules
  for each statement execute function sluice_move_rights_epoch();
create trigger policy_rules_move_epoch before insert or update or delete on policy_rules
  for each statement execute function sluice_move_rights_epoch();
create trigger policy_assignments_move_epoch before insert or update or delete on policy_assignments
  for each statement execute function sluice_move_rights_epoch();
