import type { Database, Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { idOfUser } from './deeds.ts'
import { type Mode, type Pool, type User, users, type Wish } from './history.ts'
import type { Activity, Installation } from './model.ts'

/**
 * Trail of what happened, in order, recorded by the test's own triggers and not by the engine. Each trigger records
 * under the lock that orders its kind: of an activity, of a pool, of the switch.
 */
export type Happened = { readonly at: number } & (
  | { readonly what: 'activity'; readonly activity: Omit<Activity, 'wish'>; readonly tag: string }
  | { readonly what: 'pool'; readonly pool: Pool; readonly limit: number; readonly used: number }
  | { readonly what: 'mode'; readonly mode: Mode }
  | { readonly what: 'superuser'; readonly user: User; readonly is: boolean }
)

const columns = `'id', id, 'number', number, 'status', status, 'pauseState', pause_state, 'holdsSlot', holds_slot,
  'runAt', extract(epoch from run_at) * 1000, 'tag', created_by, 'slots', n_slots, 'queued', n_queued,
  'running', n_running, 'stopping', (cancel_requested_at is not null or rejected)`
const ofActivity = columns
  .replace(/, (id|number|status|pause_state|holds_slot|created_by|n_slots|n_queued|n_running)\b/g, ', new.$1')
  .replace(/\b(run_at|cancel_requested_at|rejected)\b/g, 'new.$1')

/** Schema of the trail, added by the database's superuser. */
export const trailSchema = `
  create table testing.superusers (id uuid primary key);
  create table testing.trail (
    seq bigserial primary key, what text not null, at double precision not null, told jsonb not null);
  create function testing.tell() returns trigger language plpgsql security definer as $$
    declare told jsonb;
    begin
      if tg_argv[0] = 'activity' then told := jsonb_build_object(${ofActivity});
      elsif tg_argv[0] = 'pool' then
        told := jsonb_build_object('pool', new.pool, 'limit', new.configured_limit, 'used', new.used);
      elsif tg_argv[0] = 'mode' then told := jsonb_build_object('mode', new.mode);
      else told := jsonb_build_object('id', coalesce(new.id, old.id), 'is', new.id is not null);
      end if;
      insert into testing.trail (what, at, told)
      values (tg_argv[0], extract(epoch from public.sluice_now()) * 1000, told);
      return null;
    end $$;
  create trigger tell after insert or update of status, pause_state, holds_slot, n_slots, n_queued, n_running on public.activities
    for each row execute function testing.tell('activity');
  create trigger tell after update on public.slot_pools for each row execute function testing.tell('pool');
  create trigger tell after update on public.maintenance_mode for each row execute function testing.tell('mode');
  create trigger tell after insert or delete on testing.superusers
    for each row execute function testing.tell('superuser');
  grant select, insert, delete on testing.superusers to public;
  grant select, delete on testing.trail to public`

const userOf = Object.fromEntries(users.map(user => [idOfUser[user], user])) as Record<string, User>

/** Entries since the last read. */
export async function readTrail(database: Database): Promise<Happened[]> {
  const rows = await database.rows(sql<{ what: Happened['what']; at: number; told: Record<string, unknown> }>`
    with taken as (delete from testing.trail returning *) select what, at, told from taken order by seq`)
  return rows.map(({ what, at, told }) => {
    if (what === 'activity') return { at, what, activity: told, tag: told['tag'] }
    if (what === 'superuser') return { at, what, user: userOf[told['id'] as string], is: told['is'] }
    return { at, what, ...told }
  }) as Happened[]
}

/** State of the installation according to its tables at one moment. `wishes`: by the tag of each activity. */
export async function readInstallation(queries: Queries, wishes: ReadonlyMap<string, Wish>): Promise<Installation> {
  const row = await queries.one(sql<{
    mode: Mode
    now: number
    superusers: string[]
    pools: Record<Pool, { limit: number; used: number }>
    activities: (Omit<Activity, 'wish'> & { tag: string })[]
  }>`
    select (select mode from maintenance_mode) as mode, extract(epoch from sluice_now())::float8 * 1000 as now,
           (select coalesce(json_agg(id), '[]') from testing.superusers) as superusers,
           (select json_object_agg(pool, json_build_object('limit', configured_limit, 'used', used)) from slot_pools) as pools,
           (select coalesce(json_agg(json_build_object(${sql.raw(columns)}) order by number), '[]')
              from activities a) as activities`)
  const { activities, superusers, ...rest } = row!
  return {
    ...rest,
    superusers: new Set(superusers.map(id => userOf[id]!)),
    activities: activities.map(({ tag, ...activity }) => ({ ...activity, wish: wishes.get(tag)! })),
  }
}
