import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle } from 'quickjs-emscripten-core'
import { compileModel } from './model-template.ts'
import { prelude } from './prelude.ts'
import { readRendered } from './rendered-text.ts'
import { type LogLine, modelFileName, type Rendered, type Rendering, renderLimits } from './rendering.ts'

/**
 * Renders in this thread and blocks it meanwhile. The template's code runs in an interpreter of its own, compiled to
 * WebAssembly: it has the language only, without modules, files, network, environment or our objects.
 */
export async function render(rendering: Rendering): Promise<Rendered> {
  const program = compileModel(rendering.template)
  if ('message' in program) return { error: `${modelFileName}:${program.line}: ${program.message}`, logs: [] }
  const quickjs = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'))
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(renderLimits.memory)
  runtime.setMaxStackSize(renderLimits.stack)
  const ends = Date.now() + rendering.seconds * 1_000
  runtime.setInterruptHandler(() => Date.now() > ends)
  const context = runtime.newContext()
  const logs = logOf(context)
  const ours = evaluate(context, prelude, 'prelude.js')
  if ('error' in ours) throw new Error('the prelude of models does not run')
  const [start, finish, breaksOff, describe] = ['start', 'finish', 'breaksOff', 'describe'].map(name =>
    context.getProp(ours.value, name),
  )
  const failed = (error: QuickJSHandle): Rendered => {
    const described = textIn(context, call(context, describe!, error)) ?? outOfMemory
    return { error: Date.now() > ends ? tookTooLong(rendering.seconds) : placed(described, program.lines), logs }
  }
  const [properties, about] = [context.newString(rendering.properties), context.newString(rendering.context)]
  const begun = call(context, start!, properties, about)
  if ('error' in begun) return failed(begun.error)
  const ran = evaluate(context, program.code, modelFileName)
  if ('error' in ran) return failed(ran.error)
  const made = call(context, finish!)
  if ('error' in made) return failed(made.error)
  const text = textIn(context, made)
  if (text === undefined) return { error: `The model comes to more than ${renderLimits.result} characters.`, logs }
  const stack = textIn(context, call(context, breaksOff!, made.value)) ?? ''
  const [, line, column] = /<input>:(\d+):(\d+)/.exec(stack) ?? []
  const breaks = line === undefined ? undefined : { line: Number(line), column: Number(column) }
  return { ...readRendered(text, breaks), logs }
}

type Outcome = { readonly value: QuickJSHandle } | { readonly error: QuickJSHandle }

const evaluate = (context: QuickJSContext, code: string, file: string): Outcome =>
  outcome(context.evalCode(code, file, { type: 'global' }))

const call = (context: QuickJSContext, called: QuickJSHandle, ...given: QuickJSHandle[]): Outcome =>
  outcome(context.callFunction(called, context.undefined, ...given))

const outcome = (result: { value: QuickJSHandle } | { error: QuickJSHandle }): Outcome =>
  'error' in result && result.error ? { error: result.error } : { value: (result as { value: QuickJSHandle }).value }

/** A text of the interpreter, if it is one and not too long. */
function textIn(context: QuickJSContext, result: Outcome): string | undefined {
  if ('error' in result || context.typeof(result.value) !== 'string') return undefined
  const length = context.getNumber(context.getProp(result.value, 'length'))
  return length <= renderLimits.result ? context.getString(result.value) : undefined
}

/** Log of the template, up to a limit. */
function logOf(context: QuickJSContext): LogLine[] {
  const lines: LogLine[] = []
  const log = context.newFunction('log', (category, message) => {
    const text = textIn(context, { value: message })
    if (text === undefined || lines.length > renderLimits.logLines) return
    if (lines.length === renderLimits.logLines) lines.push({ category: 'warn', message: 'More is not kept.' })
    else lines.push({ category: context.getString(category) as LogLine['category'], message: clipped(text) })
  })
  context.setProp(context.global, '$log', log)
  return lines
}

const clipped = (text: string): string => text.slice(0, renderLimits.logCharacters).toWellFormed()

const tookTooLong = (seconds: number) => `The model was not rendered within ${seconds} s.`
const outOfMemory = `The model needs more than ${renderLimits.memory / 1_048_576} MiB of memory.`

/** `Error: text` with the stack behind it, as the template's own line before the text. */
function placed(described: string, lines: readonly number[]): string {
  const [message = '', ...stack] = described.split('\u0001')
  if (message.includes('out of memory')) return outOfMemory
  const [, line] = /model\.json\.erb:(\d+)/.exec(stack.join('\n')) ?? []
  const at = line === undefined ? undefined : lines[Number(line) - 1]
  return `${modelFileName}${at === undefined ? '' : `:${at}`}: ${message.slice(0, 2_000).toWellFormed()}`
}
