import type { Operations, Records } from './generated/api.ts'
import type { Beside, Query, Resource } from './sluice.ts'

/** `{project_code}` and the like. */
type PartsOf<Name> = Name extends `${string}{${infer Part}}${infer Rest}` ? Part | PartsOf<Rest> : never

type PathOf<Name> = [PartsOf<Name>] extends [never]
  ? { path?: never }
  : { path: Record<PartsOf<Name>, string | number> }

type BodyOf<Name extends keyof Operations> = Operations[Name] extends { attributes: infer Attributes }
  ? { attributes: Attributes } & Beside
  : { attributes?: never }

/** What an operation needs: values for the parts of its path, attributes, and what may stand beside them. */
export type Given<Name extends keyof Operations> = PathOf<Name> & BodyOf<Name> & { query?: Query }

/** The same, when it is not known which operation. */
export type AnyGiven = { path?: Record<string, string | number>; query?: Query; attributes?: object } & Beside

/** What an operation answers: a record, a list of records, or nothing that has a type. */
export type AnswerOf<Name extends keyof Operations> = Operations[Name] extends {
  answers: infer Type extends keyof Records
}
  ? Operations[Name] extends { lists: true }
    ? Resource<Records[Type]>[]
    : Resource<Records[Type]>
  : undefined
