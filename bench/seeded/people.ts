import type pg from 'pg'
import { codeOfProject, environments, oldProjects, operators } from './tree.ts'

interface Rule {
  readonly path: string
  readonly read: boolean
}

const allow = (path: string): Rule => ({ path, read: true })
const deny = (path: string): Rule => ({ path, read: false })
const project = (index: number) => `/projects/${codeOfProject(index)}`

/** Rights of the callers of lists, by user name. One project in the middle represents any. */
export const shapesOfRights = (projects: number): Readonly<Record<string, readonly Rule[]>> => {
  const middle = Math.floor(projects / 2)
  const inMany = Math.min(4_600, Math.floor(projects / 2) - oldProjects)
  return {
    'one-project': [allow(project(middle))],
    'all-but-one': [allow('/projects'), deny(project(middle))],
    // Every second project, some of them without their production, and only the production of some of the others.
    'thousands-of-rules': [
      ...range(inMany).map(i => allow(project(oldProjects + 2 * i))),
      ...range(Math.min(200, inMany)).map(i => deny(`${project(oldProjects + 2 * i)}/environments/production`)),
      ...range(Math.min(200, inMany)).map(i => allow(`${project(oldProjects + 2 * i + 1)}/environments/production`)),
    ],
    'old-projects': range(oldProjects).map(i => allow(project(i))),
    'within-within': [
      allow('/projects'),
      deny(`${project(middle)}/environments`),
      allow(`${project(middle)}/environments/${environments[1]}`),
    ],
    stars: [allow('/projects/*/environments/production'), deny('/projects/*/environments/production/assets/db-2')],
  }
}

/** An environment that each of them may read. */
export function homeOf(username: string, projects: number): string {
  const middle = Math.floor(projects / 2)
  const homes: Readonly<Record<string, string>> = {
    'one-project': `${project(middle)}/environments/dev`,
    'thousands-of-rules': `${project(oldProjects)}/environments/dev`,
    'old-projects': `${project(0)}/environments/dev`,
    'within-within': `${project(middle)}/environments/${environments[1]}`,
    stars: `${project(middle)}/environments/production`,
  }
  return homes[username] ?? `${project(oldProjects + 1)}/environments/dev`
}

const range = (length: number) => Array.from({ length }, (_, i) => i)

/** Operators, who created the tree, and a user of each shape of rights with a policy of their own. */
export async function addPeople(client: pg.Client, given: { projects: number; passwordHash: string }): Promise<number> {
  const shapes = shapesOfRights(given.projects)
  const users = await client.query(
    `insert into users (username, password_hash, created_by)
     select 'operator-' || lpad(i::text, 3, '0'), $2, 'admin' from generate_series(0, $1::int - 1) i
     union all
     select username, $2, 'admin' from unnest($3::text[]) username`,
    [operators, given.passwordHash, Object.keys(shapes)],
  )
  let rows = users.rowCount ?? 0
  for (const [username, rules] of Object.entries(shapes)) {
    const made = await client.query(
      `with policy as (
         insert into authorisation_policies (name, created_by) values ('what ' || $1 || ' may do', 'admin') returning id
       ), rules as (
         insert into authorisation_rules (path, read, created_by)
         select path, read, 'admin' from unnest($2::text[], $3::boolean[]) given (path, read)
         returning id
       ), assigned as (
         insert into policy_assignments (policy_id, assignee_id, created_by)
         select policy.id, u.id, 'admin' from policy, users u where u.username = $1
       )
       insert into policy_rules (policy_id, rule_id, created_by) select policy.id, rules.id, 'admin' from policy, rules`,
      [username, rules.map(({ path }) => path), rules.map(({ read }) => read)],
    )
    rows += 2 * (made.rowCount ?? 0) + 2
  }
  return rows
}
