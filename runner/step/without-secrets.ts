import type { Collected } from '../supervisor/executor-protocol.ts'
import type { Mask } from './masking.ts'
import type { Said } from './step-result.ts'

type Artefact = Collected['artefacts'][number]

/**
 * Removes the step's secrets from its report. Values that are only shown (outputs) are masked as its log is. Values
 * that are used further (property patches, added steps) would change their meaning with `***` in them: there a secret
 * fails the step, and the message says what to write instead.
 */
export function withoutSecrets(said: Said, mask: Mask): Said | { secretAt: string } {
  const { propertiesDiffs, childSteps, outputs } = said
  for (const [owner, operations] of Object.entries(propertiesDiffs))
    for (const operation of operations as Operation[])
      if (writesSecret(operation, mask))
        return {
          secretAt: `the step would write a secret into the properties of its ${owner}, at ${operation.path}, where all of their readers would see it: write its reference there, secret://<path of the node>/…/<key>`,
        }
  if (childSteps && masked(childSteps, mask) !== childSteps)
    return {
      secretAt: 'the step adds steps that contain a secret, which all readers of the change would see: leave it out',
    }
  return outputs ? { ...said, outputs: masked(outputs, mask) } : said
}

/**
 * The names and labels of what a step left, masked. Two files may be called the same then: the first is kept, and
 * `problems` tells of the other.
 */
export function namedWithoutSecrets(
  artefacts: readonly Artefact[],
  mask: Mask,
): { named: Artefact[]; problems: string[] } {
  const named = new Map<string, Artefact>()
  const problems: string[] = []
  for (const artefact of artefacts) {
    const name = mask.text(artefact.name)
    if (named.has(name)) problems.push(`the artefact ${name} is not kept: another has the same name without its secret`)
    else named.set(name, { ...artefact, name, ...(artefact.labels && { labels: masked(artefact.labels, mask) }) })
  }
  return { named: [...named.values()], problems }
}

/** Operation as step-result.ts has checked it. */
interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/**
 * Whether an operation would write a secret. `test` compares and stores nothing; `move` and `copy` write values that
 * exist already.
 */
function writesSecret({ op, path, value }: Operation, mask: Mask): boolean {
  const place = path.replaceAll('~1', '/').replaceAll('~0', '~')
  if (mask.text(place) !== place) return true
  return (op === 'add' || op === 'replace') && masked(value, mask) !== value
}

/** Masks a value; returns the same value if nothing in it had to be masked. */
function masked<Value>(value: Value, mask: Mask): Value {
  if (typeof value === 'string') return mask.text(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(each => masked(each, mask))
    return items.every((each, at) => each === value[at]) ? value : (items as Value)
  }
  const entries = Object.entries(value).map(([key, each]) => [mask.text(key), masked(each, mask)] as const)
  const isSame = Object.entries(value).every(([key, each], at) => key === entries[at]![0] && each === entries[at]![1])
  return isSame ? value : (Object.fromEntries(entries) as Value)
}
