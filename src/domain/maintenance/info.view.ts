import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { readMaintenance, type SettingsReader } from '../settings/index.ts'
import { type Sandboxing, stepIsolationOf } from './step-isolation.store.ts'

/** Facts about this process. */
export interface AboutThis {
  readonly release: string
  readonly interfaceVersion: string
  readonly role: 'all' | 'api' | 'worker'
}

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal('info'),
    attributes: Type.Object({
      maintenance_mode: Type.Boolean(),
      maintenance_mode_exempts_superusers: Type.Boolean(),
      interface_version: Type.String(),
      version: Type.String(),
      build: Type.String(),
      database_version: Type.String(),
      roles: Type.Array(Type.String()),
      superuser: Type.Boolean(),
      step_isolation: Type.Union([
        Type.Null(),
        Type.Object({
          user: Type.Union([Type.Literal('separate'), Type.Literal('service')], {
            description: 'Whether steps run as a user of their own, or as the one that the service runs as.',
          }),
          sandbox: Type.Union(
            (['always', 'unless_switched_off', 'never'] satisfies Sandboxing[]).map(each => Type.Literal(each)),
            {
              description:
                'Whether steps run in a sandbox: always, unless settings switch it off (`runner.sandbox`), or never, so that every step can read and change what other steps use.',
            },
          ),
        }),
      ]),
    }),
    links: Type.Object({ self: Type.String(), describedby: Type.String(), help: Type.String() }),
  }),
})

/** GET /api/info: for signed-in callers. */
export const infoView = ({
  about,
  settings,
}: {
  about: AboutThis
  settings: Pick<SettingsReader, 'global'>
}): AnyView =>
  view({
    name: 'info.show',
    summary: 'Installation: version and maintenance mode',
    method: 'GET',
    paths: ['/api/info'],
    answer,
    reserved: true,
    find: async () => ({}),
    needs: () => [],
    run: async (_, { database, actor }) => {
      const { mode } = await readMaintenance(database)
      const facts = (await database.one(sql<{ id: string; database_version: string }>`
        select id, current_setting('server_version') as database_version from installation`))!
      const attributes = {
        maintenance_mode: mode !== 'disabled',
        maintenance_mode_exempts_superusers: mode === 'superuser_override',
        interface_version: about.interfaceVersion,
        version: about.release,
        build: /\((.*)\)/.exec(about.interfaceVersion)?.[1] ?? about.release,
        database_version: facts.database_version,
        roles: about.role === 'all' ? ['api', 'worker'] : [about.role],
        superuser: actor.rights.superuser,
        step_isolation: await stepIsolationOf(database, (await settings.global(database)).data),
      }
      const links = { self: '/api/info', describedby: '/api/openapi.json', help: '/api-docs' }
      return { body: { data: { id: facts.id, type: 'info', attributes, links } } }
    },
  })
