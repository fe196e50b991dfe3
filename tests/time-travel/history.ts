import fc from 'fast-check'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import { documents, type SettingsPicks, settingsPicks } from './documents.ts'
import { type PropertyFiles, propertyFiles } from './repository.ts'

/** Deeds on configuration; numbers select one of the possible targets. */
export type Deed =
  | { readonly what: 'properties'; readonly owner: number; readonly document: JsonObject }
  | { readonly what: 'merges'; readonly owner: number; readonly document: JsonObject }
  | { readonly what: 'settings'; readonly owner: number; readonly picks: SettingsPicks; readonly replaces: boolean }
  | { readonly what: 'restores'; readonly owner: number; readonly version: number; readonly settings: boolean }
  | { readonly what: 'repeats'; readonly owner: number; readonly settings: boolean }
  | { readonly what: 'renames'; readonly owner: number; readonly to: string }
  | { readonly what: 'makes' | 'archives' | 'destroys'; readonly node: number }
  | { readonly what: 'moves'; readonly node: number; readonly version: number; readonly assigned: boolean }
  | { readonly what: 'commits'; readonly files: PropertyFiles }
  | { readonly what: 'points'; readonly version: number; readonly commit: number }
  | { readonly what: 'drops version'; readonly version: number }
  | { readonly what: 'adds version'; readonly commit: number }
  | { readonly what: 'waits'; readonly interval: string }
  | { readonly what: 'compares'; readonly node: number; readonly with: number }

export interface History {
  readonly files: PropertyFiles
  readonly deeds: readonly Deed[]
}

const some = fc.nat(20)
const owner = some
const node = some
/** The installation, the project, and nodes created after templates and their versions. */
const aboveAndNodes = fc.constantFrom(0, 1, 6, 7, 8, 9)
/** Set by the first of the settings of each level, except for agents. */
const whereFilesLie = fc.tuple(fc.tuple(fc.constant(0), fc.nat(3)))
const does = <What extends string, T extends object>(what: What, more: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ what: fc.constant(what), ...more }) as unknown as fc.Arbitrary<{ what: What } & T>

const deed = fc.oneof(
  { weight: 8, arbitrary: does('properties', { owner, document: documents }) },
  { weight: 4, arbitrary: does('merges', { owner, document: documents }) },
  { weight: 8, arbitrary: does('settings', { owner, picks: settingsPicks, replaces: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: does('settings', { owner: aboveAndNodes, picks: whereFilesLie, replaces: fc.constant(false) }),
  },
  { weight: 3, arbitrary: does('restores', { owner, version: some, settings: fc.boolean() }) },
  { weight: 2, arbitrary: does('repeats', { owner, settings: fc.boolean() }) },
  { weight: 2, arbitrary: does('renames', { owner, to: fc.constantFrom('One', 'Two', 'Drei “3”') }) },
  { weight: 5, arbitrary: does('makes', { node }) },
  { weight: 2, arbitrary: does('archives', { node }) },
  { weight: 2, arbitrary: does('destroys', { node }) },
  { weight: 5, arbitrary: does('moves', { node, version: some, assigned: fc.boolean() }) },
  { weight: 3, arbitrary: does('commits', { files: propertyFiles }) },
  { weight: 2, arbitrary: does('points', { version: some, commit: some }) },
  { weight: 2, arbitrary: does('adds version', { commit: some }) },
  { weight: 1, arbitrary: does('drops version', { version: some }) },
  { weight: 3, arbitrary: does('waits', { interval: fc.constantFrom('1 hour', '13 hours', '2 days') }) },
  { weight: 2, arbitrary: does('compares', { node, with: node }) },
) as fc.Arbitrary<Deed>

export const histories: fc.Arbitrary<History> = fc.record({
  files: propertyFiles,
  deeds: fc.array(deed, { minLength: 6, maxLength: 14 }),
})
