-- oldest-release: 0.1.0
-- LIKE on texts of any length, in steps after each of which PostgreSQL looks whether it was cancelled. Its own LIKE and
-- position() do not look while they work on one value, and lower() of a line of 1 MiB takes 80 ms: 400 filters on one such
-- line were 32 s in which nothing could end them.

-- Whether a text, in lower case and as UTF-8, is like a pattern in lower case.
create function sluice_like_in_pieces(bytes bytea, pattern text) returns boolean
  language plpgsql immutable strict parallel safe
  as $$
  declare
    -- Bytes that one operation works on.
    size   constant int := 65536;
    total  constant int := octet_length(bytes);
    -- What stands between the signs for "any text", the first of which follows the head and the last precedes the tail.
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
    -- No character has more than four bytes, so that a few of them are looked at for the head and for the tail.
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
          -- Not within a character.
          while stop < ends and get_byte(bytes, stop) & 192 = 128 loop stop := stop + 1; end loop;
          piece := convert_from(substring(bytes from start + 1 for stop - start), 'UTF8');
          exit when piece like '%' || part || '%';
          if stop = ends then return false; end if;
          start := stop - octet_length(right(piece, chars - 1));
        end loop;
        -- Of its places the first: the shortest beginning of the piece that has it.
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

-- Whether a text in any case is like one of the patterns, which are in lower case; with `every`, like each of them.
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
