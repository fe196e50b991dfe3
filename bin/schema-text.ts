import type pg from 'pg'

/**
 * The schema `public` as text, from PostgreSQL's own catalogue: the same for the same schema, whatever order it was made
 * in. The embedded PostgreSQL has no pg_dump. Monthly partitions are left out, because the month decides which stand.
 */
export async function schemaText(client: pg.Client): Promise<string> {
  // With an empty path every name is written with its schema only where it is not ours; this one makes ours short.
  await client.query(`set search_path = public, pg_temp`)
  const parts: string[] = ['-- What the migrations lead to. Written by bin/schema; edit a migration, not this.\n']
  for (const { query } of sections) {
    const { rows } = await client.query<{ text: string }>(query)
    parts.push(...rows.map(({ text }) => `${text.trim()}\n`))
  }
  return parts.join('\n')
}

/** Condition that excludes tables of extensions. */
const ofNoExtension = (table: string, oid: string) => `
  not exists (select from pg_depend d
               where d.classid = '${table}'::regclass and d.objid = ${oid} and d.deptype = 'e')`

const ours = `(select oid from pg_namespace where nspname = 'public')`

/** In the order in which they could be run. Each gives its texts in one column, sorted by name. */
const sections: { query: string }[] = [
  {
    query: `
      select format('create extension %I;', extname) as text
        from pg_extension where extname <> 'plpgsql' order by extname`,
  },
  {
    query: `
      select format('create type %I as enum (%s);', t.typname,
                    string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as text
        from pg_type t join pg_enum e on e.enumtypid = t.oid
       where t.typnamespace = ${ours} and ${ofNoExtension('pg_type', 't.oid')}
       group by t.oid, t.typname order by t.typname`,
  },
  {
    query: `
      select format(E'create domain %I as %s%s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
                    case when t.typcollation <> b.typcollation
                         then format(' collate %I', (select collname from pg_collation where oid = t.typcollation))
                         else '' end,
                    case when t.typnotnull then ' not null' else '' end,
                    coalesce((select string_agg(' ' || pg_get_constraintdef(c.oid), '' order by c.conname)
                                from pg_constraint c where c.contypid = t.oid and c.contype <> 'n'), '')) as text
        from pg_type t
        join pg_type b on b.oid = t.typbasetype
       where t.typnamespace = ${ours} and t.typtype = 'd' and ${ofNoExtension('pg_type', 't.oid')}
       order by t.typname`,
  },
  {
    query: `
      select format(E'create sequence %I as %s increment %s;', c.relname, format_type(s.seqtypid, null), s.seqincrement) as text
        from pg_class c join pg_sequence s on s.seqrelid = c.oid
       where c.relnamespace = ${ours}
         and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
       order by c.relname`,
  },
  {
    query: `
      select pg_get_functiondef(p.oid) || ';' as text
        from pg_proc p
       where p.pronamespace = ${ours} and p.prokind in ('f', 'p') and ${ofNoExtension('pg_proc', 'p.oid')}
       order by p.proname, pg_get_function_identity_arguments(p.oid)`,
  },
  {
    query: `
      select format(E'create table %I (\\n%s\\n)%s;', c.relname,
                    (select string_agg(line, E',\\n' order by kind, position, line)
                       from (select 1 as kind, a.attnum as position,
                                    format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                                           case when a.attcollation <> t.typcollation
                                                then format(' collate %I', (select collname from pg_collation where oid = a.attcollation))
                                                else '' end,
                                           case when a.attnotnull then ' not null' else '' end,
                                           case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
                                                when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
                                                when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
                                                else '' end) as line
                               from pg_attribute a
                               join pg_type t on t.oid = a.atttypid
                               left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                              union all
                             select 2, 0, format('  constraint %I %s', conname, pg_get_constraintdef(oid))
                               from pg_constraint
                              where conrelid = c.oid and contype in ('p', 'u', 'c', 'x')) lines),
                    case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end) as text
        from pg_class c
       where c.relnamespace = ${ours} and c.relkind in ('r', 'p') and not c.relispartition
         and ${ofNoExtension('pg_class', 'c.oid')}
       order by c.relname`,
  },
  {
    query: `
      select format('create%s view %I as%s', case c.relkind when 'm' then ' materialized' else '' end, c.relname,
                    E'\\n' || pg_get_viewdef(c.oid, true)) as text
        from pg_class c
       where c.relnamespace = ${ours} and c.relkind in ('v', 'm') and ${ofNoExtension('pg_class', 'c.oid')}
       order by c.relname`,
  },
  {
    query: `
      select pg_get_indexdef(i.indexrelid) || ';' as text
        from pg_index i
        join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = ${ours} and not c.relispartition
         and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
       order by c.relname`,
  },
  {
    query: `
      select format('alter table %s add constraint %I %s;', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as text
        from pg_constraint c join pg_class t on t.oid = c.conrelid
       where c.connamespace = ${ours} and c.contype = 'f' and c.conparentid = 0 and not t.relispartition
       order by c.conrelid::regclass::text, c.conname`,
  },
  {
    query: `
      select pg_get_triggerdef(t.oid, true) || ';' as text
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = ${ours} and not t.tgisinternal and t.tgparentid = 0
       order by c.relname, t.tgname`,
  },
  {
    query: `
      select format('grant %s on %I to sluice_app;', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type), c.relname) as text
        from pg_class c, aclexplode(c.relacl) g
       where c.relnamespace = ${ours} and not c.relispartition and g.grantee = 'sluice_app'::regrole
       group by c.relname order by c.relname`,
  },
]
