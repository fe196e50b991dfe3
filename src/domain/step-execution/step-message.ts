import { Buffer } from 'node:buffer'
import type { StepBodies } from '#authoring/actions/action-tree.ts'
import { asText, fillIn, type UnknownProperty } from '#json/fill-in.ts'
import { fromJson } from '#json/from-json.ts'
import { isObject, type JsonObject } from '#platform/documents/document.ts'
import type { Body, FileToWrite, StepToRun } from '#protocol/runner-protocol.ts'
import type { ChangeContext } from '../changes/index.ts'
import type { StepMessage } from '../runners/index.ts'
import type { ClaimedStep } from '../steps/for-step-execution.ts'

export interface StepPlace {
  readonly parents: readonly JsonObject[]
  readonly apiToken: string
}

/** A step that cannot run, with the reason for its error message. */
export interface Unrunnable {
  readonly why: string
}

/**
 * The message that makes a runner run a claimed step: scripts, environment, files and context, every value filled in.
 * Pure. A name in `{{…}}` that is not a converged property ends the step before anything of it runs.
 */
export function stepMessage(step: ClaimedStep, change: ChangeContext, place: StepPlace): StepMessage | Unrunnable {
  const stored: StepBodies = step.definition === null ? noBodies : fromJson(step.definition)
  const filled = stored.bodies.map(body => fillBody(body, change.converged))
  const unknown = filled.flatMap(each => each.unknown)
  const wishes = { ...requestedEnvironment(change.converged), ...requestedFiles(change.converged) }
  const faults = [...unknown.map(unknownProperty), ...wishes.faults, ...wishes.fileFaults]
  if (faults.length > 0) return { why: faults.join('\n') }
  const timeout = stored.timeout_seconds ?? change.timeoutSeconds
  const { id: stepId, attempt, fence } = step
  const own: Omit<StepToRun, 'context'> = {
    ...{ stepId, attempt, fence },
    bodies: filled.map(({ body }) => body),
    folder: change.folder,
    ...(timeout !== undefined && { timeoutSeconds: timeout }),
    files: wishes.files,
    env: wishes.env,
    secrets: [...change.secrets],
    apiToken: place.apiToken,
  }
  const context = {
    ...change.context,
    step: { id: stepId, name: step.step_name, full_path: step.full_path, action: step.action, attempt },
    parents: Object.fromEntries(place.parents.map(parent => [String(parent['name']), parent])),
    parent_order: place.parents.map(parent => String(parent['name'])),
    api_token: place.apiToken,
  }
  const text = `${JSON.stringify(own).slice(0, -1)},"context":{"context":${JSON.stringify(context)},${change.documents}}}`
  return { stepId, attempt, fence, text }
}

const noBodies: StepBodies = { bodies: [], timeout_seconds: null }

function fillBody(
  given: StepBodies['bodies'][number],
  converged: JsonObject,
): { body: Body; unknown: UnknownProperty[] } {
  if ('module' in given) return { body: given, unknown: [] }
  const { action, run, interpreter, env } = given
  const unknown: UnknownProperty[] = []
  const fill = (text: string, where: string) => {
    const filled = fillIn(text, `${action}: ${where}`, converged)
    unknown.push(...filled.unknown)
    return filled.text
  }
  const body = {
    action,
    run,
    interpreter: interpreter.map(part => fill(part, 'shell')),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, `env.${name}`)])),
  }
  return { body, unknown }
}

const unknownProperty = ({ name, where }: UnknownProperty): string =>
  `${where} asks for {{ ${name} }}, and there is no converged property ${name}.`

/** `sluice.env` of the converged properties: environment variables of every step. */
function requestedEnvironment(converged: JsonObject): { env: Record<string, string>; faults: string[] } {
  const requested = inSluice(converged, 'env')
  if (requested === undefined) return { env: {}, faults: [] }
  if (!isObject(requested)) return { env: {}, faults: ['The property sluice.env is no object of names and values.'] }
  const entries = Object.entries(requested)
  return {
    env: Object.fromEntries(entries.map(([name, value]) => [name, asText(value)])),
    faults: entries
      .filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('SLUICE_'))
      .map(([name]) => `sluice.env cannot set "${name}": names are letters, digits and _, and SLUICE_ is ours.`),
  }
}

/** `sluice.files`: written into the working copy before the step. */
function requestedFiles(converged: JsonObject): { files: FileToWrite[]; fileFaults: string[] } {
  const requested = inSluice(converged, 'files')
  if (requested === undefined) return { files: [], fileFaults: [] }
  if (!isObject(requested)) return { files: [], fileFaults: ['The property sluice.files is no object of paths.'] }
  const read = Object.entries(requested).map(([path, file]) => requestedFile(path, file))
  return {
    files: read.filter(file => typeof file !== 'string'),
    fileFaults: read.filter(file => typeof file === 'string'),
  }
}

const formats = ['raw', 'json', 'base64']

function requestedFile(path: string, file: unknown): FileToWrite | string {
  if (!isObject(file as never)) return `sluice.files: ${path} is no object of mode, content and format.`
  const { mode, content, format = 'raw', ...others } = file as Record<string, unknown>
  const unknown = Object.keys(others)
  if (unknown.length > 0) return `sluice.files: ${path} has ${unknown.join(', ')}; it takes mode, content and format.`
  if (path.startsWith('/') || path.split('/').includes('..') || path === '')
    return `sluice.files: ${path} is outside the working copy: paths are relative, without "..".`
  if (mode !== undefined && !(typeof mode === 'string' && /^0?[0-7]{3}$/.test(mode)))
    return `sluice.files: the mode of ${path} is three octal digits, such as "600".`
  if (!formats.includes(format as string)) return `sluice.files: the format of ${path} is raw, json or base64.`
  if (format !== 'json' && typeof content !== 'string') return `sluice.files: the content of ${path} is no text.`
  const bytes =
    format === 'json'
      ? Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
      : Buffer.from(content as string, format === 'base64' ? 'base64' : 'utf8')
  return { path, content: bytes.toString('base64'), ...(mode !== undefined && { mode: mode as string }) }
}

const inSluice = (converged: JsonObject, key: string) => {
  const own = converged['sluice']
  return isObject(own as never) ? (own as JsonObject)[key] : undefined
}
