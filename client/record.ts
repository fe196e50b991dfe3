interface Reference {
  id: string
  type: string
}

export interface Resource<Attributes = Record<string, unknown>> {
  id: string
  type: string
  attributes: Attributes
  relationships?: Record<string, { data?: Reference | Reference[] | null; links?: { related?: string } }>
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

export type Query = Record<string, string | number | boolean | readonly string[]>

/** Members of a request document besides its attributes. */
export interface ExtraMembers {
  relationships?: Record<string, Reference>
  meta?: Record<string, unknown>
}
