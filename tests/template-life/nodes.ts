import { forgetTasks, type State, tell, templateOf, type Verdict } from './state.ts'
import { hasMoved } from './tasks.ts'
import { wasUsed } from './versions.ts'

/** Deeds on assets, templates, and their remote. */

export function makes(state: State, code: string, label: string): Verdict {
  if (state.assets.has(code)) return 409
  const template = state.templates.get(templateOf(label))
  const version = state.versions.get(label)
  if (!template) return 422
  if (template.archived || template.disabled) return 409
  if (!version) return 422
  if (version.archived || version.state !== 'ready') return 409
  state.assets.set(code, { code, version: label, archived: false, own: undefined, had: new Set([label]) })
  tell(state, `api:nodes:create ${code}`)
  hasMoved(state, code)
  return 201
}

/** `name` is a version of its template, or of none. */
export function moves(state: State, code: string, name: string): Verdict {
  const asset = state.assets.get(code)
  if (!asset) return 404
  if (asset.archived) return 409
  const label = `${templateOf(asset.version)} ${name}`
  if (label === asset.version) return 200
  const version = state.versions.get(label)
  if (!version) return 422
  if (version.archived || version.state !== 'ready') return 409
  gives(state, code, label)
  return 200
}

/** All of them or none. */
export function assigns(state: State, label: string, codes: readonly string[]): Verdict {
  const version = state.versions.get(label)
  if (!version) return 404
  const assets = codes.map(code => state.assets.get(code))
  if (assets.includes(undefined)) return 404
  if (version.archived || version.state !== 'ready') return 409
  if (assets.some(asset => asset!.archived)) return 409
  if (assets.some(asset => templateOf(asset!.version) !== version.template)) return 422
  const given = codes.filter(code => state.assets.get(code)!.version !== label)
  for (const code of given) gives(state, code, label)
  if (given.length > 0) tell(state, `api:template_versions:assign_to_assets ${label}`)
  return 200
}

function gives(state: State, code: string, label: string): void {
  const asset = state.assets.get(code)!
  asset.version = label
  asset.had.add(label)
  tell(state, `api:nodes:update ${code}`)
  hasMoved(state, code)
}

/** Archives it, or restores an archived one. */
export function archives(state: State, code: string): Verdict {
  const asset = state.assets.get(code)
  if (!asset) return 404
  asset.archived = !asset.archived
  if (!asset.archived) hasMoved(state, code)
  tell(state, asset.archived ? `api:nodes:destroy ${code}` : `api:nodes:update ${code}`)
  return asset.archived ? 204 : 200
}

export function destroys(state: State, code: string): Verdict {
  if (!state.assets.has(code)) return 404
  forgetTasks(state, code)
  state.assets.delete(code)
  tell(state, `api:nodes:destroy ${code}`)
  return 204
}

export function changesTemplate(state: State, code: string, to: 'archived' | 'disabled'): Verdict {
  const template = state.templates.get(code)
  if (!template) return 404
  template[to] = !template[to]
  tell(state, `api:templates:update ${code}`)
  return 200
}

export function makesTemplate(state: State, code: string): Verdict {
  if (state.remote.archived) return 409
  state.templates.set(code, { archived: false, disabled: false })
  tell(state, `api:templates:create ${code}`)
  return 201
}

export function dropsTemplate(state: State, code: string): Verdict {
  const versions = [...state.versions.values()].filter(({ template }) => template === code)
  if (versions.some(({ label }) => wasUsed(state, label))) return 409
  for (const { label } of versions) {
    state.versions.delete(label)
    forgetTasks(state, label)
    tell(state, `api:template_versions:destroy ${label}`)
  }
  state.templates.delete(code)
  tell(state, `api:templates:destroy ${code}`)
  return 204
}

/** Archives it, or restores an archived one, which is then fetched. */
export function changesRemote(state: State): Verdict {
  state.remote.archived = !state.remote.archived
  if (!state.remote.archived) state.remote.fetches = 'changed'
  tell(state, 'api:git_remotes:update remote')
  return 200
}
