-- Clock, ids and functions that several tables share.

create extension if not exists btree_gist with schema public;
create extension if not exists pg_trgm with schema public;

create function sluice_now() returns timestamptz
  language sql volatile parallel safe
  as $$ select clock_timestamp() $$;
comment on function sluice_now is
  'Current time. Every default, lease, timer and version reads it, so that the clock of the database is the only one '
  '(docs/adr/0004). Tests replace it by a function that adds an offset; nothing else may.';

create function sluice_uuid7_of(at timestamptz) returns uuid
  language sql volatile parallel safe
  as $$
    select (overlay(lpad(to_hex(round(date_part('epoch', at) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0)
            || right(gen_random_uuid()::text, 17))::uuid
  $$;
comment on function sluice_uuid7_of is
  'UUID version 7 of an instant: 48 bits of milliseconds, 12 bits of the fraction of the millisecond, so that ids sort '
  'by time more finely than a millisecond, and random bits. PostgreSQL 15 has no uuidv7(). One expression, which '
  'PostgreSQL inlines: a function call was a quarter of the cost of an event. Until 2106 a double holds the instant to '
  'the microsecond.';

create function sluice_uuid7() returns uuid
  language sql volatile parallel safe
  as $$ select sluice_uuid7_of(sluice_now()) $$;
comment on function sluice_uuid7 is 'New id: UUID version 7 of the current time. Default of almost every primary key.';

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
comment on function sluice_uuid7_at is
  'UUID version 7 of an instant and given random bytes: the same arguments return the same id.';

create function sluice_uuid7_floor(at timestamptz) returns uuid
  language sql immutable parallel safe
  as $$
    select (encode(substring(int8send((extract(epoch from at) * 1000)::bigint) from 3 for 6), 'hex')
            || '70008000000000000000')::uuid
  $$;
comment on function sluice_uuid7_floor is 'Smallest id of an instant: bound of a monthly partition.';

create function sluice_transaction() returns xid8
  language sql volatile
  return pg_current_xact_id();
comment on function sluice_transaction is
  'Number of the current transaction, by which events and log chunks are ordered. A dump that is restored on another '
  'server brings higher numbers than that server counts: the start of the service then replaces this function and '
  'sluice_snapshot() by ones that add an offset (src/platform/db/transaction-numbers.ts).';

create function sluice_snapshot() returns pg_snapshot
  language sql stable
  return pg_current_snapshot();
comment on function sluice_snapshot is 'Snapshot whose numbers compare with those of sluice_transaction().';

create function sluice_refuse() returns trigger
  language plpgsql
  as $$ begin raise exception '% on % is refused: it is written once', tg_op, tg_table_name using errcode = '42501'; end $$;
comment on function sluice_refuse is 'Trigger function that rejects any update, delete or truncate.';

create function sluice_like_in_pieces(bytes bytea, pattern text) returns boolean
  language plpgsql immutable strict parallel safe
  as $$
  declare
    -- Bytes per operation.
    size   constant int := 65536;
    total  constant int := octet_length(bytes);
    -- Parts between the % signs. The first is the head, the last is the tail.
    parts  constant text[] := array(select m[1] from regexp_matches(pattern || '%', '((?:[^%\\]|\\.)*)%', 'g') with ordinality as t (m, n) order by n);
    last   constant int := cardinality(parts);
    head   constant text := parts[1];
    tail   constant text := parts[last];
    at     int := 0;
    ends   int := total;
    part   text;
    plain  bytea;
    chars  int;
    found  int;
    start  int;
    stop   int;
    piece  text;
    low    int;
    middle int;
  begin
    -- A character has at most four bytes, so a few bytes are enough to compare the head and the tail.
    if head <> '' or last = 1 then
      chars := length(regexp_replace(head, '\\(.)', '\1', 'g'));
      if last = 1 and total > 4 * chars then return false; end if;
      stop := least(4 * chars, total);
      while stop < total and get_byte(bytes, stop) & 192 = 128 loop stop := stop + 1; end loop;
      piece := convert_from(substring(bytes from 1 for stop), 'UTF8');
      if last = 1 then return piece like pattern; end if;
      piece := left(piece, chars);
      if piece not like head then return false; end if;
      at := octet_length(piece);
    end if;
    if tail <> '' then
      chars := length(regexp_replace(tail, '\\(.)', '\1', 'g'));
      start := greatest(total - 4 * chars, 0);
      while start < total and get_byte(bytes, start) & 192 = 128 loop start := start + 1; end loop;
      piece := right(convert_from(substring(bytes from start + 1), 'UTF8'), chars);
      if piece not like tail then return false; end if;
      ends := total - octet_length(piece);
      if ends < at then return false; end if;
    end if;
    foreach part in array parts[2:last - 1] loop
      continue when part = '';
      if regexp_replace(part, '\\.', '', 'g') !~ '_' then
        plain := convert_to(regexp_replace(part, '\\(.)', '\1', 'g'), 'UTF8');
        loop
          found := position(plain in substring(bytes from at + 1 for least(size + octet_length(plain) - 1, ends - at)));
          exit when found > 0;
          at := at + size;
          if at >= ends then return false; end if;
        end loop;
        at := at + found - 1 + octet_length(plain);
      else
        chars := length(regexp_replace(part, '\\(.)', '\1', 'g'));
        start := at;
        loop
          stop := least(start + size, ends);
          -- Never cut a character.
          while stop < ends and get_byte(bytes, stop) & 192 = 128 loop stop := stop + 1; end loop;
          piece := convert_from(substring(bytes from start + 1 for stop - start), 'UTF8');
          exit when piece like '%' || part || '%';
          if stop = ends then return false; end if;
          start := stop - octet_length(right(piece, chars - 1));
        end loop;
        -- First match: the shortest prefix of the piece that contains the part.
        low := chars;
        found := length(piece);
        while low < found loop
          middle := (low + found) / 2;
          if left(piece, middle) like '%' || part || '%' then found := middle; else low := middle + 1; end if;
        end loop;
        at := start + octet_length(left(piece, found));
      end if;
    end loop;
    return true;
  end
  $$;
comment on function sluice_like_in_pieces is
  'Whether a text (lower case, UTF-8) matches a LIKE pattern (lower case). Works in steps between which PostgreSQL '
  'checks for cancellation: its own LIKE and position() cannot be interrupted while they work on one value, and 400 '
  'filters on a line of 1 MiB took 32 s in which nothing could end them.';

create function sluice_like(given text, patterns text[], every boolean) returns boolean
  language plpgsql immutable strict parallel safe
  as $$
  declare
    bytes   constant bytea := convert_to(lower(given collate "und-x-icu"), 'UTF8');
    pattern text;
  begin
    foreach pattern in array patterns loop
      if sluice_like_in_pieces(bytes, pattern) <> every then return not every; end if;
    end loop;
    return every;
  end
  $$;
comment on function sluice_like is
  'Whether a text matches one of the LIKE patterns (lower case), case-insensitively; with `every`, all of them.';
