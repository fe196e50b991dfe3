import Type from 'typebox'

/** The document with the reason why something waits: `data` is null when it waits for nothing. */
export const waitingReasonAnswer = Type.Object({
  data: Type.Union([
    Type.Null(),
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      type: Type.Literal('waiting_reason'),
      attributes: Type.Object({
        kind: Type.String({
          description:
            'maintenance, same_name, parallel_not_allowed, slot, approval, input, timer, start_time or paused; of background tasks maintenance or slot.',
        }),
        by: Type.Union([Type.String(), Type.Null()], {
          description:
            'Who switched maintenance on or paused it; the older change; the pool or setting that is at its limit; the step that waits.',
        }),
        since: Type.String({ format: 'date-time' }),
        estimated_until: Type.Optional(
          Type.String({ format: 'date-time', description: 'Of a timer or a start time.' }),
        ),
      }),
      links: Type.Object({ self: Type.String() }),
    }),
  ]),
  links: Type.Object({ self: Type.String() }),
})

/** @param self the path of the document */
export function waitingReasonDocument(id: string, self: string, attributes: object | undefined): { body: object } {
  const data = attributes ? { id, type: 'waiting_reason', attributes, links: { self } } : null
  return { body: { data, links: { self } } }
}
