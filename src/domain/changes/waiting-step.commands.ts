import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Outcome,
  type Refused,
  refused,
  type Target,
} from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type Failure, failure, missing } from '#platform/failure.ts'
import {
  approvableOf,
  approvalBy,
  approveStep,
  continueStep,
  type DecidedStep,
  type DecisionVerdict,
  findDecidedStep,
  type LockedStep,
  lockStep,
  refusals,
  rejectionBy,
  rejectStep,
} from '../steps/for-changes.ts'
import type { AdvanceParts } from '../steps/index.ts'
import { findChange } from './change.store.ts'
import { actionPath } from './change.ts'
import type { ChangeParts } from './parts.port.ts'
import { putArguments } from './put-arguments.tx.ts'
import { deciderOf } from './step-can.resource.ts'

/** Kind of activity whose steps the commands decide on. */
export interface DecisionSubject {
  readonly kind: DecidedStep['activity_kind']
  readonly type: 'step' | 'workflow_step'
  readonly collection: 'steps' | 'workflow_steps'
  /** Path on which the right to continue a step is checked. */
  readonly executePath: (tx: Tx, step: DecidedStep) => Promise<string | undefined>
  /** Stores the values for an input step; absent if the kind has none. Returns the names of the given arguments. */
  readonly putArguments?: (context: Context, step: DecidedStep, given: JsonObject) => Promise<readonly string[]>
}

/** Commands that decide on waiting steps of changes. */
export const waitingStepCommands = (
  parts: Pick<ChangeParts, 'keyring' | 'vaults'>,
  engine: AdvanceParts,
): AnyCommand[] =>
  decisionCommands(
    {
      kind: 'change',
      type: 'step',
      collection: 'steps',
      executePath: async (tx, step) => {
        const change = await findChange(tx, step.activity_id)
        return change && actionPath(step.path, change.action)
      },
      putArguments: ({ tx, actor }, step, given) => putArguments(parts, tx, step, given, actor),
    },
    engine,
  )

/** Commands that decide on waiting steps. */
export const decisionCommands = (subject: DecisionSubject, engine: AdvanceParts): AnyCommand[] => [
  approvalCommand(subject, {
    name: 'approve',
    summary: 'Approve a step that waits for approval; the last approval required by its rules continues it',
    judge: (step, actor) => approvalBy(deciderOf(actor), approvableOf(step)),
    run: async ({ tx, actor }, held, { message, rules }) => {
      const planSha = (await findChange(tx, held.activity.id))?.plan_sha ?? null
      const { goesOn } = await approveStep(engine, tx, held, actor, { message, rules, planSha })
      return { goes_on: goesOn }
    },
  }),
  approvalCommand(subject, {
    name: 'reject',
    summary: 'Reject a step that waits for approval: steps running in parallel finish, all others are aborted',
    judge: (step, actor) => rejectionBy(deciderOf(actor), approvableOf(step)),
    run: async ({ tx, actor }, held, { message }) => {
      await rejectStep(engine, tx, held, actor, { message })
      return {}
    },
  }),
  continueCommand(subject, engine),
]

interface DecisionAttributes {
  readonly message?: string
}

const inputArguments = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Values for the arguments of an input step, by name.',
    },
  ),
)

type OnStep = Target & { readonly step: DecidedStep }

const message = Type.Optional(Type.String({ maxLength: 4_096, description: 'Reason, for the record.' }))

const find =
  ({ kind }: DecisionSubject) =>
  async ({ tx }: Context, { params }: { params: Readonly<Record<string, string>> }) => {
    const step = await findDecidedStep(tx, params['id']!)
    if (step?.activity_kind !== kind) return undefined
    return { step, readPath: step.path, rowVersion: step.row_version }
  }

/** Attributes of the event: the step, its node and its change or run. */
const about = ({ type }: DecisionSubject, step: DecidedStep) => ({
  source: { type, id: step.id },
  node: { id: step.node_id, path: step.path, projectId: step.project_id },
  activityId: step.activity_id,
})

interface ByApprovers {
  readonly name: 'approve' | 'reject'
  readonly summary: string
  readonly judge: (step: DecidedStep, actor: Actor) => DecisionVerdict
  /** Returns further attributes of the event. */
  readonly run: (
    context: Context,
    held: LockedStep,
    said: DecisionAttributes & { readonly rules: readonly number[] },
  ) => Promise<Record<string, unknown>>
}

/**
 * Command for approvers. The step's rules decide who is one, not rights; an attempt by any other user is recorded, even
 * if the response is that there is no such step.
 */
function approvalCommand(subject: DecisionSubject, { name, summary, judge, run }: ByApprovers): AnyCommand {
  const { collection, type } = subject
  const deniedTo = (actor: Actor, step: DecidedStep): Refused | undefined => {
    if (!step.needs_approval || step.status !== 'waiting') return undefined
    const mayRead = actor.rights.may('read', step.path)
    const verdict = judge(step, actor)
    if (mayRead && 'counts' in verdict) return undefined
    const reason = 'refused' in verdict ? verdict.refused : 'not_readable'
    const why = mayRead && 'refused' in verdict ? failure('forbidden', refusals[verdict.refused]) : missing()
    return refused(why, [denial(step, actor, reason)])
  }
  const denial = (step: DecidedStep, actor: Actor, reason: string) => ({
    type: `audit:${collection}:${name}:denied`,
    actor,
    ...about(subject, step),
    attributes: { name: step.full_path, reason },
  })
  return command<DecisionAttributes, OnStep>({
    name: `${collection}.${name}`,
    summary,
    method: 'POST',
    paths: [`/api/${collection}/:id/${name}`],
    status: 200,
    event: `audit:${collection}:${name}`,
    eventBody: ['message'],
    attributes: Type.Object({ message }, { additionalProperties: false }),
    answers: type,
    find: find(subject),
    denied: ({ actor }, { step }) => deniedTo(actor, step),
    needs: () => [],
    refuse: ({ step }) => notWaiting(step, true),
    run: async (context, { step }, { attributes }): Promise<Outcome> => {
      const held = await lockStep(context.tx, step)
      if (!held) throw missing()
      context.requireMatch(held.step.row_version)
      // It may have been decided between the read and the lock.
      const late = notWaiting(held.step, true)
      if (late) throw late
      const verdict = judge(held.step, context.actor)
      if ('refused' in verdict) return deniedTo(context.actor, held.step)!
      const told = await run(context, held, { ...attributes, rules: verdict.counts })
      return done({ id: step.id, event: { ...about(subject, step), attributes: { name: step.full_path, ...told } } })
    },
  })
}

function continueCommand(subject: DecisionSubject, engine: AdvanceParts): AnyCommand {
  const { collection, type, executePath, putArguments: put } = subject
  const takes = put ? { message, input_arguments: inputArguments } : { message }
  return command<DecisionAttributes & { readonly input_arguments?: JsonObject }, OnStep & { readonly execute: string }>(
    {
      name: `${collection}.continue`,
      summary: put
        ? 'Continue a waiting step that needs no approval, with values for its input arguments'
        : 'Continue a waiting step that needs no approval',
      method: 'POST',
      paths: [`/api/${collection}/:id/continue`],
      status: 200,
      event: `audit:${collection}:continue`,
      eventBody: ['message'],
      attributes: Type.Object(takes, { additionalProperties: false }),
      answers: type,
      find: async (context, request) => {
        const found = await find(subject)(context, request)
        const execute = found && (await executePath(context.tx, found.step))
        return found && execute !== undefined ? { ...found, execute } : undefined
      },
      needs: ({ execute }) => [{ right: 'execute', path: execute }],
      refuse: ({ step }) => notWaiting(step, false),
      run: async (context, { step }, { attributes }) => {
        const { tx, actor } = context
        const held = await lockStep(tx, step)
        if (!held) throw missing()
        context.requireMatch(held.step.row_version)
        const late = notWaiting(held.step, false)
        if (late) throw late
        const names = put ? await put(context, held.step, attributes.input_arguments ?? {}) : []
        await continueStep(engine, tx, held, actor)
        const told = { name: step.full_path, ...(names.length > 0 && { input_arguments: names }) }
        return done({ id: step.id, event: { ...about(subject, step), attributes: told } })
      },
    },
  )
}

/** 409 for a step that does not wait, or waits for the other kind of decision. */
function notWaiting({ status, needs_approval }: DecidedStep, forApproval: boolean): Failure | undefined {
  if (status !== 'waiting') return failure('wrong-state', `The step does not wait: it is ${status}.`)
  if (needs_approval === forApproval) return undefined
  return failure(
    'wrong-state',
    needs_approval
      ? 'The step waits for approval: it is approved or rejected.'
      : 'This step needs no approval: it waits to be continued.',
  )
}
