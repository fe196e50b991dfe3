-- oldest-release: 0.1.0
-- Ids are made by one expression, which PostgreSQL writes into the statement that asks for them: a function that it has
-- to call was a quarter of what an event costs. sluice_uuid7_at stays for the release before this one.

-- The same id as sluice_uuid7_at makes of the instant, by text: 15 hexadecimal digits of milliseconds and of their
-- fraction in 4096ths, the version between the two, and half of a random id with its variant. Until 2106 a double holds
-- the instant to the microsecond.
create function sluice_uuid7_of(at timestamptz) returns uuid
  language sql volatile parallel safe
  as $$
    select (overlay(lpad(to_hex(round(date_part('epoch', at) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0)
            || right(gen_random_uuid()::text, 17))::uuid
  $$;

create or replace function sluice_uuid7() returns uuid
  language sql volatile parallel safe
  as $$ select sluice_uuid7_of(sluice_now()) $$;
