import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { format } from 'node:util'
import { fromJson } from '../json/from-json.ts'
import { nameOf } from './action-reference.ts'
import { storeArtefact } from './artefact.ts'
import { ChildSteps } from './child-steps.ts'
import { exec } from './exec.ts'
import { type Operation, patchBetween } from './patch.ts'
import type { Secrets } from './secrets.ts'

import {
  type JsonObject,
  levels,
  type PropertyOwner,
  propertyOwners,
  type ReadOnlyObject,
  type Step,
  type StepLog,
  type StepPlaces,
} from './step.ts'

/**
 * Opens a step for one body. For the runner, which calls `close` when the body has succeeded.
 *
 * @param heed called once the body has read its signal
 */
export function openStep(
  places: StepPlaces,
  say: (line: string) => void,
  signal: AbortSignal,
  heed: () => void,
): { step: Step; close(): void } {
  const given = once(() => fromJson(readFileSync(places.contextFile, 'utf8')) as Given)
  const properties = once(() => frozen(given().converged))
  const context = once(() => frozen(given().context))
  const heeded = once(heed)
  const owned = new Map<PropertyOwner, { before: JsonObject; now: JsonObject }>()
  const log = logTo(say)
  const children = new ChildSteps()
  const secrets = once((): Secrets => {
    const its = import('./secrets.ts').then(({ stepSecrets }) => stepSecrets(places, signal))
    return {
      get: async (...asked) => (await its).get(...asked),
      remove: async (...asked) => (await its).remove(...asked),
      removePath: async path => (await its).removePath(path),
    }
  })

  const step: Step = {
    log,
    get properties() {
      return properties()
    },
    get context() {
      return context()
    },
    get signal() {
      heeded()
      return signal
    },
    propertiesOf: owner => {
      if (!propertyOwners.includes(owner))
        throw new TypeError(`propertiesOf("${owner}"): owners are ${propertyOwners.join(', ')}.`)
      let its = owned.get(owner)
      if (!its) {
        const before = given().properties[owner] ?? {}
        its = { before, now: structuredClone(before) }
        owned.set(owner, its)
      }
      return its.now
    },
    appendSteps: (...steps) => children.append(steps),
    replaceSteps: (...steps) => children.replace(steps),
    get childStrategy() {
      return children.strategy
    },
    set childStrategy(strategy) {
      children.strategy = strategy
    },
    runAction: async reference => (await import('./run-action.ts')).runAction(places, step, nameOf(reference), signal),
    get secrets() {
      return secrets()
    },
    query: async (nodePath, what) => (await import('./query.ts')).query(places.service, nodePath, what, signal),
    exec: (command, args = [], options = {}) => exec(command, args, options),
    artefact: (file, labels = {}, name = basename(file)) => storeArtefact(places, file, labels, name),
    // Modules that query the service are loaded by their users: loading takes longer than a light step.
    catalogue: async () => (await import('./step-catalogue.ts')).stepCatalogue(places, signal),
    gitClone: async (remote, revision, options = {}) =>
      (await import('./git-clone.ts')).gitClone(places, { remote, revision, options }, { signal, warn: log.warn }),
    sendEmail: async mail => (await import('./send-email.ts')).sendEmail(places, mail, signal),
  }
  return { step, close: () => writeResult(places.resultFile, { ...differences(owned), ...children.said() }) }
}

interface Given {
  readonly context: ReadOnlyObject
  readonly converged: ReadOnlyObject
  readonly properties: { readonly [owner: string]: JsonObject }
}

function differences(owned: ReadonlyMap<PropertyOwner, { before: JsonObject; now: JsonObject }>): object {
  const diffs: Record<string, Operation[]> = {}
  for (const [owner, { before, now }] of owned) {
    const patch = patchBetween(before, fromJson(JSON.stringify(now)))
    if (patch.length > 0) diffs[owner] = patch
  }
  return Object.keys(diffs).length > 0 ? { properties_diffs: diffs } : {}
}

function writeResult(file: string, said: object): void {
  if (Object.keys(said).length > 0) writeFileSync(file, JSON.stringify(said))
}

const logTo = (say: (line: string) => void): StepLog =>
  Object.fromEntries(
    levels.map(level => [
      level,
      (message: unknown, ...values: unknown[]) =>
        say(`${level === 'info' ? '' : `${level}: `}${format(message, ...values)}`),
    ]),
  ) as unknown as StepLog

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}
