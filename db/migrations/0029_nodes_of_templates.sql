-- oldest-release: 0.1.0
-- A template names the first of the nodes that are made from it: they are read in the order of this index, and no more.
create index template_version_histories_nodes on template_version_histories (template_id, node_id) where active_to is null;
