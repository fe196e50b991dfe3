import { openSync, readFileSync, readSync, realpathSync, writeFileSync, writeSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { Socket } from 'node:net'
import { extname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hasCatalogueBeenRead } from '../actions/catalogue.ts'
import { type ActionBody, type Declared, declaredWhile } from '../actions/declared.ts'
import '../actions/index.ts'
import { openStep } from '../actions/open-step.ts'
import { havePropertiesBeenRead } from '../actions/properties.ts'
import type { Step } from '../actions/step.ts'
import { type FromModuleHost, hostDescriptors, type ModuleJob, type ToModuleHost } from './bodies/module-protocol.ts'
import { removeTreeNow } from './executor/remove-tree.ts'
import { Environment } from './step/environment.ts'
import { noFolder, places } from './step/step-folder.ts'
import { StepFolders } from './step/step-folders.ts'
import { MessagePipe } from './supervisor/message-pipe.ts'

/**
 * The process that loads a repository's programs and runs their actions, one step at a time: kept between the steps of
 * a change because loading is expensive. It may loop, exit or be killed; the supervisor then starts another.
 */
const suffix = extname(import.meta.filename)
const library = new URL(`../actions/index${suffix}`, import.meta.url).href
const format = suffix === '.ts' ? 'module-typescript' : 'module'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@sluice/actions' ? { url: library, format, shortCircuit: true } : next(specifier, context),
})

// The TypeScript loader is loaded before a step waits for it; so is the library, above.
stripTypeScriptTypes('')

// A program that prints faster than its lines are read blocks, like a program in any language; nothing is buffered
// here.
for (const stream of [process.stdout, process.stderr])
  (stream as { _handle?: { setBlocking?(on: boolean): void } })._handle?.setBlocking?.(true)

interface Running {
  readonly job: ModuleJob
  readonly stop: AbortController
}

const work = process.argv[2]!
const copy = places.copy(work, '')
const environment = new Environment()
const folders = new StepFolders(work, 'own', removeTreeNow)
const programs = new Map<string, Promise<Declared[]>>()
/** Open lists of children: those of this process, and of its parent if orphans become its children. */
interface Family {
  readonly own: number
  readonly adopting?: number
}
let family: Family | undefined
let running: Running | undefined
let hasLoaded = false
/** Callbacks waiting until a text is hidden, in the order of their requests. */
const hiding: (() => void)[] = []

const socket = new Socket({ fd: hostDescriptors.messages })
const supervisor = new MessagePipe<FromModuleHost>(
  socket,
  message => void take(message as ToModuleHost),
  () => process.exit(1),
)
socket.once('close', () => process.exit(0))
process.on('uncaughtException', error => fail(error))
process.on('unhandledRejection', error => fail(error))

async function take(message: ToModuleHost): Promise<void> {
  if (message === 'end') process.exit(0)
  if (message === 'hidden') {
    hiding.shift()?.()
    return
  }
  running = { job: message, stop: new AbortController() }
  try {
    enter(message)
    if (message.action === null) await list(message)
    else await run(message, running)
    await written()
    running = undefined
    process.off('SIGTERM', abortRunning)
    const alone = isAlone()
    send({ done: true, alone, kept: alone && message.context !== undefined && folders.keep(message.step) })
  } catch (error) {
    fail(error)
  }
}

/** Enters the step's folder and environment, as a program started for the step would find them. */
function enter({ folder, step, context, env }: ModuleJob): void {
  if (context !== undefined) folders.prepare(step, { context, scripts: [] })
  environment.become(env)
  try {
    process.chdir(join(copy, folder))
  } catch {
    throw noFolder(folder)
  }
}

async function run({ file, action, env }: ModuleJob, its: Running): Promise<void> {
  const body = file === '' ? () => {} : await firstLoaded(bodyOf(file, action!))
  const named = {
    contextFile: env['SLUICE_STEP_CONTEXT']!,
    resultFile: env['SLUICE_STEP_RESULT']!,
    artefacts: env['SLUICE_ARTEFACTS']!,
    labelsFile: env['SLUICE_ARTEFACT_LABELS']!,
    stepId: env['SLUICE_STEP_ID']!,
    service: { url: env['SLUICE_API_URL']!, token: env['SLUICE_API_TOKEN']! },
    hide: (text: string) => {
      const hidden = Promise.withResolvers<void>()
      hiding.push(hidden.resolve)
      send({ hide: text })
      return hidden.promise
    },
    runDeclared: async (other: string, name: string, step: Step) => void (await (await bodyOf(other, name))(step)),
    unpack: async (archive: Readable, folder: string) =>
      (await import('./executor/working-copy.ts')).unpack(archive, folder),
  }
  const { step, close } = openStep(named, say, its.stop.signal, () => process.once('SIGTERM', abortRunning))
  await body(step)
  if (its.stop.signal.aborted) throw its.stop.signal.reason
  close()
}

async function firstLoaded(loading: Promise<ActionBody>): Promise<ActionBody> {
  const body = await loading
  if (!hasLoaded) send({ loaded: true })
  hasLoaded = true
  return body
}

async function bodyOf(file: string, action: string): Promise<ActionBody> {
  const declared = (await load(join(copy, file))).find(({ name }) => name.toLowerCase() === action.toLowerCase())
  if (!declared?.body) throw new Error(`${file} declares no action "${action}" with a body any more.`)
  return declared.body
}

/**
 * Handler of SIGTERM that aborts the body's signal. Installed only for a body that has asked for its signal: SIGTERM
 * ends any other by itself, even in a busy loop.
 */
const abortRunning = () => running?.stop.abort(new Error('The step is being stopped.'))

/** Resolves when all output is in the pipes. Writes to them block, so there is usually nothing to wait for. */
async function written(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableLength > 0) await new Promise(resolve => stream.write('', resolve))
}

/** Lists the actions for the service, which reads them by the rules of an actions.yaml. */
async function list({ file, env }: ModuleJob): Promise<void> {
  const place = realpathSync(copy)
  const declared = await load(join(copy, file))
  const actions = declared.map(({ name, entry, body, at }) => ({
    name,
    entry,
    program: body !== undefined,
    at: at && { file: relative(place, fileURLToPath(at.url)), line: at.line, column: at.column },
  }))
  const outputs = {
    actions,
    reads_properties: havePropertiesBeenRead() || hasCatalogueBeenRead(),
    reads_catalogue: hasCatalogueBeenRead(),
  }
  writeFileSync(env['SLUICE_STEP_RESULT']!, JSON.stringify({ outputs }))
}

function load(path: string): Promise<Declared[]> {
  let program = programs.get(path)
  if (!program) {
    program = declaredWhile(() => import(pathToFileURL(path).href))
    programs.set(path, program)
  }
  return program
}

/** Fails the step with this error. The process is not used again: it may have stopped in the middle of its work. */
function fail(error: unknown): void {
  if (!running) process.exit(1)
  const { job, stop } = running
  if (stop.signal.aborted) process.exit(143)
  running = undefined
  const { message, place, stack } = described(error, job)
  if (stack) writeSync(2, `${stack}\n`)
  const exitCode = (error as { exitCode?: unknown } | null)?.exitCode
  send({ failed: place ? `${place}: ${message}` : message, exitCode: typeof exitCode === 'number' ? exitCode : null })
}

const send = (message: FromModuleHost) => supervisor.send(message)

function described(error: unknown, { file }: ModuleJob): { message: string; place?: string; stack?: string } {
  if (!(error instanceof Error)) return { message: `Thrown: ${String(error)}` }
  const real = realpathSync(copy)
  const here = pathToFileURL(`${real}/`).href
  const stack = (error.stack ?? '').replaceAll(here, '').replaceAll(`${real}/`, '')
  const place =
    placeIn(error.stack ?? '', [here, `${real}/`]) ?? (error.message.includes(real) ? `${file}:1:1` : undefined)
  const message = error.message.replaceAll(here, '').replaceAll(`${real}/`, '').trim()
  return { message, stack, ...(place && { place }) }
}

/**
 * The first place of the repository in a stack. A syntax error is above its stack, with its line, and a caret below the
 * column.
 */
function placeIn(stack: string, here: readonly string[]): string | undefined {
  const escaped = here.map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const [, file, line, column] = new RegExp(`(?:${escaped})([^\\n():]+):(\\d+)(?::(\\d+))?`).exec(stack) ?? []
  if (!file) return undefined
  const caret = stack.split('\n').find(each => /^\s*\^+\s*$/.test(each))
  return `${file}:${line}:${column ?? (caret ? caret.indexOf('^') + 1 : 1)}`
}

/**
 * Writes a line to the log pipe. Unlike standard output that pipe does not block, so a full one is retried, and nothing
 * accumulates here.
 */
function say(line: string): void {
  let bytes = Buffer.from(`${line}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(hostDescriptors.log, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

/**
 * Whether no process that the step has started is left. A daemon of a successful step may keep running, but then not
 * below a process that runs other steps: their failure would end it.
 */
function isAlone(): boolean {
  try {
    family ??= openFamily()
    return hasOnly(family.own, '') && (family.adopting === undefined || hasOnly(family.adopting, `${process.pid} `))
  } catch {
    // The kernel does not list children, or a body has closed a descriptor of ours: then no process is used twice.
    return false
  }
}

/**
 * Opens the kernel's lists of child processes once: reading an open one again takes a third of the time of opening it.
 */
function openFamily(): Family {
  const { pid, ppid } = process
  const adopts = /^(sluice-reaper|bwrap)$/.test(readFileSync(`/proc/${ppid}/comm`, 'utf8').trim())
  const childrenOf = (parent: number) => openSync(`/proc/${parent}/task/${parent}/children`, 'r')
  return { own: childrenOf(pid), ...(adopts && { adopting: childrenOf(ppid) }) }
}

const children = Buffer.alloc(64)
const hasOnly = (file: number, expected: string) =>
  children.toString('latin1', 0, readSync(file, children, 0, children.length, 0)) === expected
