import { isMap, isSeq, Lexer, type Scalar } from 'yaml'
import { pointerPart } from '#platform/jsonapi/json.ts'
import { Fields, jsonOf } from '../files/fields.ts'
import type { FileFault } from '../files/file-fault.ts'
import { parseYaml, type YamlFile } from '../files/yaml-file.ts'
import type { WorkflowReading } from './step-values.ts'
import { inOrder } from './workflow-errors.ts'
import { stepsSize, workflowLimits } from './workflow-limits.ts'
import type { WorkflowError, WrittenStep } from './workflow-tree.ts'
import { readSteps } from './written-steps.ts'

/** `read`: the steps of a wrong source, as far as they could be read. */
export type ParsedWorkflow =
  | { readonly steps: readonly WrittenStep[] }
  | { readonly errors: readonly WorkflowError[]; readonly read?: readonly WrittenStep[] }

/**
 * Reads the source of a workflow and checks what can be checked without other data: its steps, or all faults, in the
 * order of the source. Pure; never throws, whatever the text is.
 */
export function parseWorkflow(source: string): ParsedWorkflow {
  const whole = (message: string) => ({ errors: [{ line: 1, column: 1, pointer: '', message }] })
  if (Buffer.byteLength(source) > workflowLimits.bytes)
    return whole(`A workflow has at most ${workflowLimits.bytes} bytes.`)
  if (source.includes('\0')) return whole('U+0000 has no place in a text.')
  if (hasTooManyTokens(source)) return whole(workflowLimits.tooManyTokens)
  const yaml = parseYaml('', source)
  if ('faults' in yaml) return { errors: inOrder(yaml.faults.map(fault => ({ ...placed(fault), pointer: '' }))) }
  const errors: WorkflowError[] = []
  const pointers = pointersOf(yaml)
  const place = (node: unknown) => ({ ...placed(yaml.faultAt(node, '')), pointer: pointers.get(node) ?? '' })
  const faults: FileFault[] = []
  // Each fault gets its pointer while its node is known.
  const watched: YamlFile = {
    ...yaml,
    faultAt: (node, message) => {
      errors.push({ ...place(node), message })
      return yaml.faultAt(node, message)
    },
  }
  const reading: WorkflowReading = { yaml: watched, faults, place }
  const steps = readTop(reading)
  const tooMany = errors.length === 0 && steps && stepsSize(steps) > workflowLimits.steps
  if (tooMany) errors.push({ ...place(yaml.contents), message: workflowLimits.tooManySteps })
  return steps && errors.length === 0 ? { steps } : { errors: inOrder(errors), ...(steps && { read: steps }) }
}

/** Whether the source has more tokens than allowed. Counting them takes a tenth of the time of parsing the document. */
function hasTooManyTokens(source: string): boolean {
  let left: number = workflowLimits.tokens
  for (const _ of new Lexer().lex(source)) if (--left < 0) return true
  return false
}

function readTop(reading: WorkflowReading): WrittenStep[] | undefined {
  const { yaml, faults } = reading
  // Cyclic aliases, and those that expand to very many values, are reported before anything follows them.
  if (yaml.refers && jsonOf(reading, yaml.contents) === undefined) return undefined
  const otherwise = 'A workflow has the key "steps:" with its steps below it.'
  const top = Fields.of(reading, yaml.contents, otherwise)
  if (!top) return undefined
  const steps = readSteps(reading, top, 'steps', 1)
  top.refuseOthers()
  if (!top.peek('steps')) faults.push(yaml.faultAt(yaml.contents, otherwise))
  return steps
}

/** JSON pointer of each key and each value of the source. */
function pointersOf({ contents }: YamlFile): Map<unknown, string> {
  const pointers = new Map<unknown, string>()
  const left: { node: unknown; pointer: string }[] = [{ node: contents, pointer: '' }]
  while (left.length > 0) {
    const { node, pointer } = left.pop()!
    // A pair from a merge key is in several maps.
    if (node === null || node === undefined || pointers.has(node)) continue
    pointers.set(node, pointer)
    if (isSeq(node)) for (const [i, item] of node.items.entries()) left.push({ node: item, pointer: `${pointer}/${i}` })
    if (isMap(node))
      for (const { key, value } of node.items) {
        const below = `${pointer}/${pointerPart(String((key as Scalar).value))}`
        pointers.set(key, below)
        left.push({ node: value, pointer: below })
      }
  }
  return pointers
}

const placed = ({ line, column, message }: FileFault) => ({ line, column, message })
