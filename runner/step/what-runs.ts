import type { StepToRun } from '../../protocol/runner-protocol.ts'
import type { WhatRuns } from '../bodies/bodies.ts'
import type { StepContents } from '../supervisor/executor-protocol.ts'
import { type StepHost, stepEnvironment, stepFolderName } from './step-environment.ts'
import { places } from './step-folder.ts'

/** One of a step's bodies, ready to be run (pure). */
export function whatRuns(step: StepToRun, index: number, around: StepHost): WhatRuns {
  const body = step.bodies[index]!
  const { folder } = step
  const own = stepFolderName(step)
  const context = isLight(step, around) ? JSON.stringify(step.context) : undefined
  if ('run' in body) {
    const { work, baseEnvironment } = around
    const before = step.bodies.slice(0, index).filter(each => 'run' in each).length
    const argv = [...body.interpreter, places.script(work, own, before)]
    const env = { ...baseEnvironment, ...stepEnvironment(step, body.env, around) }
    const prepare = context !== undefined && { prepare: { step: own, context, script: body.run, folder } }
    return { program: { argv, cwd: places.copy(work, folder), env, ...prepare } }
  }
  const action = body.lists ? null : body.action
  const env = stepEnvironment(step, {}, around)
  return { module: { action, file: body.module, folder, step: own, ...(context !== undefined && { context }), env } }
}

/**
 * Whether what its body runs in lays out the step's folder as well, and looks at what was left there: another process to
 * ask would cost as much as all the rest. Without a keeper a script has nothing around it that could; and what goes to a
 * keeper holds no NUL.
 */
export function isLight(
  { bodies: [body, ...more], files }: StepToRun,
  { hasSubreaper }: Pick<StepHost, 'hasSubreaper'>,
): boolean {
  if (body === undefined || more.length > 0 || files.length > 0) return false
  return 'module' in body || (hasSubreaper && !body.run.includes('\0'))
}

/** Files prepared for a step that is not a light one. */
export const contentsOf = ({ bodies, context, files }: StepToRun): StepContents => ({
  context: JSON.stringify(context),
  scripts: bodies.flatMap(each => ('run' in each ? [each.run] : [])),
  files,
})
