-- oldest-release: 0.1.0
-- A number that moves with whatever is written of rights, in the same transaction: who reads it unchanged need not read
-- the rules again. Before the rows are written, so that nobody waits for it with a rule in their hands.

create table rights_epoch (
  one   boolean primary key default true check (one),
  epoch bigint not null default 1
);
insert into rights_epoch default values;

create function sluice_move_rights_epoch() returns trigger
  language plpgsql
  as $$ begin update rights_epoch set epoch = epoch + 1; return null; end $$;

create trigger authorisation_policies_move_epoch before insert or update or delete on authorisation_policies
  for each statement execute function sluice_move_rights_epoch();
create trigger authorisation_rules_move_epoch before insert or update or delete on authorisation_rules
  for each statement execute function sluice_move_rights_epoch();
create trigger policy_rules_move_epoch before insert or update or delete on policy_rules
  for each statement execute function sluice_move_rights_epoch();
create trigger policy_assignments_move_epoch before insert or update or delete on policy_assignments
  for each statement execute function sluice_move_rights_epoch();
