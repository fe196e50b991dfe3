import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** A row in the journal: all of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** Entry that a row was written, with its transaction. */
export interface Written {
  readonly tx: string
  readonly table: string
  readonly before: Row | null
  readonly after: Row | null
}

/** Records of people and their effects. Queues, leases, counts and caches are left out. */
export const journaled = [
  ...['nodes', 'bookmarks', 'git_remotes', 'properties_versions', 'settings_versions', 'maintenance_mode'],
  ...['templates', 'template_versions', 'template_version_histories', 'node_background_tasks'],
  ...['workflows', 'workflow_versions', 'scheduled_activities', 'activities', 'vault_entries', 'key_rotations'],
  ...['users', 'tokens', 'authorisation_policies', 'authorisation_rules', 'policy_rules', 'policy_assignments'],
] as const

/**
 * Schema of the journal, added by the superuser of the database: every write of a row is recorded in it, with the
 * transaction that events name, too.
 */
export const journalSchema = `
  create table testing.journal (
    seq bigserial primary key, tx text not null, in_table text not null, before jsonb, after jsonb);
  create function testing.note() returns trigger language plpgsql security definer as $$
    begin
      insert into testing.journal (tx, in_table, before, after)
      values (pg_current_xact_id()::text, tg_table_name,
              case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
      return null;
    end $$;
  grant select on testing.journal to public;
  ${journaled
    .map(
      table =>
        `create trigger note after insert or update or delete on public.${table} for each row execute function testing.note();`,
    )
    .join('\n  ')}`

export const readJournal = (queries: Queries): Promise<Written[]> =>
  queries.rows(sql<Written>`select tx, in_table as "table", before, after from testing.journal order by seq`)

/** An event with its transaction. */
export interface Told {
  readonly id: string
  readonly tx: string
  readonly type: string
  readonly system: boolean
  readonly username: string
  readonly path: string | null
  readonly source_type: string | null
  readonly source_id: string | null
  readonly seq: number | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/** All of them, in the order of recording. */
export const readEvents = (queries: Queries): Promise<Told[]> =>
  queries.rows(sql<Told>`
    select e.id, e.tx::text as tx, e.type, e.system, e.username, e.path, e.source_type, e.source_id, e.attributes, s.seq
      from events e
      left join event_seals s on s.event_id = e.id
     order by e.id`)
