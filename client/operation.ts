/** Operation of the API: a method on a path, with its parameters and result. */
export interface Operation {
  /** `projects.create`; unique, but not stable across versions. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** `/api/projects/{project_code}` */
  readonly path: string
  readonly about: string
  /** Type of the records in the response. */
  readonly answers?: string
  /** Responds with a list. */
  readonly lists?: true
  /** Attributes of the request body. */
  readonly attributes?: Readonly<Record<string, Field>>
  /** Accepts an Idempotency-Key: a repeated request is processed once and gets the same response. */
  readonly once?: true
  /** Whether the attribute `data` also accepts a merge patch (RFC 7396). */
  readonly patches?: true
  /** Query parameters besides the common ones of lists and records. */
  readonly query?: Readonly<Record<string, Field>>
  /** Named filters and their descriptions. */
  readonly named?: Readonly<Record<string, string>>
}

/** Whether a path matches a template: `/api/projects/bank` matches `/api/projects/{project_code}`. */
export function matches(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length && wanted.every((part, i) => (isPart(part) ? given[i] !== '' : part === given[i]))
  )
}

/** Whether a segment of a template is a parameter. */
export const isPart = (segment: string): boolean => segment.startsWith('{')

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'list' | 'object' | 'any'

/** An attribute or a parameter: its type and description. */
export interface Field {
  readonly kind: FieldKind
  readonly required?: true
  readonly nullable?: true
  readonly about?: string
}

/** A record type with its description and attributes. */
export interface RecordType {
  readonly about: string
  readonly attributes: Readonly<Record<string, Field>>
}
