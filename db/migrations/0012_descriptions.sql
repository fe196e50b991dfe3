-- oldest-release: 0.1.0
-- The description of a node is a text, empty where nobody has said what the node is for.

update nodes set description = '' where description is null;
alter table nodes alter column description set default '', alter column description set not null;
