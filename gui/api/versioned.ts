import { fromJson } from '#json/from-json.ts'
import { sluice } from './client.ts'
import type { Document, Resource } from './records.ts'

/** Record with its ETag, which a later write names in `ifMatch` so that it cannot overwrite what somebody else saved. */
export interface Versioned<Attributes> {
  readonly record: Resource<Attributes>
  readonly etag: string
}

export async function readVersioned<Attributes>(path: string): Promise<Versioned<Attributes>> {
  const answer = await sluice().raw(path)
  const { data } = fromJson(await answer.text()) as Document<Resource<Attributes>>
  const etag = answer.headers.get('etag')
  if (etag === null) throw new Error(`${path} has no ETag`)
  return { record: data, etag }
}
