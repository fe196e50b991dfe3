import type { Json, JsonObject } from '../../src/platform/documents/document.ts'
import { brokenFolder, secret, settingsAt } from './documents.ts'
import { dataOf, isObject, type Layer, mergedTree, sourcesOf } from './merged.ts'

/** Specification of configuration: values in force, computed simply from all documents and the list of layers. */

type Level = 'project' | 'environment' | 'asset' | 'agent'
export interface NodePlace {
  readonly level: Level
  /** Path below the project. */
  readonly path: string
  readonly above: readonly string[]
  readonly template?: string
}

export const nodes: Readonly<Record<string, NodePlace>> = {
  project: { level: 'project', path: '', above: [] },
  e: { level: 'environment', path: '/environments/e', above: ['project'] },
  a: { level: 'asset', path: '/assets/a', above: ['project'], template: 'web' },
  b: { level: 'asset', path: '/environments/e/assets/b', above: ['project', 'e'], template: 'web' },
  g: { level: 'agent', path: '/agents/g', above: ['project'], template: 'bot' },
}

/**
 * Documents of all owners at one moment. Owners are `global`, nodes, templates (`web`) and their versions (`web 1`).
 */
export interface State {
  readonly properties: Readonly<Record<string, readonly JsonObject[]>>
  readonly settings: Readonly<Record<string, readonly JsonObject[]>>
  /** Existing nodes; a recreated node is another one. */
  readonly nodes: Readonly<Record<string, { readonly made: number; readonly archived: boolean }>>
  /** Versions of its template that each node has had, the newest last. */
  readonly had: Readonly<Record<string, readonly string[]>>
  /** The commit of each version of a template. */
  readonly commits: Readonly<Record<string, string>>
}

/** Facts without versions: current names, and constants. */
export interface Known {
  readonly project: string
  readonly names: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
  readonly overrides: JsonObject
}

export const newest = (versions: readonly JsonObject[] | undefined): JsonObject => versions?.at(-1) ?? {}

export const levelOf = (owner: string): string =>
  owner === 'global' ? owner : (nodes[owner]?.level ?? (owner.includes(' ') ? 'template_version' : 'template'))

const words: Record<string, string> = {
  project: 'Project',
  environment: 'Environment',
  template: 'Template',
  template_version: 'Template version',
  asset: 'Asset',
  agent: 'Agent',
}
export const ownerTypeOf = (owner: string): string => words[levelOf(owner)]!

function sourceOf(owner: string, { names, project }: Known): string {
  if (owner === 'global') return 'Global'
  const [code, version] = owner.split(' ')
  return `${ownerTypeOf(owner)}: ${names[code!]} (${version ?? (owner === 'project' ? project : code)})`
}

export interface LayerOf extends Layer {
  readonly owner?: string
  readonly version?: number
  readonly file?: string
}

/** Invalid files yield no values at all, not even half of a document. */
export const convergesNot = (node: string, state: State, known: Known): boolean =>
  nodes[node]!.template !== undefined && settingsOf(node, state, known).data['repo_folder'] === brokenFolder

/** Every layer of a node's properties, least specific first. */
export function layersOf(node: string, state: State, known: Known): LayerOf[] {
  const { above, template } = nodes[node]!
  const version = template && state.had[node]!.at(-1)!
  const owners = [...above, ...(template ? [template, version!] : []), node]
  return [
    ...(version ? filesOf(node, state, known) : []),
    ...owners.map(owner => ({
      owner,
      source: sourceOf(owner, known),
      data: newest(state.properties[owner]),
      version: state.properties[owner]!.length,
    })),
  ]
}

function filesOf(node: string, state: State, known: Known): LayerOf[] {
  const { template, path, level } = nodes[node]!
  const files = known.files[state.commits[state.had[node]!.at(-1)!]!]!
  const root = `${settingsOf(node, state, known).data['repo_folder']}/properties`
  const line = [`projects`, known.project, ...path.split('/').slice(1)]
  // Folders on the way down to the parent, then the template's, then the node's own.
  const own = level === 'asset' || level === 'agent' ? 2 : 0
  const down = Array.from({ length: line.length - own + 1 }, (_, length) => line.slice(0, length))
  const self = [line.slice(0, -1), line]
  const folders = [...down, ['templates', template!], ...self].map(parts => [root, ...parts].join('/'))
  const inFolder = (folder: string, isWanted = (_: string) => true) =>
    Object.keys(files)
      .filter(file => file.slice(0, file.lastIndexOf('/')) === folder && isWanted(file))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const defaults = inFolder(template!, file => file.startsWith(`${template}/defaults.`))
  return [...defaults, ...folders.flatMap(folder => inFolder(folder))].map(file => ({
    file,
    source: `Repository: ${file}`,
    data: files[file]!,
  }))
}

export function propertiesOf(node: string, state: State, known: Known): { data: JsonObject; sources: Json } {
  const merged = mergedTree(layersOf(node, state, known))
  return { data: dataOf(merged), sources: sourcesOf(merged) }
}

const settingsLine = (node: string): string[] => ['global', ...nodes[node]!.above, node]

/** Settings that owners set here; others have their defaults. */
export function settingsOf(
  node: string,
  state: State,
  known: Known,
): { data: Record<string, Json>; sources: Record<string, string> } {
  const [data, sources]: [Record<string, Json>, Record<string, string>] = [{ ...defaults }, {}]
  for (const name of Object.keys(data)) sources[name] = 'Default'
  const approval: { owner: string; rules: JsonObject[] }[] = []
  for (const owner of settingsLine(node))
    for (const [name, value] of Object.entries(newest(state.settings[owner]))) {
      if (name === 'requires_approval_from') approval.push({ owner, rules: value as unknown as JsonObject[] })
      data[name] = hidden(value)
      sources[name] = sourceOf(owner, known)
    }
  if (approval.length > 0) {
    data['requires_approval_from'] = approval.reduce<JsonObject[]>((above, { rules }) => added(above, rules), [])
    sources['requires_approval_from'] = approval.map(({ owner }) => sourceOf(owner, known)).join(', ')
  }
  for (const [name, value] of Object.entries(known.overrides).filter(([each]) => statedNames.has(each))) {
    data[name] = value
    sources[name] = 'Environment variable'
  }
  return { data, sources }
}

/** Owners that set a setting, least specific first, and the one in force. */
export function whoSets(node: string, name: string, state: State, known: Known): { source: string; wins: boolean }[] {
  const stating = settingsLine(node).filter(owner => Object.hasOwn(newest(state.settings[owner]), name))
  const isOverridden = Object.hasOwn(known.overrides, name)
  const levels = [
    ...(Object.hasOwn(defaults, name) ? ['Default'] : []),
    ...stating.map(owner => sourceOf(owner, known)),
    ...(isOverridden ? ['Environment variable'] : []),
  ]
  const addsUp = name === 'requires_approval_from' && !isOverridden && stating.length > 0
  return levels.map((source, index) => ({
    source,
    wins: addsUp ? source !== 'Default' : index === levels.length - 1,
  }))
}

const defaults: Record<string, Json> = {
  repo_folder: '.sluice',
  on_runner_lost: 'error',
  dockerfile: 'Dockerfile',
  'runner.idle_timeout': 30,
  requires_approval_from: [],
  'agent.script_path': 'agent.sh',
  schedule_catch_up: 3600,
}

/** Every setting that may be set here. */
export const statedNames: ReadonlySet<string> = new Set(Object.values(settingsAt).flatMap(Object.keys))

function added(above: readonly JsonObject[], below: readonly JsonObject[]): JsonObject[] {
  const rules = [...above]
  for (const rule of below) {
    const same = JSON.stringify(rule['change_filter'])
    const index = above.findIndex(each => each['merge_approvers'] && JSON.stringify(each['change_filter']) === same)
    if (index < 0) rules.push(rule)
    else {
      const names = [...(rules[index]!['user_names'] as string[]), ...(rule['user_names'] as string[])]
      rules[index] = { ...rules[index], user_names: [...new Set(names)] }
    }
  }
  return rules
}

export function hidden(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(secret) ? '{{hidden}}' : value
  if (Array.isArray(value)) return value.map(hidden)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hidden(each)]))
}
