import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { type AnyView, type View, view } from '#platform/domain.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { findNodeById, isOfExistingNode, type Node } from '../nodes/index.ts'
import { convergedSettingsDocument } from '../settings/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { layersOfChange, settingsOfChange } from './change-context.tx.ts'
import { noCommit } from './no-commit.ts'
import type { ChangeParts } from './parts.port.ts'

type ConvergedParts = Pick<ChangeParts, 'keyring' | 'answerConverged'>

interface Found extends Target {
  /** Id of the change or the step in the request. */
  readonly id: string
  readonly readPath: string
  /** The change whose configuration it is: for a step that a retry took over, the change in which it ran. */
  readonly change: StoredChange
  readonly node: Node
  /** The instant for which it is computed; null: now. */
  readonly at: string | null
}

type Place = Pick<Found, 'id' | 'readPath' | 'at'> & { readonly changeId: string }

/**
 * The configuration that a change or a step used: of a running change as its steps see it now, of an ended one as of
 * its end, of a step as of the start of its newest attempt.
 */
export const convergedViews = (parts: ConvergedParts): AnyView[] => [
  convergedProperties(parts, 'changes', 'Properties that a change uses, including its own overrides.', changeAt),
  convergedProperties(parts, 'steps', 'Properties given to a step when it started.', stepAt),
  convergedSettings(parts.keyring, 'changes', 'Settings of a change, each with its source.', changeAt),
  convergedSettings(parts.keyring, 'steps', 'Settings of the change of a step.', stepAt),
]

const changeAt = (id: Sql) => sql<Place>`
  select a.id, a.path as "readPath", a.finished_at as at, a.id as "changeId"
    from activities a
   where a.id = ${id}::uuid and a.kind = 'change' and ${isOfExistingNode(sql`a.node_id`)}`

/** Place of a step. For a step that never began and never will, as of the instant at which that was known. */
const stepAt = (id: Sql) => sql<Place>`
  select s.id, a.path as "readPath", coalesce(s.started_at, s.finished_at) as at,
         coalesce(ran.activity_id, s.activity_id) as "changeId"
    from steps s
    join activities a on a.id = s.activity_id
    left join steps ran on ran.id = s.ran_as
   where s.id = ${id}::uuid and a.kind = 'change' and ${isOfExistingNode(sql`a.node_id`)}`

type Of = 'changes' | 'steps'

const ofBoth = (of: Of, what: 'properties' | 'settings', place: (id: Sql) => Sql<Place>) =>
  ({
    name: `${of}.converged_${what}`,
    method: 'GET',
    paths: [`/api/${of}/:id/converged_${what}`],
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }: ViewContext): Promise<Found | undefined> => {
      const found = await database.one(place(sql`${params['id'] ?? ''}`))
      const change = found && (await findChange(database, found.changeId))
      const node = change && (await findNodeById(database, change.node_id))
      return node && { ...found!, change, node }
    },
    needs: ({ readPath, node }: Found) => [
      { right: 'read', path: readPath },
      { right: 'read', path: `${node.path}/${what}` },
    ],
  }) satisfies Partial<View<Found>>

const selfOf = (of: Of, id: string, what: string) => `/api/${of}/${id}/converged_${what}`

const convergedProperties = (parts: ConvergedParts, of: Of, summary: string, place: (id: Sql) => Sql<Place>): AnyView =>
  view<Found>({
    ...ofBoth(of, 'properties', place),
    summary,
    run: async ({ id, change, node, at }, { database, actor }) => {
      if (change.commit_sha === null) throw noCommit(change)
      const options = { ...(at !== null && { at }), change: layersOfChange(parts.keyring, change) }
      return parts.answerConverged(database, { node, options, id, self: selfOf(of, id, 'properties'), actor })
    },
  })

const convergedSettings = (keyring: Keyring, of: Of, summary: string, place: (id: Sql) => Sql<Place>): AnyView =>
  view<Found>({
    ...ofBoth(of, 'settings', place),
    summary,
    run: async ({ id, change }) => ({
      // They will never be resolved again.
      headers: { etag: `"${hash('sha256', change.resolved_settings, 'base64url').slice(0, 27)}"` },
      body: async () =>
        convergedSettingsDocument({ id, self: selfOf(of, id, 'settings'), ...settingsOfChange(keyring, change) }),
    }),
  })
