-- oldest-release: 0.1.0
-- What the revision of a version was when it was looked up first: the full name of a branch or tag, or the id of a commit.
-- From then on it is looked up by that, whatever else is called so later. A ready version of before is told by its commit.
alter table template_versions
  add column git_ref text collate "C",
  add column git_rev_ambiguous boolean not null default false;
