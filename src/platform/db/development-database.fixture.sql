-- Schema of the 81 migrations of development, and their initial rows. Fixture of development-database.db.test.ts.

set check_function_bodies = off;
set search_path = public;

create extension btree_gist;

create extension pg_trgm;

create domain activity_kind as text collate "C" CHECK ((VALUE = ANY (ARRAY['change'::text, 'workflow_run'::text])));

create domain activity_pause_state as text collate "C" CHECK ((VALUE = ANY (ARRAY['none'::text, 'pausing'::text, 'paused'::text])));

create domain activity_status as text collate "C" CHECK ((VALUE = ANY (ARRAY['initializing'::text, 'pending'::text, 'queued'::text, 'running'::text, 'waiting'::text, 'success'::text, 'skipped'::text, 'error'::text, 'cancelled'::text, 'aborted'::text, 'system_error'::text])));

create domain child_execution_strategy as text collate "C" CHECK ((VALUE = ANY (ARRAY['sequential'::text, 'parallel'::text])));

create domain non_negative as integer CHECK ((VALUE >= 0));

create domain on_runner_lost as text collate "C" CHECK ((VALUE = ANY (ARRAY['error'::text, 'restart'::text])));

create domain positive as integer CHECK ((VALUE >= 1));

create domain runner_kind as text collate "C" CHECK ((VALUE = ANY (ARRAY['process'::text, 'container'::text, 'kubernetes'::text])));

create domain step_body as text collate "C" CHECK ((VALUE = ANY (ARRAY['none'::text, 'open'::text, 'done'::text, 'failed'::text])));

create domain step_status as text collate "C" CHECK ((VALUE = ANY (ARRAY['pending'::text, 'queued'::text, 'running'::text, 'waiting'::text, 'success'::text, 'skipped'::text, 'error'::text, 'cancelled'::text, 'aborted'::text, 'system_error'::text])));

create domain step_type as text collate "C" CHECK ((VALUE = ANY (ARRAY['standard'::text, 'wait'::text, 'input'::text, 'stage'::text, 'change'::text, 'workflow'::text])));

create sequence fences as bigint increment 1;

CREATE OR REPLACE FUNCTION public.sluice_all_moved(expected bigint, moved bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
  begin
    if coalesce(expected, 0) <> moved then
      raise exception 'of % steps that were to move, % did: they are not what they were', coalesce(expected, 0), moved;
    end if;
    return true;
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_ensure_partitions(months_ahead integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  declare
    month date;
    parent text;
    key text;
    name text;
    starts uuid;
    ends uuid;
    begun boolean;
    made int := 0;
  begin
    if months_ahead not between 0 and 24 then raise exception 'months_ahead must be 0 to 24'; end if;
    for month in select generate_series(date_trunc('month', sluice_now() at time zone 'UTC'),
                                        date_trunc('month', sluice_now() at time zone 'UTC') + make_interval(months => months_ahead),
                                        interval '1 month')::date
    loop
      starts := sluice_uuid7_floor(month::timestamp at time zone 'UTC');
      ends := sluice_uuid7_floor((month + interval '1 month')::timestamp at time zone 'UTC');
      for parent, key in values ('events', 'id'), ('log_chunks', 'step_id')
      loop
        name := parent || '_' || to_char(month, 'YYYYMM');
        continue when to_regclass(name) is not null;
        execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_default', key, starts, key, ends)
           into begun;
        continue when begun;
        execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, starts, ends);
        made := made + 1;
      end loop;
    end loop;
    return made;
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_folded_names(names text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
  begin
    return lower(names::text collate "C")::text[];
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_is_final(status text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
  begin
    return status in ('success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error');
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_like(given text, patterns text[], every boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  declare
    bytes   constant bytea := convert_to(lower(given collate "und-x-icu"), 'UTF8');
    pattern text;
  begin
    foreach pattern in array patterns loop
      if sluice_like_in_pieces(bytes, pattern) <> every then return not every; end if;
    end loop;
    return every;
  end
  $function$
;

CREATE OR REPLACE FUNCTION public.sluice_like_in_pieces(bytes bytea, pattern text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION public.sluice_line_id(step_id uuid, attempt integer, seq bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
      from (select substring(sha256(uuid_send(step_id) || int4send(attempt) || int8send(seq)) from 1 for 16) as digest) t
  $function$
;

CREATE OR REPLACE FUNCTION public.sluice_move_rights_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update rights_epochs
     set epoch = epoch + 1
   where slot = (select slot from rights_epochs order by slot limit 1 for no key update skip locked);
  if not found then
    update rights_epochs set epoch = epoch + 1 where slot = pg_backend_pid() % 16;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
AS $function$ select clock_timestamp() $function$
;

CREATE OR REPLACE FUNCTION public.sluice_properties_of_node()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update nodes n set properties_id = made.id from made where n.id = made.owner_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception '% on % is refused: it is written once', tg_op, tg_table_name using errcode = '42501'; end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_refuse_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if tg_op = 'DELETE' and current_setting('sluice.removing_events', true) = 'on'
       and current_user = (select pg_get_userbyid(c.relowner) from pg_catalog.pg_class c where c.oid = tg_relid)
       and old.created_at < public.sluice_now() - interval '30 days'
       and not (old.system and old.type = 'info:data_cleanup:events')
       and exists (select from public.event_seals s where s.event_id = old.id) then
      return old;
    end if;
    raise exception '% on % is refused: it is written once', tg_op, tg_table_name using errcode = '42501';
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_remove_events(ids uuid[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    gone bigint[];
  begin
    perform set_config('sluice.removing_events', 'on', true);
    with removed as (
      delete from events e
       using event_seals s
       where e.id = any(ids) and s.event_id = e.id and e.created_at < sluice_now() - interval '30 days'
         and not (e.system and e.type = 'info:data_cleanup:events')
      returning e.id, s.seq
    ), output as (
      delete from event_progress p using removed r where p.event_id = r.id
    )
    select coalesce(array_agg(seq order by seq), '{}') into gone from removed;
    perform set_config('sluice.removing_events', 'off', true);
    return gone;
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_reported_status(status text, waits_for_approval boolean, rejected boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
  begin
    if status = 'waiting' and waits_for_approval then return 'waiting_for_approval'; end if;
    if status = 'aborted' and rejected then return 'rejected'; end if;
    return status;
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_settings_of_node()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update nodes n set settings_id = made.id from made where n.id = made.owner_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_snapshot()
 RETURNS pg_snapshot
 LANGUAGE sql
 STABLE
RETURN pg_current_snapshot()
;

CREATE OR REPLACE FUNCTION public.sluice_succeed(its_activity uuid, seen xid, its_runner uuid, its_session bigint, ended uuid, ended_fence bigint, ended_exit_code integer, ended_result_seq bigint, begun uuid, its_parent uuid)
 RETURNS TABLE(id uuid, parent_id uuid, "position" integer, attempt integer, fence bigint, definition text, tree_order text)
 LANGUAGE plpgsql
AS $function$
  #variable_conflict use_column
  declare
    now timestamptz := sluice_now();
  begin
    with held as materialized (
      select from runners r
       where r.id = its_runner and r.session = its_session and r.status is not distinct from 'live'
         for key share
    )
    update activities a
       set n_pending = a.n_pending - 1, updated_at = now
      from held
     where a.id = its_activity and a.xmin = seen;
    if not found then return; end if;

    return query
    with moved as (
      update steps s
         set status        = case s.id when ended then 'success' when begun then 'running' else s.status end,
             body          = case s.id when ended then 'done' else s.body end,
             open_children = case s.id when its_parent then s.open_children - 1 else s.open_children end,
             attempt       = case s.id when begun then s.attempt + 1 else s.attempt end,
             fence         = case s.id when begun then nextval('fences') else s.fence end,
             runner_id     = case s.id when begun then its_runner else s.runner_id end,
             result_seq    = case s.id when ended then ended_result_seq when begun then 0 else s.result_seq end,
             exit_code     = case s.id when ended then coalesce(ended_exit_code, s.exit_code) when begun then null else s.exit_code end,
             error_message = case s.id when begun then null else s.error_message end,
             wake_at       = case s.id when its_parent then s.wake_at end,
             queued_at     = case s.id when begun then now else s.queued_at end,
             started_at    = case s.id when begun then now else s.started_at end,
             finished_at   = case s.id when ended then now when begun then null else s.finished_at end,
             row_version   = case s.id when its_parent then s.row_version else s.row_version + 1 end,
             updated_at    = case s.id when its_parent then s.updated_at else now end
       where s.id in (ended, begun, its_parent) and s.activity_id is not distinct from its_activity
         and (s.id = its_parent
              or s.parent_id is not distinct from its_parent and s.body is not distinct from 'open'
                 and (s.id = begun and s.status is not distinct from 'pending'
                      or s.id = ended and s.status is not distinct from 'running' and s.fence = ended_fence))
      returning s.id, s.parent_id, s.position, s.attempt, s.fence, s.definition, s.tree_order
    )
    select m.* from moved m where m.id = begun and (select count(*) from moved) = 3;
    if not found then
      raise exception 'step % was to end and step % to begin beneath %: they are not what they were', ended, begun, its_parent;
    end if;
  end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_template_of_node()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update nodes n
     set template_id = t.id, template_code = t.code, template_version_id = v.id, template_version = v.version
    from begun h
    join templates t on t.id = h.template_id
    join template_versions v on v.id = h.template_version_id
   where n.id = h.node_id and h.active_to is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sluice_transaction()
 RETURNS xid8
 LANGUAGE sql
RETURN pg_current_xact_id()
;

CREATE OR REPLACE FUNCTION public.sluice_uuid7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$ select sluice_uuid7_of(sluice_now()) $function$
;

CREATE OR REPLACE FUNCTION public.sluice_uuid7_at(at timestamp with time zone, random bytea)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select encode(
             substring(int8send(micros / 1000) from 3 for 6)
             || set_byte(set_byte('\x0000'::bytea,
                  0, 112 | (((micros % 1000) * 4096 / 1000) >> 8)::int),
                  1, (((micros % 1000) * 4096 / 1000) & 255)::int)
             || set_byte(substring(random from 1 for 1), 0, 128 | (get_byte(random, 0) & 63))
             || substring(random from 2 for 7), 'hex')::uuid
      from (select (extract(epoch from at) * 1000000)::bigint as micros) t
  $function$
;

CREATE OR REPLACE FUNCTION public.sluice_uuid7_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select (encode(substring(int8send((extract(epoch from at) * 1000)::bigint) from 3 for 6), 'hex')
            || '70008000000000000000')::uuid
  $function$
;

CREATE OR REPLACE FUNCTION public.sluice_uuid7_of(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
    select (overlay(lpad(to_hex(round(date_part('epoch', at) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0)
            || right(gen_random_uuid()::text, 17))::uuid
  $function$
;

create table action_catalogues (
  id uuid not null default sluice_uuid7(),
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  folder text collate "C" not null,
  input_sha text collate "C" not null default ''::text,
  state text collate "C" not null,
  actions text,
  error text collate "C",
  has_model boolean not null default false,
  derived_at timestamp with time zone not null default sluice_now(),
  sources text,
  reads_input boolean not null default false,
  reads_catalogue boolean not null default false,
  constraint action_catalogues_git_remote_id_commit_sha_folder_input_sha_key UNIQUE (git_remote_id, commit_sha, folder, input_sha),
  constraint action_catalogues_pkey PRIMARY KEY (id),
  constraint action_catalogues_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'broken'::text, 'needs_runner'::text])))
);

create table activities (
  id uuid not null default sluice_uuid7(),
  number bigint not null generated always as identity,
  kind activity_kind not null,
  node_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  site text collate "C" not null default 'main'::text,
  pool text collate "C" not null default 'runner'::text,
  name_key text collate "C" not null,
  status activity_status not null default 'initializing'::text,
  pause_state activity_pause_state not null default 'none'::text,
  paused_by text collate "C",
  rejected boolean not null default false,
  head boolean not null default false,
  under_way boolean not null default false,
  allow_same_name boolean not null default false,
  allow_parallel boolean not null default true,
  pod_per_step boolean not null default false,
  parallel_steps positive not null default 5,
  on_runner_lost on_runner_lost not null default 'error'::text,
  runner_kind runner_kind not null default 'process'::text,
  runner_options jsonb not null default '{}'::jsonb,
  holds_slot boolean not null default false,
  waiting_since timestamp with time zone,
  idle_seconds non_negative not null default 30,
  n_pending non_negative not null default 0,
  n_queued non_negative not null default 0,
  n_running non_negative not null default 0,
  n_waiting non_negative not null default 0,
  n_waiting_approval non_negative not null default 0,
  root_step_id uuid,
  created_by text collate "C" not null,
  user_id uuid,
  requires_approval_from jsonb not null default '[]'::jsonb,
  approved_by jsonb not null default '[]'::jsonb,
  rejected_by jsonb not null default '[]'::jsonb,
  cancelled_by text collate "C",
  cancelled_by_id uuid,
  cancel_requested_at timestamp with time zone,
  error_message text collate "C",
  run_at timestamp with time zone,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default sluice_now(),
  workflow_step_id uuid,
  final boolean not null generated always as (sluice_is_final((status)::text)) stored,
  reported_status text collate "C" not null generated always as (sluice_reported_status((status)::text, ((n_waiting_approval)::integer > 0), rejected)) stored,
  n_slots non_negative not null default 0,
  scope_project_id uuid,
  cancel_request jsonb,
  constraint activities_pkey PRIMARY KEY (id)
) with (fillfactor=70);

create table agent_statuses (
  id uuid not null default sluice_uuid7(),
  node_id uuid not null,
  desired_status text collate "C" not null default 'absent'::text,
  status text collate "C" not null default 'absent'::text,
  build_task_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint agent_statuses_desired_status_check CHECK ((desired_status = ANY (ARRAY['running'::text, 'absent'::text]))),
  constraint agent_statuses_node_id_key UNIQUE (node_id),
  constraint agent_statuses_pkey PRIMARY KEY (id),
  constraint agent_statuses_status_check CHECK ((status = ANY (ARRAY['absent'::text, 'initializing'::text, 'running'::text, 'stopping'::text, 'error'::text])))
);

create table artefact_chunks (
  sha256 text collate "C" not null,
  "position" integer not null,
  bytes bytea not null,
  constraint artefact_chunks_bytes_check CHECK ((octet_length(bytes) <= 1048576)),
  constraint artefact_chunks_pkey PRIMARY KEY (sha256, "position")
);

create table artefacts (
  id uuid not null default sluice_uuid7(),
  step_id uuid not null,
  activity_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  attempt integer not null,
  name text collate "C" not null,
  content_type text collate "C" not null,
  byte_size bigint not null,
  sha256 text collate "C" not null,
  created_at timestamp with time zone not null default sluice_now(),
  labels jsonb not null default '{}'::jsonb,
  constraint artefacts_pkey PRIMARY KEY (id),
  constraint artefacts_step_id_attempt_name_key UNIQUE (step_id, attempt, name)
);

create table audit_head (
  one boolean not null default true,
  seq bigint not null default 0,
  hash bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000'::bytea,
  sealed_below xid8 not null default '0'::xid8,
  constraint audit_head_one_check CHECK (one),
  constraint audit_head_pkey PRIMARY KEY (one)
);

create table authorisation_policies (
  id uuid not null default sluice_uuid7(),
  name text collate "C" not null,
  description text collate "C",
  system text collate "C",
  row_version bigint not null default 1,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint authorisation_policies_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint authorisation_policies_pkey PRIMARY KEY (id),
  constraint authorisation_policies_system_check CHECK ((system = ANY (ARRAY['superuser'::text, 'blocked'::text]))),
  constraint authorisation_policies_system_key UNIQUE (system)
);

create table authorisation_rules (
  id uuid not null default sluice_uuid7(),
  path text collate "C" not null,
  name text collate "C",
  read boolean,
  update boolean,
  execute boolean,
  delete boolean,
  row_version bigint not null default 1,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint authorisation_rules_path_check CHECK ((path ~ '^/'::text)),
  constraint authorisation_rules_pkey PRIMARY KEY (id)
);

create table bookmarks (
  id uuid not null default sluice_uuid7(),
  node_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  description text collate "C" not null,
  url text collate "C",
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint bookmarks_description_check CHECK (((length(description) >= 1) AND (length(description) <= 255))),
  constraint bookmarks_pkey PRIMARY KEY (id)
);

create table changes (
  id uuid not null,
  action text collate "C" not null,
  step_name text collate "C" not null,
  metadata jsonb not null default '{}'::jsonb,
  git_remote_id uuid,
  git_remote_name text collate "C",
  git_rev text collate "C",
  commit_sha text collate "C",
  template_version_id uuid,
  template_version text collate "C",
  template_code text collate "C",
  skip_steps text[] collate "C" not null default '{}'::text[],
  starting_step text collate "C",
  auto_continue_wait_steps boolean not null default false,
  build_without_cache boolean not null default false,
  property_overrides bytea not null,
  property_overrides_version integer not null default 1,
  settings_overrides bytea not null,
  resolved_settings bytea,
  notify bytea,
  plan_sha text collate "C",
  retry_of uuid,
  scheduled_activity_id uuid,
  refresh_sha boolean not null default false,
  setting_sources jsonb,
  constraint changes_pkey PRIMARY KEY (id)
);

create table changes_using_inputs (
  change_id uuid not null,
  used_by uuid not null,
  constraint changes_using_inputs_pkey PRIMARY KEY (change_id, used_by)
);

create table data_cleanup_definitions (
  id uuid not null default sluice_uuid7(),
  name text collate "C" not null,
  kind text collate "C" not null,
  cron_schedule text collate "C" not null,
  time_zone text collate "C" not null default 'UTC'::text,
  node_paths jsonb not null default '["%"]'::jsonb,
  filters jsonb not null default '{}'::jsonb,
  older_than text collate "C" not null,
  maximum_per_run integer,
  enabled boolean not null default true,
  last_run_at timestamp with time zone,
  next_run_at timestamp with time zone,
  revision integer not null default 1,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint data_cleanup_definitions_kind_check CHECK ((kind = ANY (ARRAY['activities'::text, 'events'::text, 'jobs'::text]))),
  constraint data_cleanup_definitions_maximum_per_run_check CHECK ((maximum_per_run >= 1)),
  constraint data_cleanup_definitions_pkey PRIMARY KEY (id)
);

create table data_cleanup_runs (
  definition_id uuid not null,
  revision integer not null,
  name text collate "C" not null,
  kind text collate "C" not null,
  node_paths jsonb not null,
  filters jsonb not null,
  older_than text collate "C" not null,
  maximum_per_run integer,
  cutoff timestamp with time zone not null,
  claim uuid,
  seen_at timestamp with time zone,
  seen_id uuid,
  removed_count bigint not null default 0,
  failed_count bigint not null default 0,
  last_error text collate "C",
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint data_cleanup_runs_pkey PRIMARY KEY (definition_id)
);

create table data_keys (
  id integer not null,
  wrapped bytea not null,
  created_at timestamp with time zone not null default sluice_now(),
  retired_at timestamp with time zone,
  in_use_at timestamp with time zone,
  constraint data_keys_pkey PRIMARY KEY (id)
);

create table directory_groups (
  id uuid not null default sluice_uuid7(),
  groupname text collate "C" not null,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint directory_groups_groupname_check CHECK (((length(groupname) >= 1) AND (length(groupname) <= 255))),
  constraint directory_groups_groupname_key UNIQUE (groupname),
  constraint directory_groups_pkey PRIMARY KEY (id)
);

create table directory_refreshes (
  one boolean not null default true,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  read_at timestamp with time zone,
  empty_users integer not null default 0,
  empty_groups integer not null default 0,
  constraint directory_refreshes_one_check CHECK (one),
  constraint directory_refreshes_pkey PRIMARY KEY (one)
);

create table event_progress (
  event_id uuid not null,
  part integer not null,
  text text not null,
  created_at timestamp with time zone not null default sluice_now(),
  constraint event_progress_pkey PRIMARY KEY (event_id, part)
);

create table event_seals (
  seq bigint not null,
  event_id uuid not null,
  digest bytea not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default sluice_now(),
  constraint event_seals_event_id_key UNIQUE (event_id),
  constraint event_seals_pkey PRIMARY KEY (seq)
);

create table event_throttles (
  key text collate "C" not null,
  recorded_at timestamp with time zone not null,
  constraint event_throttles_pkey PRIMARY KEY (key)
);

create table events (
  id uuid not null default sluice_uuid7(),
  tx xid8 not null default sluice_transaction(),
  type text collate "C" not null,
  system boolean not null,
  username text collate "C" not null,
  user_id uuid,
  project_id uuid,
  node_id uuid,
  path text collate "C",
  source_type text collate "C",
  source_id uuid,
  activity_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  body bytea not null,
  attributes jsonb not null,
  constraint events_pkey PRIMARY KEY (id)
) partition by RANGE (id);

create table finished_jobs (
  id uuid not null,
  job_class text collate "C" not null,
  queue text collate "C" not null,
  attempts integer not null,
  maximum_attempts integer not null,
  run_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone not null,
  node_path text collate "C",
  created_at timestamp with time zone not null,
  constraint finished_jobs_pkey PRIMARY KEY (id)
);

create table git_commits (
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  committed_at timestamp with time zone,
  subject text collate "C",
  kept_at timestamp with time zone not null default sluice_now(),
  constraint git_commits_commit_sha_check CHECK ((commit_sha ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'::text)),
  constraint git_commits_pkey PRIMARY KEY (git_remote_id, commit_sha)
);

create table git_remotes (
  id uuid not null default sluice_uuid7(),
  project_id uuid not null,
  path text collate "C" not null,
  name text collate "C" not null,
  url text collate "C" not null,
  public_url text collate "C",
  "user" text collate "C",
  credentials bytea,
  has_password boolean not null default false,
  has_ssh_key boolean not null default false,
  has_passphrase boolean not null default false,
  periodic_fetch_interval integer,
  archived boolean not null default false,
  fetched_at timestamp with time zone,
  fetch_failures integer not null default 0,
  fetch_error text collate "C",
  next_fetch_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  fetch_milliseconds integer,
  constraint git_remotes_fetch_milliseconds_check CHECK ((fetch_milliseconds >= 0)),
  constraint git_remotes_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint git_remotes_periodic_fetch_interval_check CHECK (((periodic_fetch_interval >= 60) AND (periodic_fetch_interval <= 86400))),
  constraint git_remotes_pkey PRIMARY KEY (id)
);

create table idempotency_keys (
  user_id uuid not null,
  key text collate "C" not null,
  route text collate "C" not null,
  body_sha bytea not null,
  status integer,
  answer bytea,
  headers jsonb,
  created_at timestamp with time zone not null default sluice_now(),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key, route)
);

create table installation (
  one boolean not null default true,
  id uuid not null default sluice_uuid7(),
  created_at timestamp with time zone not null default sluice_now(),
  key_check bytea,
  heartbeat_at timestamp with time zone not null default sluice_now(),
  service_back_at timestamp with time zone not null default sluice_now(),
  basic_auth boolean not null default true,
  mac_key bytea,
  constraint installation_one_check CHECK (one),
  constraint installation_pkey PRIMARY KEY (one)
);

create table kept_dependencies (
  name text collate "C" not null,
  sha256 text collate "C" not null,
  kept_at timestamp with time zone not null default sluice_now(),
  constraint kept_dependencies_name_check CHECK ((name ~ '^[0-9a-f]{64}$'::text)),
  constraint kept_dependencies_pkey PRIMARY KEY (name, sha256),
  constraint kept_dependencies_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

create table key_rotations (
  id uuid not null default sluice_uuid7(),
  status text collate "C" not null default 'announced'::text,
  data_key integer not null,
  root_key boolean not null,
  waiting_for text collate "C",
  switched_tx xid8,
  tables_done integer not null default 0,
  place text[] collate "C",
  found bigint not null default 0,
  resealed bigint not null default 0,
  row_version bigint not null default 1,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  finished_at timestamp with time zone,
  constraint key_rotations_end CHECK (((finished_at IS NOT NULL) = (status = 'success'::text))),
  constraint key_rotations_pkey PRIMARY KEY (id),
  constraint key_rotations_status_check CHECK ((status = ANY (ARRAY['announced'::text, 'switching'::text, 'resealing'::text, 'success'::text])))
);

create table log_chunks (
  step_id uuid not null,
  attempt integer not null,
  first_seq bigint not null,
  line_count integer not null,
  activity_id uuid not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  ats timestamp with time zone[] not null,
  categories text[] collate "C" not null,
  messages text[] not null,
  tx xid8 not null default sluice_transaction(),
  constraint log_chunks_first_seq_check CHECK ((first_seq >= 1)),
  constraint log_chunks_line_count_check CHECK (((line_count >= 1) AND (line_count <= 1000))),
  constraint log_chunks_pkey PRIMARY KEY (step_id, attempt, first_seq)
) partition by RANGE (step_id);

create table maintenance_mode (
  one boolean not null default true,
  mode text collate "C" not null default 'disabled'::text,
  switched_at timestamp with time zone not null default sluice_now(),
  switched_by text collate "C" not null default 'system'::text,
  constraint maintenance_mode_mode_check CHECK ((mode = ANY (ARRAY['disabled'::text, 'enabled'::text, 'superuser_override'::text]))),
  constraint maintenance_mode_one_check CHECK (one),
  constraint maintenance_mode_pkey PRIMARY KEY (one)
);

create table model_files (
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  folder text collate "C" not null,
  content text not null,
  constraint model_files_pkey PRIMARY KEY (git_remote_id, commit_sha, folder)
);

create table models (
  id uuid not null default sluice_uuid7(),
  node_id uuid not null,
  project_id uuid not null,
  template_version_history_id uuid not null,
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  properties_sha bytea not null,
  data bytea not null,
  sha256 text collate "C" not null,
  actions bytea not null,
  render_logs bytea not null,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  constraint models_pkey PRIMARY KEY (id)
);

create table name_checks (
  id bigint not null generated always as identity,
  site text collate "C" not null,
  name_key text collate "C" not null,
  constraint name_checks_pkey PRIMARY KEY (id)
);

create table node_actions (
  node_id uuid not null,
  catalogue_id uuid not null,
  derived_at timestamp with time zone not null default sluice_now(),
  constraint node_actions_pkey PRIMARY KEY (node_id)
);

create table node_background_tasks (
  id uuid not null default sluice_uuid7(),
  request_number bigint not null generated always as identity,
  task_type text collate "C" not null,
  node_id uuid,
  template_version_id uuid,
  template_version_history_id uuid,
  project_id uuid not null,
  path text collate "C" not null,
  status_code text collate "C" not null default 'initializing'::text,
  site text collate "C" not null default 'main'::text,
  pool text collate "C" not null,
  fence bigint not null default 0,
  input text,
  output text,
  error_message text collate "C",
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default sluice_now(),
  attempt integer not null default 0,
  about_node boolean not null default false,
  trigger text collate "C",
  cancelled_by text collate "C",
  catalogue_id uuid,
  image_sha text collate "C",
  image_purged boolean not null default false,
  activity_id uuid,
  scope_project_id uuid,
  constraint node_background_tasks_check CHECK (((node_id IS NOT NULL) OR (template_version_id IS NOT NULL))),
  constraint node_background_tasks_pkey PRIMARY KEY (id),
  constraint node_background_tasks_status_code_check CHECK ((status_code = ANY (ARRAY['initializing'::text, 'running'::text, 'success'::text, 'error'::text, 'cancelled'::text]))),
  constraint node_background_tasks_task_type_check CHECK ((task_type = ANY (ARRAY['GenerateActionsRequest'::text, 'BuildAgentImageTask'::text, 'GenerateModelTask'::text, 'StartAgentTask'::text, 'StopAgentTask'::text])))
);

create table nodes (
  id uuid not null default sluice_uuid7(),
  number bigint not null generated always as identity,
  node_type text collate "C" not null,
  code text collate "C" not null,
  name text collate "C" not null,
  description text collate "C" not null default ''::text,
  project_type text collate "C",
  parent_id uuid,
  project_id uuid not null,
  environment_id uuid,
  path text collate "C" not null,
  archived boolean not null default false,
  archived_at timestamp with time zone,
  destroyed_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  template_code text collate "C",
  template_version text collate "C",
  settings_id uuid,
  properties_id uuid,
  template_id uuid,
  template_version_id uuid,
  constraint nodes_check CHECK (((node_type = 'project'::text) = (parent_id IS NULL))),
  constraint nodes_check1 CHECK (((node_type = 'project'::text) = (project_type IS NOT NULL))),
  constraint nodes_check2 CHECK (((node_type = 'project'::text) = (project_id = id))),
  constraint nodes_code_check CHECK ((code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'::text)),
  constraint nodes_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint nodes_node_type_check CHECK ((node_type = ANY (ARRAY['project'::text, 'environment'::text, 'asset'::text, 'agent'::text]))),
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_project_type_check CHECK ((project_type = ANY (ARRAY['Standard'::text, 'Enterprise'::text])))
);

create table policy_assignments (
  id uuid not null default sluice_uuid7(),
  policy_id uuid not null,
  assignee_id uuid,
  groupname text collate "C",
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  constraint policy_assignments_pkey PRIMARY KEY (id),
  constraint policy_assignments_policy_id_assignee_id_groupname_key UNIQUE NULLS NOT DISTINCT (policy_id, assignee_id, groupname)
);

create table policy_rules (
  id uuid not null default sluice_uuid7(),
  policy_id uuid not null,
  rule_id uuid not null,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  constraint policy_rules_pkey PRIMARY KEY (id),
  constraint policy_rules_policy_id_rule_id_key UNIQUE (policy_id, rule_id)
);

create table properties (
  id uuid not null default sluice_uuid7(),
  owner_type text collate "C" not null,
  owner_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  version integer not null default 1,
  destroyed_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint properties_owner_id_key UNIQUE (owner_id) INCLUDE (id),
  constraint properties_owner_type_check CHECK ((owner_type = ANY (ARRAY['Project'::text, 'Environment'::text, 'Template'::text, 'Template version'::text, 'Agent'::text, 'Asset'::text]))),
  constraint properties_pkey PRIMARY KEY (id),
  constraint properties_version_check CHECK ((version >= 1))
);

create table properties_versions (
  id uuid not null default sluice_uuid7(),
  properties_id uuid not null,
  version integer not null,
  data bytea not null,
  data_sha bytea not null,
  created_by text collate "C" not null,
  user_id uuid,
  step_id uuid,
  active_from timestamp with time zone not null default sluice_now(),
  active_to timestamp with time zone,
  created_at timestamp with time zone not null default sluice_now(),
  constraint properties_versions_one_at_a_time EXCLUDE USING gist (GREATEST(properties_id) WITH =, tstzrange(active_from, active_to) WITH &&),
  constraint properties_versions_pkey PRIMARY KEY (id),
  constraint properties_versions_properties_id_version_key UNIQUE (properties_id, version),
  constraint properties_versions_version_check CHECK ((version >= 1))
);

create table repository_files (
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  repo_folder text collate "C" not null,
  template_code text collate "C" not null,
  path text collate "C" not null,
  content bytea not null,
  constraint repository_files_pkey PRIMARY KEY (git_remote_id, commit_sha, repo_folder, template_code, path)
);

create table repository_folders (
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  repo_folder text collate "C" not null,
  template_code text collate "C" not null,
  read_at timestamp with time zone not null default sluice_now(),
  error text collate "C",
  constraint repository_folders_pkey PRIMARY KEY (git_remote_id, commit_sha, repo_folder, template_code)
);

create table rights_epochs (
  slot integer not null,
  epoch bigint not null,
  constraint rights_epochs_pkey PRIMARY KEY (slot)
);

create table runners (
  id uuid not null default sluice_uuid7(),
  site text collate "C" not null default 'main'::text,
  kind text collate "C" not null,
  activity_id uuid,
  step_id uuid,
  status text collate "C" not null default 'wanted'::text,
  secret_sha bytea,
  session bigint not null default 0,
  host text collate "C",
  pid integer,
  pid_started bigint,
  protocol integer,
  acked_seq bigint not null default 0,
  start_attempts integer not null default 0,
  options jsonb not null default '{}'::jsonb,
  last_contact timestamp with time zone,
  idle_since timestamp with time zone,
  gone_reason text collate "C",
  created_at timestamp with time zone not null default sluice_now(),
  started_at timestamp with time zone,
  gone_at timestamp with time zone,
  task_id uuid,
  starter_pid integer,
  starter_started bigint,
  folder text,
  constraint runners_check CHECK (((activity_id IS NULL) OR (task_id IS NULL))),
  constraint runners_kind_check CHECK ((kind = ANY (ARRAY['process'::text, 'container'::text, 'kubernetes'::text]))),
  constraint runners_pkey PRIMARY KEY (id),
  constraint runners_status_check CHECK ((status = ANY (ARRAY['wanted'::text, 'starting'::text, 'live'::text, 'stopping'::text, 'gone'::text])))
) with (fillfactor=70);

create table schedule_occurrences (
  schedule_id uuid not null,
  due_at timestamp with time zone not null,
  state text collate "C" not null default 'due'::text,
  reason text collate "C",
  commit_sha text collate "C",
  activity_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint schedule_occurrences_check CHECK (((state = 'created'::text) = (activity_id IS NOT NULL))),
  constraint schedule_occurrences_pkey PRIMARY KEY (schedule_id, due_at),
  constraint schedule_occurrences_state_check CHECK ((state = ANY (ARRAY['due'::text, 'resolving'::text, 'created'::text, 'skipped'::text, 'missed'::text, 'failed'::text])))
);

create table scheduled_activities (
  id uuid not null default sluice_uuid7(),
  kind text collate "C" not null,
  node_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  action text collate "C",
  workflow_code text collate "C",
  cron_schedule text collate "C",
  run_at timestamp with time zone,
  time_zone text collate "C" not null default 'UTC'::text,
  repeat boolean not null default true,
  maximum_run_count integer,
  end_at timestamp with time zone,
  enabled boolean not null default true,
  disabled_reason text collate "C",
  new_commits_only boolean not null default false,
  commit_file_patterns jsonb not null default '[]'::jsonb,
  commit_file_pattern_match text collate "C" not null default 'any'::text,
  allow_parallel_execution boolean not null default false,
  git_remote_name text collate "C",
  git_rev text collate "C",
  template_version text collate "C",
  metadata jsonb not null default '{}'::jsonb,
  skip_steps text[] collate "C" not null default '{}'::text[],
  starting_step text collate "C",
  property_overrides bytea not null,
  settings_overrides bytea not null,
  next_run_at timestamp with time zone,
  run_count integer not null default 0,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  version integer,
  auto_continue_wait_steps boolean not null default false,
  build_without_cache boolean not null default false,
  notify bytea,
  constraint scheduled_activities_check CHECK (((kind = 'scheduled_change'::text) = (action IS NOT NULL))),
  constraint scheduled_activities_check1 CHECK (((kind = 'scheduled_workflow'::text) = (workflow_code IS NOT NULL))),
  constraint scheduled_activities_check2 CHECK ((num_nonnulls(cron_schedule, run_at) = 1)),
  constraint scheduled_activities_commit_file_pattern_match_check CHECK ((commit_file_pattern_match = ANY (ARRAY['any'::text, 'all'::text]))),
  constraint scheduled_activities_kind_check CHECK ((kind = ANY (ARRAY['scheduled_change'::text, 'scheduled_workflow'::text]))),
  constraint scheduled_activities_maximum_run_count_check CHECK ((maximum_run_count >= 1)),
  constraint scheduled_activities_pkey PRIMARY KEY (id),
  constraint scheduled_activities_version_check CHECK ((version >= 1))
);

create table schema_migrations (
  name text not null,
  sha256 text not null,
  oldest_release text not null,
  applied_at timestamp with time zone not null default clock_timestamp(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table secrets_to_mask (
  id uuid not null default sluice_uuid7(),
  runner_id uuid not null,
  step_id uuid not null,
  attempt integer not null,
  fence bigint not null,
  value bytea not null,
  masked boolean not null default false,
  created_at timestamp with time zone not null default sluice_now(),
  constraint secrets_to_mask_pkey PRIMARY KEY (id)
);

create table service_processes (
  id uuid not null default sluice_uuid7(),
  site text collate "C" not null default 'main'::text,
  role text collate "C" not null,
  host text collate "C" not null,
  pid integer not null,
  release text collate "C" not null,
  job_workers text[] collate "C" not null default '{}'::text[],
  started_at timestamp with time zone not null default sluice_now(),
  heartbeat_at timestamp with time zone not null default sluice_now(),
  knows_key integer not null default 0,
  seals_with integer not null default 0,
  next_root text collate "C",
  failing_loops jsonb not null default '[]'::jsonb,
  steps_sandboxed boolean,
  steps_own_user boolean,
  user_load jsonb not null default '[]'::jsonb,
  schema_version integer,
  constraint service_processes_pkey PRIMARY KEY (id),
  constraint service_processes_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text])))
);

create table settings (
  id uuid not null default sluice_uuid7(),
  owner_type text collate "C" not null,
  owner_id uuid not null,
  project_id uuid,
  path text collate "C" not null,
  version integer not null default 1,
  destroyed_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint settings_owner_id_key UNIQUE (owner_id) INCLUDE (id),
  constraint settings_owner_type_check CHECK ((owner_type = ANY (ARRAY['Global'::text, 'Project'::text, 'Environment'::text, 'Template'::text, 'Template version'::text, 'Agent'::text, 'Asset'::text]))),
  constraint settings_pkey PRIMARY KEY (id),
  constraint settings_version_check CHECK ((version >= 1))
);

create table settings_versions (
  id uuid not null default sluice_uuid7(),
  settings_id uuid not null,
  version integer not null,
  data bytea not null,
  data_sha bytea not null,
  created_by text collate "C" not null,
  user_id uuid,
  step_id uuid,
  active_from timestamp with time zone not null default sluice_now(),
  active_to timestamp with time zone,
  created_at timestamp with time zone not null default sluice_now(),
  constraint settings_versions_one_at_a_time EXCLUDE USING gist (GREATEST(settings_id) WITH =, tstzrange(active_from, active_to) WITH &&),
  constraint settings_versions_pkey PRIMARY KEY (id),
  constraint settings_versions_settings_id_version_key UNIQUE (settings_id, version),
  constraint settings_versions_version_check CHECK ((version >= 1))
);

create table sign_in_failures (
  key bytea not null,
  failures integer not null,
  since timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (key)
);

create table sites (
  id uuid not null default sluice_uuid7(),
  code text collate "C" not null,
  created_at timestamp with time zone not null default sluice_now(),
  constraint sites_code_key UNIQUE (code),
  constraint sites_pkey PRIMARY KEY (id)
);

create table slot_claims (
  id uuid not null default sluice_uuid7(),
  site text collate "C" not null,
  pool text collate "C" not null,
  slot integer not null,
  holder_kind text collate "C" not null,
  holder_id uuid not null,
  node_path text collate "C" not null,
  claimed_at timestamp with time zone not null default sluice_now(),
  constraint slot_claims_holder_id_key UNIQUE (holder_id),
  constraint slot_claims_holder_kind_check CHECK ((holder_kind = ANY (ARRAY['activity'::text, 'step'::text, 'task'::text, 'agent'::text]))),
  constraint slot_claims_pkey PRIMARY KEY (id),
  constraint slot_claims_site_pool_slot_key UNIQUE (site, pool, slot),
  constraint slot_claims_slot_check CHECK ((slot >= 1))
);

create table slot_pools (
  site text collate "C" not null default 'main'::text,
  pool text collate "C" not null,
  configured_limit integer not null,
  used integer not null default 0,
  row_version bigint not null default 1,
  updated_at timestamp with time zone not null default sluice_now(),
  id uuid not null default sluice_uuid7(),
  constraint slot_pools_configured_limit_check CHECK ((configured_limit >= 0)),
  constraint slot_pools_pkey PRIMARY KEY (site, pool),
  constraint slot_pools_used_check CHECK ((used >= 0))
);

create table steps (
  id uuid not null default sluice_uuid7(),
  activity_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  parent_id uuid,
  "position" integer not null,
  tree_order text collate "C" not null,
  step_type step_type not null,
  action text collate "C",
  step_name text collate "C" not null,
  full_path text collate "C" not null,
  description text collate "C",
  definition text,
  status step_status not null default 'pending'::text,
  body step_body not null default 'open'::text,
  child_execution_strategy child_execution_strategy not null default 'sequential'::text,
  ignore_failure boolean not null default false,
  skip_requested boolean not null default false,
  needs_approval boolean not null default false,
  rejected boolean not null default false,
  reset_on_retry boolean not null default false,
  children non_negative not null default 0,
  open_children non_negative not null default 0,
  failed_children non_negative not null default 0,
  system_failed_children non_negative not null default 0,
  attempt integer not null default 0,
  fence bigint not null default 0,
  result_seq bigint not null default 0,
  runner_id uuid,
  wait_seconds non_negative,
  wait_until timestamp with time zone,
  wake_at timestamp with time zone,
  input_arguments bytea,
  requires_approval_from jsonb not null default '[]'::jsonb,
  approved_by jsonb not null default '[]'::jsonb,
  rejected_by jsonb not null default '[]'::jsonb,
  continued_by text collate "C",
  exit_code integer,
  error_message text collate "C",
  outputs bytea,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  queued_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default sluice_now(),
  retry_of uuid,
  ran_as uuid,
  made_children boolean not null default false,
  final boolean not null generated always as (sluice_is_final((status)::text)) stored,
  reported_status text collate "C" not null generated always as (sluice_reported_status((status)::text, needs_approval, rejected)) stored,
  constraint steps_final_has_no_open_children CHECK (((NOT final) OR ((open_children)::integer = 0))),
  constraint steps_pkey PRIMARY KEY (id),
  constraint steps_success_has_no_open_body CHECK ((((status)::text <> 'success'::text) OR ((body)::text <> 'open'::text)))
) with (fillfactor=70);

create table template_version_commits (
  id uuid not null default sluice_uuid7(),
  template_version_id uuid not null,
  git_remote_id uuid not null,
  commit_sha text collate "C" not null,
  active_from timestamp with time zone not null default sluice_now(),
  active_to timestamp with time zone,
  constraint template_version_commits_one_at_a_time EXCLUDE USING gist (GREATEST(template_version_id) WITH =, tstzrange(active_from, active_to) WITH &&),
  constraint template_version_commits_pkey PRIMARY KEY (id)
);

create table template_version_histories (
  id uuid not null default sluice_uuid7(),
  node_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  template_id uuid not null,
  template_version_id uuid not null,
  created_by text collate "C" not null,
  user_id uuid,
  active_from timestamp with time zone not null default sluice_now(),
  active_to timestamp with time zone,
  constraint template_version_histories_one_at_a_time EXCLUDE USING gist (GREATEST(node_id) WITH =, tstzrange(active_from, active_to) WITH &&),
  constraint template_version_histories_pkey PRIMARY KEY (id)
);

create table template_versions (
  id uuid not null default sluice_uuid7(),
  template_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  version text collate "C" not null,
  description text collate "C" not null default ''::text,
  state text collate "C" not null default 'initializing'::text,
  git_remote_id uuid not null,
  git_rev text collate "C" not null,
  commit_sha text collate "C",
  fetch_request integer not null default 1,
  pending_commit text collate "C",
  fetch_open boolean not null default true,
  locked boolean not null default false,
  float_git_rev boolean not null default false,
  float_refresh_error text collate "C",
  initialization_error text collate "C",
  has_model boolean not null default false,
  archived boolean not null default false,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  git_ref text collate "C",
  git_rev_ambiguous boolean not null default false,
  scope_project_id uuid,
  constraint template_versions_check CHECK ((NOT (locked AND float_git_rev))),
  constraint template_versions_check1 CHECK (((state <> 'ready'::text) OR (commit_sha IS NOT NULL))),
  constraint template_versions_pkey PRIMARY KEY (id),
  constraint template_versions_state_check CHECK ((state = ANY (ARRAY['initializing'::text, 'ready'::text, 'broken'::text]))),
  constraint template_versions_version_check check (length(version) between 1 and 100 and version not in ('.', '..'))
);

create table templates (
  id uuid not null default sluice_uuid7(),
  project_id uuid not null,
  path text collate "C" not null,
  code text collate "C" not null,
  name text collate "C" not null,
  description text collate "C",
  template_type text collate "C" not null,
  git_remote_id uuid not null,
  archived boolean not null default false,
  disabled boolean not null default false,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint templates_code_check CHECK ((code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'::text)),
  constraint templates_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint templates_pkey PRIMARY KEY (id),
  constraint templates_template_type_check CHECK ((template_type = ANY (ARRAY['asset'::text, 'agent'::text])))
);

create table texts_to_mask (
  id uuid not null default sluice_uuid7(),
  runner_id uuid not null,
  step_id uuid not null,
  attempt integer not null,
  fence bigint not null,
  texts bytea not null,
  masked bytea,
  created_at timestamp with time zone not null default sluice_now(),
  constraint texts_to_mask_pkey PRIMARY KEY (id)
);

create table tokens (
  id uuid not null default sluice_uuid7(),
  kind text collate "C" not null,
  user_id uuid not null,
  secret_sha bytea not null,
  description text collate "C" not null default ''::text,
  activity_id uuid,
  step_id uuid,
  fence bigint,
  project_id uuid,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  row_version bigint not null default 1,
  created_by text collate "C" not null,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint tokens_kind_check CHECK ((kind = ANY (ARRAY['personal'::text, 'session'::text, 'attempt'::text, 'agent'::text]))),
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_secret_sha_key UNIQUE (secret_sha)
);

create table users (
  id uuid not null default sluice_uuid7(),
  username text collate "C" not null,
  display_name text collate "C",
  email_address text collate "C",
  auth_provider text collate "C" not null default 'local'::text,
  password_hash text,
  password_version integer not null default 1,
  groupnames text[] collate "C" not null default '{}'::text[],
  disabled boolean not null default false,
  deleted_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint users_auth_provider_check CHECK ((auth_provider = ANY (ARRAY['local'::text, 'ldap'::text]))),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_username_check CHECK ((username ~ '^[^:/[:cntrl:]]{1,255}$'::text)),
  constraint users_username_check1 CHECK ((username <> 'system'::text))
);

create table vault_entries (
  id uuid not null default sluice_uuid7(),
  project_id uuid,
  path text collate "C" not null,
  key text collate "C" not null,
  value bytea,
  row_version bigint not null default 1,
  created_by text collate "C" not null,
  user_id uuid,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  kept_in text collate "C",
  constraint vault_entries_kept_once CHECK (((value IS NULL) <> (kept_in IS NULL))),
  constraint vault_entries_path_check CHECK ((path ~ '^/'::text)),
  constraint vault_entries_path_key_key UNIQUE (path, key),
  constraint vault_entries_pkey PRIMARY KEY (id)
);

create table vault_removals (
  id uuid not null default sluice_uuid7(),
  path text collate "C" not null,
  key text collate "C" not null,
  connection bytea not null,
  created_at timestamp with time zone not null default sluice_now(),
  constraint vault_removals_pkey PRIMARY KEY (id)
);

create table workflow_runs (
  id uuid not null,
  workflow_id uuid not null,
  workflow_version_id uuid not null,
  workflow_code text collate "C" not null,
  version integer not null,
  name text collate "C" not null,
  metadata jsonb not null default '{}'::jsonb,
  skip_steps text[] collate "C" not null default '{}'::text[],
  property_overrides bytea not null,
  notify bytea,
  depth integer not null default 0,
  retry_of uuid,
  scheduled_activity_id uuid,
  constraint workflow_runs_depth_check CHECK ((depth >= 0)),
  constraint workflow_runs_pkey PRIMARY KEY (id)
);

create table workflow_step_news (
  id bigint not null generated always as identity,
  step_id uuid not null,
  constraint workflow_step_news_pkey PRIMARY KEY (id)
);

create table workflow_steps (
  id uuid not null,
  targets text[] collate "C" not null default '{}'::text[],
  action text collate "C",
  template_version text collate "C",
  start_time text collate "C",
  workflow_code text collate "C",
  making bytea not null,
  retries uuid,
  constraint workflow_steps_pkey PRIMARY KEY (id)
);

create table workflow_versions (
  id uuid not null default sluice_uuid7(),
  workflow_id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  version integer not null,
  source_yaml bytea not null,
  parsed bytea not null,
  nested jsonb not null default '[]'::jsonb,
  published_at timestamp with time zone,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  scope_project_id uuid,
  constraint workflow_versions_pkey PRIMARY KEY (id),
  constraint workflow_versions_version_check CHECK ((version >= 1)),
  constraint workflow_versions_workflow_id_version_key UNIQUE (workflow_id, version)
);

create table workflows (
  id uuid not null default sluice_uuid7(),
  project_id uuid not null,
  path text collate "C" not null,
  code text collate "C" not null,
  name text collate "C" not null,
  description text collate "C",
  archived boolean not null default false,
  latest_version integer not null default 1,
  latest_published_version integer,
  ever_run boolean not null default false,
  created_by text collate "C" not null,
  user_id uuid,
  row_version bigint not null default 1,
  created_at timestamp with time zone not null default sluice_now(),
  updated_at timestamp with time zone not null default sluice_now(),
  constraint workflows_check CHECK ((latest_published_version <= latest_version)),
  constraint workflows_code_check CHECK ((code ~ '^[A-Za-z0-9]([A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$'::text)),
  constraint workflows_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint workflows_pkey PRIMARY KEY (id)
);

create table events_default partition of events default;

create table log_chunks_default partition of log_chunks default;

create view log_lines as
 SELECT sluice_line_id(c.step_id, c.attempt, c.first_seq + l.number - 1) AS id,
    c.step_id,
    c.attempt,
    c.first_seq + l.number - 1 AS seq,
    c.activity_id,
    c.first_seq,
    c.first_at,
    c.last_at,
    l.logged_at,
    l.category,
    l.message
   FROM log_chunks c
     CROSS JOIN LATERAL UNNEST(c.ats, c.categories, c.messages) WITH ORDINALITY l(logged_at, category, message, number);

create view rights_epoch as
 SELECT sum(epoch)::bigint AS epoch
   FROM rights_epochs;

create view template_version_names as
 SELECT v.id AS template_version_id,
    t.id AS template_id,
    t.code AS template_code,
    t.name AS template_name,
    v.version
   FROM template_versions v
     JOIN templates t ON t.id = v.template_id;

create view node_template_versions as
 SELECT h.node_id,
    names.template_version_id,
    names.template_id,
    names.template_code,
    names.template_name,
    names.version,
    h.active_from,
    h.active_to
   FROM template_version_histories h
     JOIN template_version_names names USING (template_version_id);

create view node_commits as
 SELECT h.node_id,
    h.template_version_id,
    h.template_id,
    h.template_code,
    h.template_name,
    h.version,
    h.active_from,
    h.active_to,
    c.git_remote_id,
    c.commit_sha,
    GREATEST(h.active_from, c.active_from) AS commit_active_from,
    LEAST(h.active_to, c.active_to) AS commit_active_to
   FROM node_template_versions h
     JOIN template_version_commits c ON c.template_version_id = h.template_version_id AND tstzrange(c.active_from, c.active_to) && tstzrange(h.active_from, h.active_to);

CREATE INDEX action_catalogues_of_assets ON public.action_catalogues USING btree (derived_at) WHERE (input_sha <> ''::text);

CREATE INDEX activities_admissible ON public.activities USING btree (site, pool, number) WHERE (((status)::text = 'pending'::text) AND head);

CREATE INDEX activities_admissible_to_creator ON public.activities USING btree (site, pool, user_id, number) WHERE ((status)::text = 'pending'::text);

CREATE INDEX activities_by_beginning_of_path ON public.activities USING btree (lower((path COLLATE "und-x-icu")) COLLATE "C");

CREATE INDEX activities_by_maker ON public.activities USING btree (user_id, created_at, id) WHERE (user_id IS NOT NULL);

CREATE INDEX activities_by_node ON public.activities USING btree (node_id, created_at, id);

CREATE INDEX activities_by_path ON public.activities USING btree (path, created_at, id);

CREATE INDEX activities_by_project ON public.activities USING btree (project_id, created_at, id);

CREATE INDEX activities_by_root ON public.activities USING btree (root_step_id);

CREATE INDEX activities_by_status ON public.activities USING btree (reported_status, created_at, id);

CREATE INDEX activities_by_time ON public.activities USING btree (created_at, id);

CREATE INDEX activities_cancelling ON public.activities USING btree (id) WHERE ((cancel_requested_at IS NOT NULL) AND (NOT final));

CREATE INDEX activities_idle ON public.activities USING btree (waiting_since) WHERE (((status)::text = 'waiting'::text) AND holds_slot);

CREATE INDEX activities_live ON public.activities USING btree (kind, status) WHERE (NOT final);

CREATE INDEX activities_of_single_steps ON public.activities USING btree (site, pool, number) WHERE (((status)::text = 'running'::text) AND pod_per_step);

CREATE UNIQUE INDEX activities_of_workflow_step ON public.activities USING btree (workflow_step_id) WHERE (workflow_step_id IS NOT NULL);

CREATE INDEX activities_runs ON public.activities USING btree (created_at, id) WHERE ((kind)::text = 'workflow_run'::text);

CREATE INDEX activities_runs_of_project ON public.activities USING btree (project_id, created_at, id) WHERE ((kind)::text = 'workflow_run'::text);

CREATE INDEX activities_runs_of_project_by_id ON public.activities USING btree (project_id, id) WHERE ((kind)::text = 'workflow_run'::text);

CREATE INDEX activities_same_name ON public.activities USING btree (site, name_key, number) WHERE (NOT final);

CREATE INDEX activities_started_on_node ON public.activities USING btree (node_id) WHERE ((status)::text = ANY (ARRAY['running'::text, 'waiting'::text, 'queued'::text]));

CREATE INDEX activities_to_begin ON public.activities USING btree (project_id) WHERE (((status)::text = 'initializing'::text) OR (((status)::text = 'pending'::text) AND head));

CREATE INDEX activities_to_resume ON public.activities USING btree (site, pool, number) WHERE ((status)::text = 'queued'::text);

CREATE INDEX activities_under_way ON public.activities USING btree (site, pool, number) WHERE (((status)::text = 'pending'::text) AND under_way);

CREATE INDEX activities_unfinished_on_node ON public.activities USING btree (node_id, number) WHERE (NOT final);

CREATE INDEX agent_statuses_by_build_task ON public.agent_statuses USING btree (build_task_id) WHERE (build_task_id IS NOT NULL);

CREATE INDEX artefacts_by_activity ON public.artefacts USING btree (activity_id, created_at, id);

CREATE INDEX artefacts_by_content ON public.artefacts USING btree (sha256);

CREATE UNIQUE INDEX authorisation_policies_name ON public.authorisation_policies USING btree (lower(name));

CREATE INDEX authorisation_rules_by_path ON public.authorisation_rules USING btree (path);

CREATE INDEX bookmarks_by_node ON public.bookmarks USING btree (node_id, created_at, id);

CREATE INDEX bookmarks_by_project ON public.bookmarks USING btree (project_id, created_at, id);

CREATE INDEX bookmarks_by_time ON public.bookmarks USING btree (created_at, id);

CREATE INDEX changes_by_action ON public.changes USING btree (action, id);

CREATE INDEX changes_by_commit ON public.changes USING btree (git_remote_id, commit_sha);

CREATE INDEX changes_by_template_version ON public.changes USING btree (template_version_id);

CREATE INDEX changes_retry_of ON public.changes USING btree (retry_of) WHERE (retry_of IS NOT NULL);

CREATE INDEX changes_using_inputs_by_user ON public.changes_using_inputs USING btree (used_by);

CREATE INDEX data_cleanup_definitions_by_time ON public.data_cleanup_definitions USING btree (created_at, id);

CREATE INDEX data_cleanup_definitions_due ON public.data_cleanup_definitions USING btree (next_run_at) WHERE (enabled AND (next_run_at IS NOT NULL));

CREATE INDEX directory_groups_in_any_case ON public.directory_groups USING btree (lower(groupname));

CREATE INDEX events_by_activity ON ONLY public.events USING btree (activity_id, created_at, id) WHERE (activity_id IS NOT NULL);

CREATE INDEX events_by_attributes ON ONLY public.events USING gin (attributes jsonb_path_ops);

CREATE INDEX events_by_path ON ONLY public.events USING btree (path, created_at, id);

CREATE INDEX events_by_project ON ONLY public.events USING btree (project_id, created_at, id);

CREATE INDEX events_by_source ON ONLY public.events USING btree (source_id, created_at, id);

CREATE INDEX events_by_time ON ONLY public.events USING btree (created_at, id);

CREATE INDEX events_by_tx ON ONLY public.events USING btree (tx);

CREATE INDEX events_by_type ON ONLY public.events USING btree (type, created_at, id);

CREATE INDEX events_by_username ON ONLY public.events USING btree (username, created_at, id);

CREATE INDEX finished_jobs_by_end ON public.finished_jobs USING btree (finished_at);

CREATE INDEX finished_jobs_by_time ON public.finished_jobs USING btree (created_at, id);

CREATE INDEX git_remotes_due ON public.git_remotes USING btree (next_fetch_at) WHERE (NOT archived);

CREATE UNIQUE INDEX git_remotes_name ON public.git_remotes USING btree (project_id, lower(name));

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX kept_dependencies_by_age ON public.kept_dependencies USING btree (kept_at);

CREATE UNIQUE INDEX key_rotations_one_at_a_time ON public.key_rotations USING btree ((true)) WHERE (finished_at IS NULL);

CREATE INDEX log_chunks_by_activity ON ONLY public.log_chunks USING btree (activity_id, first_at);

CREATE INDEX log_chunks_by_time ON ONLY public.log_chunks USING btree (last_at);

CREATE INDEX log_chunks_by_tx ON ONLY public.log_chunks USING btree (activity_id, tx);

CREATE INDEX models_by_history ON public.models USING btree (template_version_history_id);

CREATE INDEX models_by_node ON public.models USING btree (node_id, created_at, id);

CREATE INDEX models_by_time ON public.models USING btree (created_at);

CREATE INDEX node_actions_by_catalogue ON public.node_actions USING btree (catalogue_id);

CREATE INDEX node_background_tasks_by_activity ON public.node_background_tasks USING btree (activity_id) WHERE (activity_id IS NOT NULL);

CREATE INDEX node_background_tasks_by_node ON public.node_background_tasks USING btree (node_id, created_at, id);

CREATE INDEX node_background_tasks_by_version ON public.node_background_tasks USING btree (template_version_id) WHERE (template_version_id IS NOT NULL);

CREATE INDEX node_background_tasks_latest ON public.node_background_tasks USING btree (node_id, task_type, request_number DESC);

CREATE INDEX node_background_tasks_latest_of_history ON public.node_background_tasks USING btree (template_version_history_id, request_number DESC) WHERE (template_version_history_id IS NOT NULL);

CREATE UNIQUE INDEX node_background_tasks_next ON public.node_background_tasks USING btree (node_id, task_type) WHERE (about_node AND (status_code = 'initializing'::text));

CREATE INDEX node_background_tasks_open ON public.node_background_tasks USING btree (status_code) WHERE (status_code = ANY (ARRAY['initializing'::text, 'running'::text]));

CREATE INDEX node_background_tasks_waiting ON public.node_background_tasks USING btree (site, pool, request_number) WHERE (status_code = 'initializing'::text);

CREATE INDEX nodes_archived ON public.nodes USING btree (node_type, created_at, id) WHERE (archived AND (destroyed_at IS NULL));

CREATE INDEX nodes_beneath ON public.nodes USING btree (parent_id);

CREATE INDEX nodes_by_beginning ON public.nodes USING btree (node_type, lower((name COLLATE "und-x-icu")) COLLATE "C", name, id) INCLUDE (project_id, path, created_at) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_change ON public.nodes USING btree (node_type, updated_at, id) INCLUDE (path) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_code ON public.nodes USING btree (node_type, code, id) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_maker ON public.nodes USING btree (user_id, node_type, created_at, id) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_name ON public.nodes USING btree (node_type, name, id) INCLUDE (path) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_parent ON public.nodes USING btree (parent_id, node_type, created_at, id) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_part ON public.nodes USING gin (lower((name COLLATE "und-x-icu")) gin_trgm_ops, lower((code COLLATE "und-x-icu")) gin_trgm_ops, lower((description COLLATE "und-x-icu")) gin_trgm_ops) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_project ON public.nodes USING btree (project_id, node_type, created_at, id) INCLUDE (name, code, updated_at, archived, template_code, user_id) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_template ON public.nodes USING btree (node_type, template_code, created_at, id) INCLUDE (path) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_by_type ON public.nodes USING btree (node_type, created_at, id) WHERE (destroyed_at IS NULL);

CREATE UNIQUE INDEX nodes_code ON public.nodes USING btree (COALESCE(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), node_type, lower(code)) WHERE (destroyed_at IS NULL);

CREATE INDEX nodes_destroyed ON public.nodes USING btree (node_type, id) WHERE (destroyed_at IS NOT NULL);

CREATE UNIQUE INDEX nodes_path ON public.nodes USING btree (path) WHERE (destroyed_at IS NULL);

CREATE INDEX policy_assignments_by_assignee ON public.policy_assignments USING btree (assignee_id);

CREATE INDEX policy_assignments_by_group ON public.policy_assignments USING btree (groupname);

CREATE INDEX policy_assignments_by_group_in_any_case ON public.policy_assignments USING btree (lower(groupname));

CREATE INDEX policy_rules_by_rule ON public.policy_rules USING btree (rule_id);

CREATE INDEX properties_by_project ON public.properties USING btree (project_id);

CREATE INDEX runners_by_activity ON public.runners USING btree (activity_id) WHERE (activity_id IS NOT NULL);

CREATE INDEX runners_by_task ON public.runners USING btree (task_id) WHERE (task_id IS NOT NULL);

CREATE INDEX runners_here ON public.runners USING btree (status) WHERE (status = ANY (ARRAY['starting'::text, 'live'::text, 'stopping'::text]));

CREATE UNIQUE INDEX runners_of_activity ON public.runners USING btree (activity_id) WHERE ((status = ANY (ARRAY['wanted'::text, 'starting'::text, 'live'::text])) AND (step_id IS NULL));

CREATE UNIQUE INDEX runners_of_step ON public.runners USING btree (step_id) WHERE ((step_id IS NOT NULL) AND (status = ANY (ARRAY['wanted'::text, 'starting'::text, 'live'::text])));

CREATE UNIQUE INDEX runners_of_task ON public.runners USING btree (task_id) WHERE (status = ANY (ARRAY['wanted'::text, 'starting'::text, 'live'::text]));

CREATE INDEX runners_to_start ON public.runners USING btree (site, created_at) WHERE (status = 'wanted'::text);

CREATE INDEX schedule_occurrences_by_commit ON public.schedule_occurrences USING btree (schedule_id, commit_sha) WHERE (state = 'created'::text);

CREATE INDEX schedule_occurrences_open ON public.schedule_occurrences USING btree (schedule_id) WHERE (state = ANY (ARRAY['due'::text, 'resolving'::text]));

CREATE INDEX scheduled_activities_by_node ON public.scheduled_activities USING btree (node_id, created_at, id);

CREATE INDEX scheduled_activities_by_project ON public.scheduled_activities USING btree (project_id, created_at, id);

CREATE INDEX scheduled_activities_by_time ON public.scheduled_activities USING btree (created_at, id);

CREATE INDEX scheduled_activities_due ON public.scheduled_activities USING btree (next_run_at) WHERE (enabled AND (next_run_at IS NOT NULL));

CREATE INDEX secrets_to_mask_by_runner ON public.secrets_to_mask USING btree (runner_id);

CREATE INDEX settings_by_project ON public.settings USING btree (project_id);

CREATE UNIQUE INDEX slot_pools_by_id ON public.slot_pools USING btree (id);

CREATE INDEX steps_by_parent ON public.steps USING btree (parent_id, "position");

CREATE INDEX steps_by_project_in_order ON public.steps USING btree (project_id, activity_id DESC, tree_order);

CREATE INDEX steps_by_status ON public.steps USING btree (reported_status, created_at, id);

CREATE INDEX steps_by_time ON public.steps USING btree (created_at, id);

CREATE UNIQUE INDEX steps_in_order ON public.steps USING btree (activity_id DESC, tree_order);

CREATE INDEX steps_queued ON public.steps USING btree (activity_id, tree_order) WHERE ((status)::text = 'queued'::text);

CREATE INDEX steps_running ON public.steps USING btree (runner_id) WHERE (((status)::text = 'running'::text) AND ((body)::text = 'open'::text));

CREATE INDEX steps_to_make ON public.steps USING btree (activity_id, tree_order) WHERE (((status)::text = 'queued'::text) AND ((step_type)::text = ANY (ARRAY['change'::text, 'workflow'::text])));

CREATE INDEX steps_to_wake ON public.steps USING btree (wake_at) WHERE (((status)::text = 'waiting'::text) AND (wake_at IS NOT NULL));

CREATE INDEX steps_unfinished ON public.steps USING btree (parent_id, "position") WHERE (NOT final);

CREATE INDEX template_version_commits_by_commit ON public.template_version_commits USING btree (git_remote_id, commit_sha);

CREATE INDEX template_version_commits_by_version ON public.template_version_commits USING btree (template_version_id, active_from);

CREATE INDEX template_version_histories_by_any_version ON public.template_version_histories USING btree (template_version_id);

CREATE INDEX template_version_histories_by_node ON public.template_version_histories USING btree (node_id, active_from);

CREATE INDEX template_version_histories_by_template ON public.template_version_histories USING btree (template_id);

CREATE INDEX template_version_histories_by_version ON public.template_version_histories USING btree (template_version_id) WHERE (active_to IS NULL);

CREATE INDEX template_version_histories_nodes ON public.template_version_histories USING btree (template_id, node_id) WHERE (active_to IS NULL);

CREATE UNIQUE INDEX template_version_histories_now ON public.template_version_histories USING btree (node_id) INCLUDE (template_id, template_version_id) WHERE (active_to IS NULL);

CREATE INDEX template_versions_by_remote ON public.template_versions USING btree (git_remote_id);

CREATE INDEX template_versions_open ON public.template_versions USING btree (updated_at) WHERE fetch_open;

CREATE UNIQUE INDEX template_versions_version ON public.template_versions USING btree (template_id, version);

CREATE INDEX templates_by_code ON public.templates USING btree (code);

CREATE INDEX templates_by_project ON public.templates USING btree (project_id, created_at, id);

CREATE INDEX templates_by_remote ON public.templates USING btree (git_remote_id);

CREATE UNIQUE INDEX templates_code ON public.templates USING btree (project_id, lower(code));

CREATE INDEX texts_to_mask_by_runner ON public.texts_to_mask USING btree (runner_id);

CREATE INDEX tokens_by_activity ON public.tokens USING btree (activity_id) WHERE (activity_id IS NOT NULL);

CREATE INDEX tokens_by_user ON public.tokens USING btree (user_id, created_at);

CREATE INDEX tokens_of_sessions ON public.tokens USING btree (expires_at) WHERE (kind = 'session'::text);

CREATE INDEX users_by_group ON public.users USING gin (sluice_folded_names(groupnames));

CREATE UNIQUE INDEX users_username ON public.users USING btree (lower(username));

CREATE INDEX workflow_runs_by_workflow ON public.workflow_runs USING btree (workflow_id, id);

CREATE INDEX workflow_runs_retry_of ON public.workflow_runs USING btree (retry_of) WHERE (retry_of IS NOT NULL);

CREATE INDEX workflows_by_project ON public.workflows USING btree (project_id, created_at, id);

CREATE INDEX workflows_by_time ON public.workflows USING btree (created_at, id);

CREATE UNIQUE INDEX workflows_code ON public.workflows USING btree (project_id, lower(code));

alter table action_catalogues add constraint action_catalogues_git_remote_id_commit_sha_fkey FOREIGN KEY (git_remote_id, commit_sha) REFERENCES git_commits(git_remote_id, commit_sha) ON DELETE CASCADE;

alter table activities add constraint activities_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table activities add constraint activities_root_step_id_fkey FOREIGN KEY (root_step_id) REFERENCES steps(id) DEFERRABLE INITIALLY DEFERRED;

alter table activities add constraint activities_workflow_step_id_fkey FOREIGN KEY (workflow_step_id) REFERENCES steps(id) ON DELETE SET NULL;

alter table agent_statuses add constraint agent_statuses_build_task_id_fkey FOREIGN KEY (build_task_id) REFERENCES node_background_tasks(id);

alter table agent_statuses add constraint agent_statuses_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE;

alter table artefacts add constraint artefacts_step_id_fkey FOREIGN KEY (step_id) REFERENCES steps(id) ON DELETE CASCADE;

alter table bookmarks add constraint bookmarks_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table changes add constraint changes_id_fkey FOREIGN KEY (id) REFERENCES activities(id) ON DELETE CASCADE;

alter table changes_using_inputs add constraint changes_using_inputs_used_by_fkey FOREIGN KEY (used_by) REFERENCES changes(id) ON DELETE CASCADE;

alter table git_commits add constraint git_commits_git_remote_id_fkey FOREIGN KEY (git_remote_id) REFERENCES git_remotes(id) ON DELETE CASCADE;

alter table git_remotes add constraint git_remotes_project_id_fkey FOREIGN KEY (project_id) REFERENCES nodes(id);

alter table key_rotations add constraint key_rotations_data_key_fkey FOREIGN KEY (data_key) REFERENCES data_keys(id);

alter table model_files add constraint model_files_git_remote_id_commit_sha_fkey FOREIGN KEY (git_remote_id, commit_sha) REFERENCES git_commits(git_remote_id, commit_sha) ON DELETE CASCADE;

alter table models add constraint models_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table models add constraint models_template_version_history_id_fkey FOREIGN KEY (template_version_history_id) REFERENCES template_version_histories(id);

alter table node_actions add constraint node_actions_catalogue_id_fkey FOREIGN KEY (catalogue_id) REFERENCES action_catalogues(id) ON DELETE CASCADE;

alter table node_actions add constraint node_actions_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE;

alter table node_background_tasks add constraint node_background_tasks_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES activities(id) ON DELETE SET NULL;

alter table node_background_tasks add constraint node_background_tasks_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table node_background_tasks add constraint node_background_tasks_template_version_history_id_fkey FOREIGN KEY (template_version_history_id) REFERENCES template_version_histories(id);

alter table node_background_tasks add constraint node_background_tasks_template_version_id_fkey FOREIGN KEY (template_version_id) REFERENCES template_versions(id);

alter table nodes add constraint nodes_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES nodes(id);

alter table policy_assignments add constraint policy_assignments_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id);

alter table policy_assignments add constraint policy_assignments_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES authorisation_policies(id) ON DELETE CASCADE;

alter table policy_rules add constraint policy_rules_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES authorisation_policies(id) ON DELETE CASCADE;

alter table policy_rules add constraint policy_rules_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES authorisation_rules(id) ON DELETE CASCADE;

alter table properties_versions add constraint properties_versions_properties_id_fkey FOREIGN KEY (properties_id) REFERENCES properties(id) ON DELETE CASCADE;

alter table repository_files add constraint repository_files_git_remote_id_commit_sha_repo_folder_temp_fkey FOREIGN KEY (git_remote_id, commit_sha, repo_folder, template_code) REFERENCES repository_folders(git_remote_id, commit_sha, repo_folder, template_code) ON DELETE CASCADE;

alter table repository_folders add constraint repository_folders_git_remote_id_commit_sha_fkey FOREIGN KEY (git_remote_id, commit_sha) REFERENCES git_commits(git_remote_id, commit_sha) ON DELETE CASCADE;

alter table runners add constraint runners_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES activities(id) ON DELETE CASCADE;

alter table schedule_occurrences add constraint schedule_occurrences_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES scheduled_activities(id) ON DELETE CASCADE;

alter table scheduled_activities add constraint scheduled_activities_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table secrets_to_mask add constraint secrets_to_mask_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id) ON DELETE CASCADE;

alter table settings_versions add constraint settings_versions_settings_id_fkey FOREIGN KEY (settings_id) REFERENCES settings(id) ON DELETE CASCADE;

alter table slot_claims add constraint slot_claims_site_pool_fkey FOREIGN KEY (site, pool) REFERENCES slot_pools(site, pool);

alter table steps add constraint steps_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES activities(id) ON DELETE CASCADE;

alter table steps add constraint steps_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES steps(id) ON DELETE CASCADE;

alter table template_version_commits add constraint template_version_commits_git_remote_id_commit_sha_fkey FOREIGN KEY (git_remote_id, commit_sha) REFERENCES git_commits(git_remote_id, commit_sha);

alter table template_version_commits add constraint template_version_commits_template_version_id_fkey FOREIGN KEY (template_version_id) REFERENCES template_versions(id) ON DELETE CASCADE;

alter table template_version_histories add constraint template_version_histories_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id);

alter table template_version_histories add constraint template_version_histories_template_id_fkey FOREIGN KEY (template_id) REFERENCES templates(id);

alter table template_version_histories add constraint template_version_histories_template_version_id_fkey FOREIGN KEY (template_version_id) REFERENCES template_versions(id);

alter table template_versions add constraint template_versions_git_remote_id_fkey FOREIGN KEY (git_remote_id) REFERENCES git_remotes(id);

alter table template_versions add constraint template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES templates(id) ON DELETE CASCADE;

alter table templates add constraint templates_git_remote_id_fkey FOREIGN KEY (git_remote_id) REFERENCES git_remotes(id);

alter table templates add constraint templates_project_id_fkey FOREIGN KEY (project_id) REFERENCES nodes(id);

alter table texts_to_mask add constraint texts_to_mask_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id) ON DELETE CASCADE;

alter table tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table workflow_runs add constraint workflow_runs_id_fkey FOREIGN KEY (id) REFERENCES activities(id) ON DELETE CASCADE;

alter table workflow_steps add constraint workflow_steps_id_fkey FOREIGN KEY (id) REFERENCES steps(id) ON DELETE CASCADE;

alter table workflow_versions add constraint workflow_versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE;

alter table workflows add constraint workflows_project_id_fkey FOREIGN KEY (project_id) REFERENCES nodes(id);

insert into installation default values;
insert into audit_head default values;
insert into maintenance_mode default values;
insert into directory_refreshes default values;
insert into sites (code) values ('main');
insert into slot_pools (pool, configured_limit) values
  ('runner', 15), ('actions_refresh', 5), ('model', 5), ('agent', 50), ('image_build', 8);
insert into authorisation_policies (name, description, system, created_by) values
  ('superuser', 'Everything, everywhere', 'superuser', 'system'),
  ('blocked', 'Nothing; outranks every other policy', 'blocked', 'system');
insert into rights_epochs select slot, case slot when 0 then 1 else 0 end from generate_series(0, 15) slot;

CREATE TRIGGER authorisation_policies_move_epoch BEFORE INSERT OR DELETE OR UPDATE ON authorisation_policies FOR EACH STATEMENT EXECUTE FUNCTION sluice_move_rights_epoch();

CREATE TRIGGER authorisation_rules_move_epoch BEFORE INSERT OR DELETE OR UPDATE ON authorisation_rules FOR EACH STATEMENT EXECUTE FUNCTION sluice_move_rights_epoch();

CREATE TRIGGER event_seals_are_never_emptied BEFORE TRUNCATE ON event_seals FOR EACH STATEMENT EXECUTE FUNCTION sluice_refuse();

CREATE TRIGGER event_seals_are_written_once BEFORE DELETE OR UPDATE ON event_seals FOR EACH ROW EXECUTE FUNCTION sluice_refuse();

CREATE TRIGGER events_are_never_emptied BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION sluice_refuse();

CREATE TRIGGER events_are_written_once BEFORE DELETE OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION sluice_refuse_event();

CREATE TRIGGER policy_assignments_move_epoch BEFORE INSERT OR DELETE OR UPDATE ON policy_assignments FOR EACH STATEMENT EXECUTE FUNCTION sluice_move_rights_epoch();

CREATE TRIGGER policy_rules_move_epoch BEFORE INSERT OR DELETE OR UPDATE ON policy_rules FOR EACH STATEMENT EXECUTE FUNCTION sluice_move_rights_epoch();

CREATE TRIGGER properties_of_node AFTER INSERT ON properties REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION sluice_properties_of_node();

CREATE TRIGGER settings_of_node AFTER INSERT ON settings REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION sluice_settings_of_node();

CREATE TRIGGER template_of_node AFTER INSERT ON template_version_histories REFERENCING NEW TABLE AS begun FOR EACH STATEMENT EXECUTE FUNCTION sluice_template_of_node();

revoke execute on function sluice_remove_events(uuid[]) from public;

insert into schema_migrations (name, sha256, oldest_release) values
  ('0001_clock_and_ids.sql', 'b81d3fcc5d5d399a3693e33298e589d947afb0145b694b67eadd980694039e19', '0.1.0'),
  ('0002_people_and_rights.sql', '9b96c2243f6c98c3d123cdc51a3ba3d3538332c996f4bbd9af7e1d2721f12b55', '0.1.0'),
  ('0003_events.sql', 'b27525beb7b7b6f96d3be7fcbede4c6719ea11884b6d38b93cf12cb5c35e4f30', '0.1.0'),
  ('0004_nodes.sql', 'e45a8ac902884b4e83c7b1d71149778139736250e125730f2c86bdc3eb35a410', '0.1.0'),
  ('0005_configuration.sql', '66e8424807d59361dd0432feed31ec84dd20a3965b30635b9f951c1c211a9d39', '0.1.0'),
  ('0006_git_and_templates.sql', '3d0beb578217139000ed5a0147bfb6185717bb01f36518d00dc699e467d83755', '0.1.0'),
  ('0007_activities_and_steps.sql', '72d7051a346d6fee1dbb5bbaf500285217794ac91d22c36e25d405cd2aa1c6c8', '0.1.0'),
  ('0008_runners_and_logs.sql', 'f96540b243f4242ca1b4544b5247df370073b06e57c1de252420fd4eb44d52b8', '0.1.0'),
  ('0009_service_processes.sql', 'ae259a0b533920e01755b9e02d53290b2adfa3ae92982273a65e0c31aa01b120', '0.1.0'),
  ('0010_live_logs.sql', '6900189fed869419c0fcf4d2cd2a89ca6df3a3e8fcf42b2ca23b707a726ef289', '0.1.0'),
  ('0011_runners_of_tasks.sql', 'd0fb81481cb9207fde64cdb66aa968595515c8532059cf77e94930d7f8ebe1b7', '0.1.0'),
  ('0012_descriptions.sql', 'b43a108216f6dba5646275676c36a460b650451fcc512cfebc27a3271730d3fd', '0.1.0'),
  ('0013_sessions.sql', '1f495ea39f5ef0d7f71f234f28ffecd570510b557c4829299522e4de34a53fe6', '0.1.0'),
  ('0014_background_tasks.sql', '47717c0230efc6994f562f8e3a365c103d01e1d2d1aaa3c9e3cf07ba4ab4264d', '0.1.0'),
  ('0015_directory.sql', '6cc75f1fd180be99a080896e03cd48a46de2c6a5d52c2366b4bca062415b4284', '0.1.0'),
  ('0016_agents.sql', '8baaa54e78f608a2b24ba29a900a50754d67ae26a0beb3b1b694da5b2eed8637', '0.1.0'),
  ('0017_actions_of_nodes.sql', 'bfc747d137264b8fed2d7258f86fb1a6f1a39f355fdf93f1e15ce698862af986', '0.1.0'),
  ('0018_fetch_durations.sql', '73b944daf67c1df4aee808d2d7bf2566a58f1d455ae9d64abca41fad5ac50f3a', '0.1.0'),
  ('0019_starters_of_runners.sql', '9391fe012bf20614d9205880e42d29353f7512d6f1c7d686f58c04e8c4148057', '0.1.0'),
  ('0020_models.sql', '2d095234606fd7f4201a7b62071a00b57666e8615e429bf634267d7d865b7bab', '0.1.0'),
  ('0021_faster_ids.sql', 'e6a29103f8d8fc7098f954f770f2c2995c2defdcb0ba563bd5fd36dc590d7c9e', '0.1.0'),
  ('0022_other_vaults.sql', 'd129b074631e91e8dadc7319be714ffdba512a35bb8bef05dad4ea8008f129a2', '0.1.0'),
  ('0023_catalogue_of_model.sql', '48a21a00291dae9a0507c8168e0f23ec4a38f204567c8dddb573459aea7b7cb3', '0.1.0'),
  ('0024_succession.sql', '1aafa0bc47aaad98bd9cf217f13b6957407a572bedf1015f235abaea5a7810bf', '0.1.0'),
  ('0025_lists_of_nodes.sql', 'aa2ec3337efbceaaeb7e0b7351c0199ba9c1a0f41ca84d3fe9e74418341fc8ee', '0.1.0'),
  ('0026_rights_epoch.sql', '1ab0419a3c8988af6244a8addb712c8e21874f357526ec1b593c14a97bede8b1', '0.1.0'),
  ('0027_rows_of_destroyed_nodes.sql', '2125a2ed4a864b6f6f256b629a3159833e3c35072358b7b760c28f6487d93545', '0.1.0'),
  ('0028_key_rotation.sql', 'cc01b78fe02a289ea0fcf51f507a0ace4e9190d7a89e583442aea00b883eb571', '0.1.0'),
  ('0029_nodes_of_templates.sql', '11667eb13450f119147f8b49b17e259c17b369a09a76657635082fa2c6e8f4a4', '0.1.0'),
  ('0030_ids_of_documents.sql', '9aaa3ed9cc7c2f1896a7042b1f0147067389807333651be898ab023fa63ce10d', '0.1.0'),
  ('0031_retries.sql', '68edae05354f31663eed3ebb1217cb6e2093e93aaa3b0c36724ff7ce4cfe5eec', '0.1.0'),
  ('0032_activities_of_workflow_steps.sql', 'b29478338849e550d0ecfc979fdaf044d005f71faab52e8f0c50f3a6d9e7192a', '0.1.0'),
  ('0033_schedules.sql', 'a0c2e4d25777bfd5d5abf8494a9adb004cb4ff70428be0118cde4aa87135d92b', '0.1.0'),
  ('0034_workflows.sql', '0a9e0839d8206a6f777a55550aa5be3f78ac413e5dcb25a5252811d111a538ab', '0.1.0'),
  ('0035_templates_of_nodes.sql', '7dc3c7de5b6268725e0e7c104f3fcf42b8d3d0b7151ecf91ae3b51f51f9a4a8c', '0.1.0'),
  ('0036_workflow_runs.sql', '3f5c26d9796165591ee10253967af6f460494107c8828b6b29761d14f45b66ad', '0.1.0'),
  ('0037_scheduled_workflows.sql', '2b162822061f96cfde7f687e99f901cde4f1a161ce28720334befd2a6742ad82', '0.1.0'),
  ('0038_ids_of_slot_pools.sql', '82b0cf2fda2b2af7ea42f236e5d4d243a60c19b362cbf4489901e9ed1f717eb9', '0.1.0'),
  ('0039_unused_columns_of_changes.sql', '2e4f288947234f0ce88c11fa04aeb6cb354997eaac389a3330898742fb5c3824', '0.1.0'),
  ('0040_domains_of_hot_columns.sql', 'a1027ac7c09f48c94846b0e51d946ea7e539d76dfaa1d4c58894761284e9b223', '0.1.0'),
  ('0041_more_of_schedules.sql', '8290e985b8de181c7acbf0e44949c59f3da49673e0303b7d7acd1be63fe28dfc', '0.1.0'),
  ('0042_jobs_and_sites.sql', 'e1d5cd0b4b8a11db8f7cfaebaffc1f051998dcb8f9a8da1611b59b0497e9240b', '0.1.0'),
  ('0043_setting_sources.sql', '8e2e6ce1f4330cfa275394955a24af5e1708c005e7e08043d2afa7b1592b3b7f', '0.1.0'),
  ('0044_labels_of_artefacts.sql', '7d4d4693e4ec56ed207658028d8150fea5d4f6971b734edcf754d14679886523', '0.1.0'),
  ('0045_states_by_function.sql', '8e85e97ec85ddc21d64468874c89c5ba9df270ee27fedde91ea79a10dcb05b09', '0.1.0'),
  ('0046_succession_of_one.sql', '9bdd4addf07afd1a501bdf3cc914bbe7df465b7df33633f3944a68dcb5fcbd0c', '0.1.0'),
  ('0047_slots_of_steps.sql', '208dab201565e04417dfb30ca3725cba9cfc115ea21ce6f12106e1e30487d171', '0.1.0'),
  ('0048_names_without_rows.sql', 'c2cd4615393c3390626fbc2794f1262c58b5231d4d4e73a942677d8ac58f24a5', '0.1.0'),
  ('0049_paths_in_indexes.sql', 'e53add21e586138a215afb9565919bfca0b15c148e478726c2d14302b8c15e0c', '0.1.0'),
  ('0050_inputs_that_retries_use.sql', '12c258fdc68eb5ba74c88a77926f1f57f65015e5100b2d5600a5f7a0b2d40953', '0.1.0'),
  ('0051_failing_loops.sql', '6bdfb954f477bdef71f0edcb813b125c6a7e09125b4fd08c721702e5699390b0', '0.1.0'),
  ('0052_secrets_to_mask.sql', '6ed52e56ed7227452d19d216f943110147ee1c2b92dd488b33e03baf8af263c0', '0.1.0'),
  ('0053_groups_in_any_case.sql', '36b7c59c365773cb8d4793ac7c32065423a96c34259f9c9bbd11e40e2450c7ed', '0.1.0'),
  ('0054_users_by_group.sql', 'd1743cc63deb8b6f94f64398b50657df920234cdffec1188d1476a150e55e9da', '0.1.0'),
  ('0055_reasons_are_not_kept.sql', 'c5cd01cf75d0c932e5c38eb4034496d6b3749c6ce68b1d694f72dbaa2345b907', '0.1.0'),
  ('0056_derived_in_its_slot.sql', '7861bb5586ed5c3f797bb353691ce79c1b1eac73c18abe2b3ea2ab542a4d1e7c', '0.1.0'),
  ('0057_texts_to_mask.sql', '13deedc4818869105db7087152d419fdc02a2362a01bae662c48d4577439df6f', '0.1.0'),
  ('0058_months_that_cannot_be_made.sql', '77bdb18478c3b665cc14c1a56e05e622bb6daf7da589254e54a0ea9558cbc066', '0.1.0'),
  ('0059_activities_by_maker.sql', 'd1bff15128c048e3186b24972b1e77ac6b3e561e1f67e993c43e37b4fb8bfd72', '0.1.0'),
  ('0060_data_cleaning.sql', 'c576fc557f61a0c512127063c1d8d82ff83a6686bb589bcdf9b8023c4ae4910a', '0.1.0'),
  ('0061_transactions_of_a_restored_database.sql', 'aadaf637a118e69e89db8d69e969249d01ba9a9c302557b004bff8ff23338a8e', '0.1.0'),
  ('0062_a_step_for_a_step.sql', '297c07823ab1857e823d6eeef261a7791a19a4642ec7cf8174fa1b7bedffecbe', '0.1.0'),
  ('0063_versions_by_their_number.sql', '071eec5d05c2a6f836588588b854a40033c42f1279c8661d13d40d0817683a1a', '0.1.0'),
  ('0064_records_of_nodes.sql', 'affe2657df30dafaa01a313abc62c280c79b8780916d9fc6b201f27a3f7d76db', '0.1.0'),
  ('0067_step_isolation.sql', '64e54806611d94c3aaa1657abe26d34678f7648f7cd110d668dbf9e16fb1d2da', '0.1.0'),
  ('0068_kept_dependencies.sql', 'ac25206057a3389afe657a9f9f9765cf3dd9ea09460c726c14ca18c420887901', '0.1.0'),
  ('0069_patterns_in_long_texts.sql', '2ef2adeacebe775f197432824df3ecbf6013396d72fcd74a105363c8ff62bc3d', '0.1.0'),
  ('0070_load_of_users.sql', 'df188538d85aa6d9e0b68b2839ebaeeb7de94e94bbaf72e4d7061b516c36bec9', '0.1.0'),
  ('0071_latest_tasks.sql', '0f69b8860b4675fb2d59ecd8abd9a2a3e78e41a44a5d72f7ccb138214ac6a792', '0.1.0'),
  ('0072_lists_of_few_projects.sql', '3eb16c351ea4a6258106a3534c949f47d43ce47f2f467e1b64bcf845d94ca88f', '0.1.0'),
  ('0073_fewer_waits.sql', '131fdfea5541f8cc4d980162163bef04ca321a56940b04a72003db532a689fcc', '0.1.0'),
  ('0074_broken_readings_again.sql', 'a7fd789f73ca8bce2eb763e2f260229ad2037e77cea13dea4564aedcf196eba9', '0.1.0'),
  ('0075_revisions_by_full_name.sql', '5a3b56e176abba3cdfe42362b5f2e90047398abe49d1ae2923dd333273fe6e2d', '0.1.0'),
  ('0076_project_scope_of_stored_work.sql', 'b3461322cac5db450133a7f14082f671ff574dc74f29c7cf8c1fa94f36f0ab3b', '0.1.0'),
  ('0078_activities_by_beginning_of_path.sql', '6ef0616ebfe8975411752671e6e6bce4661ed42c8b44457798f92fca07f2899f', '0.1.0'),
  ('0079_due_in_turns.sql', '90f970507fedf5c32c82de38af2805934481d12d124ba3f7048264813a726f0a', '0.1.0'),
  ('0080_requests_of_cancels.sql', 'b57f274244826ea917233b5abb1114bb3a766a87974e0a3754b7e2878796da70', '0.1.0'),
  ('0083_folders_of_runners.sql', '85984eb645d99374dc1d3f8c70d6c1ecbe923e533e87578f4985bff02aa201df', '0.1.0'),
  ('0084_schema_of_processes.sql', 'c7af28be6e3d5eadd74e40291e94e8c26d65d2d18e76cd6be74856c7ad617971', '0.1.0'),
  ('0085_history_index_of_tasks.sql', '0bde4419e54e8f5d13f545a406df0baa4a0f1d716adcf2068a5e8c497bda5943', '0.1.0'),
  ('0086_project_index_of_steps.sql', '0d20514bb5c2fe520ad41099a70c630f36ea21b5b9d37f82e0eb1078787903ae', '0.1.0');
