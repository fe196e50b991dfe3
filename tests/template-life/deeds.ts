import assert from 'node:assert/strict'
import { timePasses, works } from './arrivals.ts'
import type { Attributes, Deed } from './history.ts'
import {
  archives,
  assigns,
  changesRemote,
  changesTemplate,
  destroys,
  dropsTemplate,
  makes,
  makesTemplate,
  moves,
} from './nodes.ts'
import { branches, commits, dropRef, refAt, revisions, setRef } from './repository.ts'
import { openTasks, type State, type Verdict } from './state.ts'
import { admits, asksForActions, cancelsTask, runnerEnds } from './tasks.ts'
import { cancels, drops, puts } from './versions.ts'
import type { Project } from './world.ts'

/** State on both sides: the service's project, and the specification's model of it. */
export interface Sides {
  readonly project: Project
  readonly state: State
}

type Doing = { [W in Deed['what']]: (sides: Sides, deed: Deed & { what: W }) => Promise<string | undefined> }

/** Does it on both sides. Returns its description, or undefined if there is no target. */
export function does(sides: Sides, deed: Deed): Promise<string | undefined> {
  const one = doing[deed.what] as (sides: Sides, deed: Deed) => Promise<string | undefined>
  return one(sides, deed)
}

const doing: Doing = {
  commits: async ({ state, project }, deed) => {
    if (state.away) return undefined
    const branch = picked(branches, deed.branch)
    const { number, content } = commits(state, project.repository, { ...deed, branch })
    return `commit ${number} on ${branch}: ${content}${deed.rewrites ? ', in place of all before' : ''}`
  },
  'sets ref': async ({ state, project }, deed) => {
    if (state.away) return undefined
    const [ref, commit] = [refAt(deed.ref), picked(state.commits, deed.commit)]
    setRef(state, project.repository, ref, commit)
    return `${ref} is set to commit ${commit.number}`
  },
  'drops ref': async ({ state, project }, deed) => {
    const ref = refAt(deed.ref)
    if (state.away || !state.refs.has(ref) || state.refs.size === 1) return undefined
    dropRef(state, project.repository, ref)
    return `${ref} is deleted`
  },
  'goes away or comes back': async ({ state, project }) => {
    state.away = !state.away
    await project.isAway(state.away)
    return state.away ? 'the remote goes away' : 'the remote is back'
  },
  puts: async ({ state, project }, { version, attributes, fetches, ignores }) => {
    const label = labelOf(state, version)
    const { rev: drawn, ...others } = attributes
    const wish = { ...others, ...(drawn && { rev: revisionOf(state, drawn) }), fetches, ignores }
    return answered(`${label}: ${JSON.stringify(wish)}`, project.puts(label, wish), puts(state, label, wish))
  },
  'drops version': async ({ state, project }, { version }) => {
    const label = labelOf(state, version)
    return answered(`${label} is deleted`, project.drops(label), drops(state, label))
  },
  'cancels refresh': async ({ state, project }, { version }) => {
    const label = labelOf(state, version)
    return answered(`the refresh of ${label} is cancelled`, project.cancels(label), cancels(state, label))
  },
  assigns: async ({ state, project }, { version, assets }) => {
    const label = labelOf(state, version)
    const named = [...new Set(assets.map(which => codeOf(state, which)))]
    return answered(`${named} are given ${label}`, project.assigns(label, named), assigns(state, label, named))
  },
  'changes template': async ({ state, project }, { template, to }) => {
    const code = picked(templates, template)
    const asked = { [to]: !state.templates.get(code)?.[to] }
    const verdict = changesTemplate(state, code, to)
    return answered(`template ${code}: ${JSON.stringify(asked)}`, project.changesTemplate(code, asked), verdict)
  },
  'makes or drops template': async ({ state, project }, { template }) => {
    const code = picked(templates, template)
    return state.templates.has(code)
      ? answered(`template ${code} is deleted`, project.dropsTemplate(code), dropsTemplate(state, code))
      : answered(`template ${code} is made`, project.makesTemplate(code), makesTemplate(state, code))
  },
  'changes remote': async ({ state, project }) => {
    const verdict = changesRemote(state)
    const { archived } = state.remote
    return answered(`remote: ${JSON.stringify({ archived })}`, project.changesRemote({ archived }), verdict)
  },
  'drops remote': async ({ state, project }) =>
    state.templates.size > 0 ? answered('the remote is deleted', project.dropsRemote(), 409) : undefined,
  makes: async ({ state, project }, { asset, version }) => {
    const [code, label] = [picked(codes, asset), labelOf(state, version)]
    return answered(`${code} is made of ${label}`, project.makes(code, label), makes(state, code, label))
  },
  moves: async ({ state, project }, { asset, version }) => {
    const [code, name] = [codeOf(state, asset), labelOf(state, version).split(' ')[1]!]
    return answered(`${code} moves to ${name}`, project.moves(code, name), moves(state, code, name))
  },
  archives: async ({ state, project }, { asset }) => {
    const code = codeOf(state, asset)
    const archived = !state.assets.get(code)?.archived
    const done = `${code} is ${archived ? 'archived' : 'restored'}`
    return answered(done, project.archives(code, archived), archives(state, code))
  },
  destroys: async ({ state, project }, { asset }) => {
    const code = codeOf(state, asset)
    // Rows of running tasks remain until they have ended.
    if (openTasks(state, code).some(({ status }) => status === 'running')) return undefined
    return answered(`${code} is destroyed`, project.destroys(code), destroys(state, code))
  },
  'asks for actions': async ({ state, project }, { asset }) => {
    const code = codeOf(state, asset)
    return answered(`actions of ${code} are asked for`, project.asksForActions(code), asksForActions(state, code))
  },
  'cancels task': async ({ state, project }, { task: which }) => {
    const index = taskAt(state, which, ({ about }) => state.assets.has(about))
    if (index === undefined) return undefined
    const task = state.tasks[index]!
    const { id } = (await project.tasks())[index]!
    const done = `task ${index + 1} of ${task.about} is cancelled`
    return answered(done, project.cancelsTask(task.about, id), cancelsTask(state, task))
  },
  works: async ({ state, project }) => {
    await project.works()
    works(state)
    return 'jobs are worked'
  },
  admits: async ({ state, project }) => {
    await project.admits()
    admits(state)
    return 'tasks are admitted'
  },
  'switches maintenance': async ({ state, project }) => {
    state.maintenance = !state.maintenance
    await project.maintenance(state.maintenance)
    return `maintenance: ${state.maintenance}`
  },
  'runner ends': async ({ state, project }, { task: which, well }) => {
    const index = taskAt(state, which, ({ status }) => status === 'running')
    if (index === undefined) return undefined
    const task = state.tasks[index]!
    // A cancelled one has stopped, or had ended before it received the cancel.
    const outcome = task.cancelled ? (well ? 'cancelled' : 'success') : well ? 'success' : 'error'
    await project.runnerEnds((await project.tasks())[index]!, outcome, task.commit!)
    runnerEnds(state, task, outcome)
    return `the runner of task ${index + 1} of ${task.about} ends: ${outcome}`
  },
  'time passes': async ({ state, project }) => {
    await project.timePasses()
    timePasses(state)
    return 'a day passes'
  },
}

const labels = ['web 1', 'web 2', 'web 3', 'job 1'] as const
export const templates = ['web', 'job'] as const
const codes = ['a', 'b', 'c'] as const
const picked = <T>(among: readonly T[], which: number): T => among[which % among.length]!

/** Usually an existing one. */
const labelOf = (state: State, which: number): string =>
  picked(which < 9 ? [...state.versions.keys(), labels[1]] : labels, which)

const codeOf = (state: State, which: number): string =>
  picked(which < 9 && state.assets.size > 0 ? [...state.assets.keys()] : codes, which)

const revisionOf = (state: State, rev: NonNullable<Attributes['rev']>): string =>
  'name' in rev ? picked(revisions, rev.name) : picked(state.commits, rev.commit).sha

function taskAt(state: State, which: number, isSo: (task: State['tasks'][number]) => boolean): number | undefined {
  const those = [...state.tasks.keys()].filter(index => isSo(state.tasks[index]!))
  return those.length === 0 ? undefined : picked(those, which)
}

async function answered(
  done: string,
  asked: Promise<{ readonly status: number; readonly text: string }>,
  verdict: Verdict,
): Promise<string> {
  const { status, text } = await asked
  assert.equal(status, verdict, `${done}\n${text}`)
  return `${done}: ${status}`
}
