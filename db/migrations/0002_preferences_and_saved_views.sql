-- oldest-release: 0.1.0
create table user_preferences (
  user_id     uuid primary key references users (id),
  data        jsonb not null default '{}',
  row_version bigint not null default 1,
  updated_at  timestamptz not null default sluice_now(),
  constraint user_preferences_are_a_small_object check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 131072)
);
comment on table user_preferences is
  'Preferences of a user for clients, such as stars and the theme. The service stores them and reads nothing in them.';

create table saved_views (
  id          uuid primary key default sluice_uuid7(),
  user_id     uuid not null references users (id),
  name        text collate "C" not null check (length(name) between 1 and 255),
  list        text collate "C" not null check (list ~ '^[a-z][a-z0-9_]{0,59}$'),
  query       text collate "C" not null check (length(query) <= 8192),
  shared_with text collate "C" not null default 'private' check (shared_with in ('private', 'everyone')),
  created_by  text collate "C" not null,
  row_version bigint not null default 1,
  created_at  timestamptz not null default sluice_now(),
  updated_at  timestamptz not null default sluice_now()
);
create unique index saved_views_name on saved_views (user_id, list, name);
create index saved_views_by_time on saved_views (created_at, id);
create index saved_views_shared on saved_views (created_at, id) where shared_with = 'everyone';
comment on table saved_views is 'Queries of lists that users saved under a name.';
comment on column saved_views.query is 'Query string of the list, as the client wrote it.';
