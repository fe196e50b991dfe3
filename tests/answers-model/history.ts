import { isDeepStrictEqual } from 'node:util'
import type { Chance } from '../audit-trail/chance.ts'
import type { Answer, Client } from '../support/api.ts'
import { createBookmark, deleteBookmark, listBookmarks, patchBookmark, showBookmark } from './bookmarks.ts'
import { explainProperty, showProperties, showSettings } from './converged.ts'
import { listVersions, patchProperties, patchSettings, restoreVersion, showDocument } from './documents.ts'
import { Etags } from './etags.ts'
import { createNode, createProject } from './new-nodes.ts'
import { listNodes, showNode } from './node-views.ts'
import { deleteNode, patchNode } from './nodes.ts'
import { createPolicy, deletePolicy, ownPolicies, patchPolicy, showPolicy } from './policies.ts'
import type { Body, Drawing, Predicted, Question } from './predicted.ts'
import * as rules from './rules.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'
import * as uses from './uses.ts'
import type { Token, World } from './world.ts'

type Draw = (drawing: Drawing) => Question

const of = {
  bookmark: ({ bookmarks }: World) => bookmarks,
  schedule: ({ schedules }: World) => schedules,
  change: ({ changes }: World) => changes,
  rule: ({ rights }: World) => rights.rules,
  token: ({ tokens }: World) => tokens,
}

/** Requests with their weights and their candidates: a request without candidates is not drawn. */
const questions: readonly (readonly [shares: number, draw: Draw, among?: (world: World) => readonly unknown[]])[] = [
  [1, createProject],
  [12, createNode],
  [10, patchNode],
  [3, deleteNode],
  [12, showNode],
  [10, listNodes],
  [4, createBookmark],
  [3, patchBookmark, of.bookmark],
  [2, deleteBookmark, of.bookmark],
  [2, showBookmark, of.bookmark],
  [4, listBookmarks],
  [4, patchSettings],
  [5, patchProperties],
  [3, restoreVersion],
  [3, showDocument],
  [2, listVersions],
  [2, showProperties],
  [1, showSettings],
  [2, explainProperty],
  [2, createToken],
  [2, revokeToken, of.token],
  [1, listTokens],
  [3, uses.createSchedule, uses.assets],
  [2, uses.patchSchedule, of.schedule],
  [2, uses.deleteSchedule, of.schedule],
  [2, uses.listSchedules, uses.assets],
  [4, uses.createChange, uses.assets],
  [3, uses.cancelChange, of.change],
  [2, uses.showChange, of.change],
  [2, uses.listChanges, uses.assets],
  [2, createPolicy],
  [1, patchPolicy, ownPolicies],
  [1, deletePolicy, ownPolicies],
  [2, showPolicy, ownPolicies],
  [3, rules.createRule],
  [4, rules.patchRule, of.rule],
  [1, rules.deleteRule, of.rule],
  [2, rules.showRule, of.rule],
  [4, rules.tieRule, world => (ownPolicies(world).length > 0 ? world.rights.rules : [])],
  [1, rules.untieRule, rules.namedTies],
  [4, rules.assignPolicy, ownPolicies],
  [2, rules.unassignPolicy, rules.ofOthers],
  [4, rules.listRights],
  [1, rules.listTies],
  [4, rules.checkRight],
]

const shares = questions.flatMap(question => Array.from({ length: question[0] }, () => question))

function anyQuestion(drawing: Drawing): Question {
  const [, draw, among] = drawing.chance.of(shares)
  return among?.(drawing.world).length === 0 ? anyQuestion(drawing) : draw(drawing)
}

export interface Players {
  readonly world: World
  readonly chance: Chance
  readonly clients: Readonly<Record<string, Client>>
  readonly bearer: (token: string) => Client
  /** Callers; a name that occurs more often is drawn more often. */
  readonly askers: readonly string[]
}

/** Sends requests one after the other, and returns the responses that differ from the prediction. */
export async function play({ world, chance, clients, bearer, askers }: Players, requests: number) {
  const wrong: string[] = []
  const statuses = new Map<number, number>()
  const etags = new Etags(chance)
  for (let asked = 0; asked < requests && wrong.length < 20; asked++) {
    const by = chance.of(askers)
    const drawn = anyQuestion({ world, chance, by })
    const token = drawn.path.startsWith('/tokens') ? undefined : anyToken({ world, chance, by })
    const question = by === 'stranger' || token?.isRevoked ? { ...drawn, predicted: unauthenticated } : drawn
    const client = token ? bearer(token.secret) : clients[by]!
    const answer = await ask(client, question, await etags.matching(client, question))
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    // The effect has happened, even if it should not have.
    if (answer.status < 300 && question.predicted.effect) question.predicted.effect(answer.body)
    const all = [...differences(question, answer), ...(await etags.wrong(client, question, answer))]
    wrong.push(...all.map(each => `${asked}. ${inWords(question)}: ${each}`))
  }
  return { wrong, statuses: Object.fromEntries(statuses) }
}

const unauthenticated: Predicted = { status: 401, causes: [{ code: 'unauthenticated' }] }

/** Sometimes a caller uses a token instead of their password. */
function anyToken({ world, chance, by }: Drawing): Token | undefined {
  const own = world.tokens.filter(({ owner }) => owner === by)
  return own.length > 0 && chance.is(0.2) ? chance.of(own) : undefined
}

const ask = (
  client: Client,
  { method, path, attributes }: Question,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> => client.send(method, `/api${path}`, { ...(attributes && { attributes }), headers })

function differences({ predicted }: Question, { status, body, text }: Answer): string[] {
  if (status !== predicted.status)
    return [`${status}, predicted ${predicted.status} ${causesOf(predicted)}; ${text.slice(0, 400)}`]
  if (predicted.causes) {
    const others = refusedOtherwise(predicted, body.errors)
    if (others.length > 0) return others
  }
  return pairsOf(predicted, body)
    .filter(([said, should]) => !isDeepStrictEqual(said, should))
    .map(([said, should]) => apart(said, should))
}

const pairsOf = ({ causes, shows }: Predicted, body: Body) =>
  causes ? causes.flatMap(({ meta }) => meta?.(body.errors[0].meta) ?? []) : (shows?.(body) ?? [])

/** The members in which two objects differ. */
function apart(said: unknown, should: unknown): string {
  const both = [said, should]
  if (both.some(each => typeof each !== 'object' || each === null || Array.isArray(each)))
    return `${JSON.stringify(said)}, predicted ${JSON.stringify(should)}`
  const [one, other] = both as Record<string, unknown>[]
  return [...new Set(both.flatMap(each => Object.keys(each as object)))]
    .filter(name => !isDeepStrictEqual(one![name], other![name]))
    .map(name => `${name}: ${apart(one![name], other![name])}`)
    .join('; ')
}

interface Fault {
  readonly code: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

const causesOf = ({ causes = [] }: Predicted) => causes.map(({ code, at }) => (at ? `${code} ${at}` : code)).join(', ')

/** All faults of a request are reported at once; of conflicts, at least one. */
function refusedOtherwise(predicted: Predicted, errors: readonly Fault[]): string[] {
  const causes = predicted.causes!
  const told = errors.map(({ code, source = {} }) => {
    const at = source.pointer ?? source.parameter ?? source.header
    const names = causes.some(cause => cause.code === code && cause.at !== undefined)
    return names ? `${code} ${at}` : code
  })
  const asked = [...new Set(told)]
  const should = causes.map(({ code, at }) => (at ? `${code} ${at}` : code))
  const isSame =
    predicted.status === 409
      ? told.every(each => should.includes(each))
      : isDeepStrictEqual(asked.toSorted(), should.toSorted())
  return isSame ? [] : [`${told.join(', ')}, predicted ${should.join(', ')}`]
}

const inWords = ({ by, method, path, attributes, headers }: Question) =>
  [by, method, path, attributes && JSON.stringify(attributes), headers && JSON.stringify(headers)]
    .filter(Boolean)
    .join(' ')
