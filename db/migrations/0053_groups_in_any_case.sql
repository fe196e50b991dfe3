-- oldest-release: 0.1.0
-- Names of groups are the same in any case of A to Z: whoever looks for one does so by it as it is in that.
create index policy_assignments_by_group_in_any_case on policy_assignments (lower(groupname));
create index directory_groups_in_any_case on directory_groups (lower(groupname));

-- Of expressions in indexes nothing is known before it has been looked at.
analyze policy_assignments;
analyze directory_groups;
