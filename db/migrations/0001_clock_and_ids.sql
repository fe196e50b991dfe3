-- oldest-release: 0.1.0
-- The clock, the ids and the installation itself.
--
-- Time is the database's, never a process's (docs/adr/0004). Every default, lease, timer and version below
-- reads sluice_now(). Tests replace the function by one that adds an offset; nothing else may.

create extension if not exists btree_gist with schema public;

create function sluice_now() returns timestamptz
  language sql volatile parallel safe
  as $$ select clock_timestamp() $$;

-- A UUID version 7 of an instant: 48 bits of milliseconds, 12 bits of the fraction of that millisecond, so that ids
-- made by one database sort by time more finely than a millisecond, then 62 random bits. PostgreSQL 15 has no uuidv7().
create function sluice_uuid7_at(at timestamptz, random bytea) returns uuid
  language sql immutable parallel safe
  as $$
    select encode(
             substring(int8send(micros / 1000) from 3 for 6)
             || set_byte(set_byte('\x0000'::bytea,
                  0, 112 | (((micros % 1000) * 4096 / 1000) >> 8)::int),
                  1, (((micros % 1000) * 4096 / 1000) & 255)::int)
             || set_byte(substring(random from 1 for 1), 0, 128 | (get_byte(random, 0) & 63))
             || substring(random from 2 for 7), 'hex')::uuid
      from (select (extract(epoch from at) * 1000000)::bigint as micros) t
  $$;

create function sluice_uuid7() returns uuid
  language sql volatile parallel safe
  as $$ select sluice_uuid7_at(sluice_now(), substring(uuid_send(gen_random_uuid()) from 9 for 8)) $$;

-- The smallest id of an instant: the bound of a monthly partition.
create function sluice_uuid7_floor(at timestamptz) returns uuid
  language sql immutable parallel safe
  as $$
    select (encode(substring(int8send((extract(epoch from at) * 1000)::bigint) from 3 for 6), 'hex')
            || '70008000000000000000')::uuid
  $$;

create function sluice_refuse() returns trigger
  language plpgsql
  as $$ begin raise exception '% on % is refused: it is written once', tg_op, tg_table_name using errcode = '42501'; end $$;

create table installation (
  one             boolean primary key default true check (one),
  id              uuid not null default sluice_uuid7(),
  created_at      timestamptz not null default sluice_now(),
  key_check       bytea,
  -- The heartbeat of the service as a whole: after a gap of 5 s the first process to write sets service_back_at, from
  -- which on the time without contact of a runner counts (an outage of ours is not a runner's death).
  heartbeat_at    timestamptz not null default sluice_now(),
  service_back_at timestamptz not null default sluice_now()
);
insert into installation default values;

create table data_keys (
  id         int primary key,
  wrapped    bytea not null,
  created_at timestamptz not null default sluice_now(),
  retired_at timestamptz
);

create table idempotency_keys (
  user_id    uuid not null,
  key        text collate "C" not null check (length(key) between 1 and 255),
  route      text collate "C" not null,
  body_sha   bytea not null,
  status     int,
  answer     bytea,
  headers    jsonb,
  created_at timestamptz not null default sluice_now(),
  primary key (user_id, key, route)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
