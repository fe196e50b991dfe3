import type { Resource, Template } from '../../api/records.ts'

/** Template as its page passes it on. */
export interface ShownTemplate {
  readonly template: Resource<Template>
  /** Path of the template in the API. */
  readonly path: string
  readonly project: string
}
