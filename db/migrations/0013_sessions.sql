-- oldest-release: 0.1.0
-- Whether a user name and a password are taken with each request (the setting enable_basic_auth): it lies beside what
-- signing in reads anyway, so that a switch holds from the next request on, in every process.

alter table installation add column basic_auth boolean not null default true;

-- What a writing request of a session carries beside the cookie is made from the cookie's secret, and kept nowhere.
alter table tokens drop column csrf_sha;

create index tokens_of_sessions on tokens (expires_at) where kind = 'session';
