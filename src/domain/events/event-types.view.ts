import Type from 'typebox'
import { type AnyView, view } from '#platform/domain.ts'
import { catalogue } from './catalogue.ts'

/** GET /api/event_types: every type of event that the service records, for the menu of a filter. */
export const eventTypesView: AnyView = view({
  name: 'event_types.list',
  summary: 'Types of events that the service records. Users may record events of other types.',
  method: 'GET',
  paths: ['/api/event_types'],
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The type, such as api:changes:create.' }),
        type: Type.Literal('event_type'),
        attributes: Type.Object({
          type: Type.String({ description: 'Type of event: level, subject and action, joined by colons.' }),
          category: Type.String({ description: 'Level: api, audit, info, warn or error.' }),
          subject: Type.String({ description: 'Subject of the event, such as changes.' }),
          description: Type.String(),
        }),
      }),
    ),
    links: Type.Object({ self: Type.String() }),
  }),
  find: async () => ({}),
  needs: () => [],
  run: async () => ({ body: { data: types, links: { self: '/api/event_types' } } }),
})

const types = Object.entries(catalogue)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([type, { why }]) => {
    const [category = '', subject = ''] = type.split(':')
    return { id: type, type: 'event_type', attributes: { type, category, subject, description: why } }
  })
