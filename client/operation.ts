/** One thing that the interface offers: a method on a path, and what it takes and answers. */
export interface Operation {
  /** `projects.create`; unique, and not promised to stay. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** `/api/projects/{project_code}` */
  readonly path: string
  readonly about: string
  /** The type of the records that it answers. */
  readonly answers?: string
  /** Answers a list of them. */
  readonly lists?: true
  /** What its body may carry. */
  readonly attributes?: Readonly<Record<string, Field>>
  /** Takes an Idempotency-Key: sent twice with one, it is done once and answered twice alike. */
  readonly once?: true
  /** Its body may be a patch of the document in its attribute `data` (RFC 7396) instead. */
  readonly patches?: true
  /** Parameters of its own, besides those that all lists and shows have. */
  readonly query?: Readonly<Record<string, Field>>
  /** Filters that are no attribute with a predicate, and what each leaves. */
  readonly named?: Readonly<Record<string, string>>
}

/** Whether a path is one of a template's: `/api/projects/bank` of `/api/projects/{project_code}`. */
export function matches(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length && wanted.every((part, i) => (isPart(part) ? given[i] !== '' : part === given[i]))
  )
}

/** A part of a template that values stand for. */
export const isPart = (segment: string): boolean => segment.startsWith('{')

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'list' | 'object' | 'any'

/** An attribute or a parameter: what kind of value it has, and what it says. */
export interface Field {
  readonly kind: FieldKind
  readonly required?: true
  readonly nullable?: true
  readonly about?: string
}

/** A type of record: what it is, and what its records say of themselves. */
export interface RecordType {
  readonly about: string
  readonly attributes: Readonly<Record<string, Field>>
}
