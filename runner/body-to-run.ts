import type { StepToRun } from '../src/platform/runner-protocol.ts'
import type { BodyToRun } from './executor-protocol.ts'
import { type Around, stepEnvironment, stepFolderName } from './step-environment.ts'
import { places } from './step-folder.ts'

/** One of a step's bodies as the executor gets it, with the first what is laid out for all of them (pure). */
export function bodyToRun(step: StepToRun, index: number, channel: number, around: Around): BodyToRun {
  const { bodies, context, files, folder } = step
  const scripts = bodies.flatMap(each => ('run' in each ? [each.run] : []))
  return {
    channel,
    place: { step: stepFolderName(step), folder },
    ...(index === 0 && { lay: { context: JSON.stringify(context), scripts, files } }),
    run: whatRuns(step, index, around),
    last: index === bodies.length - 1,
  }
}

function whatRuns(step: StepToRun, index: number, around: Around): BodyToRun['run'] {
  const { work } = around
  const body = step.bodies[index]!
  const cwd = places.copy(work, step.folder)
  if ('run' in body) {
    const before = step.bodies.slice(0, index).filter(each => 'run' in each).length
    const argv = [...body.interpreter, places.script(work, stepFolderName(step), before)]
    return { program: { argv, cwd, env: stepEnvironment(step, body.env, around) } }
  }
  const action = body.lists ? null : body.action
  const env = stepEnvironment(step, {}, around)
  return { module: { action, file: body.module, copy: places.copy(work, ''), cwd, env } }
}
