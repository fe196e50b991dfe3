import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/platform/documents/document.ts'

/** Documents of owners: small, with a few names that occur in many layers. */

/** Placeholder for a unique text, which the writer of the document fills in. */
const mark = 'a text of its own'

const key = fc.constantFrom('a', 'b', 'c', '10', '2')
const leaf = fc.constantFrom<Json>(mark, mark, mark, 1, 2.5, true, '', null, [], [mark, { b: mark, a: [] }], {})

export const documents: fc.Arbitrary<JsonObject> = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.constant<Json>({ $remove: true }) },
    { weight: 3, arbitrary: tie('object') },
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 3 })
    .map(entries => Object.fromEntries(entries) as JsonObject),
})).object

/** The document with each mark numbered, so that every text identifies its writer. */
export function marked(document: JsonObject, by: string): JsonObject {
  let count = 0
  const text = JSON.stringify(document, (_, each) => (each === mark ? `${by}.${++count}` : each))
  return JSON.parse(text)
}

const rule = (actions: string, names: string[], more: JsonObject = {}): JsonObject => ({
  change_filter: { actions },
  user_names: names,
  ...more,
})
const vault = (address: string, token: string) => ({ address: `https://${address}.test`, auth_method: 'token', token })

/** Secrets that no response may contain, for any caller. */
export const secret = 'the secret'

const everywhere: Record<string, readonly Json[]> = {
  repo_folder: ['.sluice', 'ops', 'nothing/here'],
}
const ofChanges: Record<string, readonly Json[]> = {
  step_timeout_seconds: [5, 60, 600],
  on_runner_lost: ['error', 'restart'],
  dockerfile: ['One', 'Two'],
  'runner.idle_timeout': [0, 10],
  'runner.resources': [{ cpu: '1' }, { memory: '1Gi' }, { cpu: '2', memory: '1Gi' }],
  requires_approval_from: [
    [],
    [rule('all', ['admin'])],
    [rule('deploy', ['operator'], { merge_approvers: true })],
    [rule('deploy', ['other'])],
    [rule('deploy', ['admin', 'operator']), rule('all', ['other'], { merge_approvers: true })],
  ],
}
/** A folder with invalid files is never used for a whole project: no commit would be valid. */
export const brokenFolder = 'broken'
const mayBreak = { repo_folder: [...everywhere['repo_folder']!, brokenFolder] }
const ofAgents: Record<string, readonly Json[]> = { 'agent.script_path': ['one.sh', 'two.sh'] }

/** Settings of each level with some possible values; the folder of property files comes first. */
export const settingsAt: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>> = {
  global: {
    ...everywhere,
    ...ofChanges,
    ...ofAgents,
    vault: [vault('one', `${secret} 1`), vault('one', `${secret} 2`), vault('two', `${secret} 3`)],
    schedule_catch_up: [60, 600],
  },
  project: { ...everywhere, ...ofChanges, ...ofAgents },
  environment: { ...mayBreak, ...ofChanges },
  asset: { ...mayBreak, ...ofChanges },
  agent: ofAgents,
  template: everywhere,
  template_version: everywhere,
}

/** Chooses settings and values by numbers modulo their count; undefined removes one. */
export const settingsPicks = fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(20), { nil: undefined, freq: 4 })), {
  minLength: 1,
  maxLength: 4,
})
export type SettingsPicks = readonly (readonly [number, number | undefined])[]

export function pickedSettings(level: string, picks: SettingsPicks): Record<string, Json | null> {
  const known = Object.entries(settingsAt[level]!)
  return Object.fromEntries(
    picks.map(([which, value]) => {
      const [name, values] = known[which % known.length]!
      return [name, value === undefined ? null : values[value % values.length]!]
    }),
  )
}
