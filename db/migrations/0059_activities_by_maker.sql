-- oldest-release: 0.1.0
-- For whoever lists their own of a million.
create index activities_by_maker on activities (user_id, created_at, id) where user_id is not null;
