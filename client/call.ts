import type { Operations, Records } from './generated/api.ts'
import type { ExtraMembers, Query, Resource } from './record.ts'

/** Names of the parameters in a path template, such as `{project_code}`. */
type PartsOf<Name> = Name extends `${string}{${infer Part}}${infer Rest}` ? Part | PartsOf<Rest> : never

type PathOf<Name> = [PartsOf<Name>] extends [never]
  ? { path?: never }
  : { path: Record<PartsOf<Name>, string | number> }

type BodyOf<Name extends keyof Operations> = Operations[Name] extends { attributes: infer Attributes }
  ? { attributes: Attributes } & ExtraMembers
  : { attributes?: never }

/** Arguments of an operation: path parameters, attributes and further members of the request document. */
export type CallArguments<Name extends keyof Operations> = PathOf<Name> & BodyOf<Name> & { query?: Query }

/** Arguments of an operation that is only known at run time. */
export type AnyGiven = { path?: Record<string, string | number>; query?: Query; attributes?: object } & ExtraMembers

/** Result of an operation: a record, a list of records, or undefined for untyped responses. */
export type AnswerOf<Name extends keyof Operations> = Operations[Name] extends {
  answers: infer Type extends keyof Records
}
  ? Operations[Name] extends { lists: true }
    ? Resource<Records[Type]>[]
    : Resource<Records[Type]>
  : undefined
