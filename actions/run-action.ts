import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fillIn } from '../json/fill-in.ts'
import { ask } from './service.ts'
import type { Step, StepPlaces } from './step.ts'

/** Body as the service stores it; values of `env` and the interpreter may contain `{{path}}`. */
type Body =
  | { readonly action: string; readonly module: string }
  | {
      readonly action: string
      readonly run: string
      readonly interpreter: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }

/**
 * Runs the bodies of another action of the same commit within a step, its prerequisites first. It has the environment
 * of the step; a body that fails throws, and the following ones do not run.
 */
export async function runAction(places: StepPlaces, step: Step, action: string, signal: AbortSignal): Promise<void> {
  const path = `/api/steps/${places.stepId}/bodies`
  const { data } = (await ask(places.service, path, { query: { action } }, json, signal)) as {
    data: { attributes: { bodies: Body[] } }
  }
  for (const body of data.attributes.bodies) {
    signal.throwIfAborted()
    if ('module' in body) await places.runDeclared(body.module, body.action, step)
    else await runScript(step, body)
  }
}

async function runScript(step: Step, { action, run, interpreter, env }: Extract<Body, { run: string }>): Promise<void> {
  const unknown: string[] = []
  const filled = (text: string, where: string) => {
    const { text: made, unknown: missing } = fillIn(text, `${action}: ${where}`, step.properties as never)
    unknown.push(...missing.map(({ name, where: at }) => `${at} asks for {{ ${name} }}`))
    return made
  }
  const [program, ...args] = interpreter.map(part => filled(part, 'shell'))
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, `env.${name}`)]))
  if (unknown.length > 0) throw new Error(`${unknown.join('; ')}, and there is no such converged property.`)
  const folder = await mkdtemp(join(tmpdir(), 'script-'))
  try {
    const file = join(folder, 'script')
    await writeFile(file, run, { mode: 0o700 })
    await step.exec(program!, [...args, file], { env: given })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
