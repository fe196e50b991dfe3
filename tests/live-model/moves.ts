import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** Schema of a journal, added by the superuser of the database: records each status of an activity or a step. */
export const movesSchema = `
  create table testing.moves (seq bigserial primary key, id uuid not null, status text not null);
  create function testing.moved() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or new.reported_status is distinct from old.reported_status then
        insert into testing.moves (id, status) values (new.id, new.reported_status);
      end if;
      return null;
    end $$;
  grant select on testing.moves to public;
  create trigger moved after insert or update on public.activities for each row execute function testing.moved();
  create trigger moved after insert or update on public.steps for each row execute function testing.moved();`

/** All statuses of each record, in their order, by id. */
export async function readMoves(queries: Queries): Promise<Map<string, string[]>> {
  const rows = await queries.rows(sql<{ id: string; all: string[] }>`
    select id, array_agg(status order by seq) as all from testing.moves group by id`)
  return new Map(rows.map(({ id, all }) => [id, all]))
}

/** Whether the sent statuses are a subsequence of the actual ones. */
export function isPartOf(told: readonly string[], became: readonly string[]): boolean {
  let at = 0
  return told.every((status, index) => {
    if (status === told[index - 1]) return true
    at = became.indexOf(status, at) + 1
    return at > 0
  })
}
