-- oldest-release: 0.1.0
--
-- Sessions that processes of the release before begin have no place.
alter table tokens
  add column remote_address text collate "C",
  add column user_agent text collate "C" check (length(user_agent) between 1 and 255);
comment on column tokens.remote_address is 'Address that a session was begun from.';
comment on column tokens.user_agent is 'Browser or program that began a session, as its User-Agent said.';
