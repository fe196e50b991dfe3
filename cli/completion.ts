import type { Command } from 'commander'
import { noPatience } from '../client/sluice.ts'
import { pathCandidates } from './complete-paths.ts'
import { formats } from './output.ts'
import { apiPath } from './place.ts'
import { kindNamed, plural, type RecordKind, recordKinds, verbOf } from './record-kinds.ts'
import { session } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Both ask `sluice complete` what may stand where the cursor is. */
const scripts: Record<string, string> = {
  bash: `_sluice() {
  local IFS=$'\\n'
  COMPREPLY=($(sluice complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  # A path or an attribute goes on: no space after it.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace; fi
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local -a found
  found=("\${(@f)$(sluice complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  # A path or an attribute goes on: no space after it.
  compadd -S '' -- \${(M)found:#*[/=]}
  compadd -- \${found:#*[/=]}
}
compdef _sluice sluice
`,
}

export function completionScript(shell: string): string {
  const script = scripts[shell]
  if (!script)
    throw new WrongUsage(`There is completion for ${Object.keys(scripts).join(' and ')}, not for "${shell}".`)
  return script
}

/** Whoever types does not wait for a service that is away. */
const askedOnce = () => session(undefined, noPatience)

/** What is known of the line so far. */
interface Typed {
  readonly command: Command
  /** Its arguments before the cursor. */
  readonly before: readonly string[]
  readonly current: string
}

/** What may stand in place of the last word, a line each. */
export async function candidates(root: Command, words: readonly string[]): Promise<string> {
  const current = words.at(-1) ?? ''
  const found = await possible(root, words.slice(0, -1), current)
  return [...new Set(found)]
    .filter(each => each.startsWith(current))
    .map(each => `${each}\n`)
    .join('')
}

async function possible(root: Command, earlier: readonly string[], current: string): Promise<string[]> {
  let command = root
  const before: string[] = []
  for (let i = 0; i < earlier.length; i++) {
    const word = earlier[i]!
    const option = optionsOf(command).find(({ short, long }) => word === short || word === long)
    if (option?.required) {
      if (i === earlier.length - 1) return valuesOf(option.long ?? '', { command, before, current })
      i++
    } else if (!option) {
      const child = before.length === 0 ? childOf(command, word) : undefined
      if (child) command = child
      else before.push(word)
    }
  }
  if (current.startsWith('-')) return optionsOf(command).flatMap(({ long }) => long ?? [])
  if (command.commands.length > 0)
    return command.commands.filter(each => each.name() !== 'complete').map(each => each.name())
  return argumentsOf({ command, before, current })
}

const childOf = ({ commands }: Command, word: string) =>
  commands.find(each => each.name() === word || each.aliases().includes(word))

const optionsOf = (command: Command): Command['options'] =>
  command.parent ? [...command.options, ...optionsOf(command.parent)] : [...command.options]

async function valuesOf(option: string, typed: Typed): Promise<string[]> {
  const kind = kindOf(typed)
  switch (option) {
    case '--output':
      return [...formats]
    case '--node':
      return nodePaths(typed.current)
    case '--sort':
      return Object.keys(kind?.attributes ?? {}).flatMap(name => [name, `-${name}`])
    case '--columns':
      return Object.keys(kind?.attributes ?? {})
    case '--filter': {
      const named = Object.keys(kind?.lists[0]?.named ?? {})
      const scalars = Object.entries(kind?.attributes ?? {}).filter(
        ([, { kind: sort }]) => !/list|object|any/.test(sort),
      )
      return [...named, ...scalars.map(([name]) => `${name}_eq=`)]
    }
    default:
      return []
  }
}

/** `list`, `events` and `changes list` are about one type each. */
function kindOf({ command, before }: Typed): RecordKind | undefined {
  if (command.name() === 'events') return kindNamed('event')
  if (command.parent?.name() === 'changes') return kindNamed('change')
  return before[0] ? kindNamed(before[0]) : undefined
}

async function argumentsOf(typed: Typed): Promise<string[]> {
  const { command, before, current } = typed
  const known = command.registeredArguments
  const name = (known[before.length] ?? known.at(-1))?.name()
  switch (name) {
    case 'type':
      return typesFor(command.name())
    case 'node':
      return nodePaths(current)
    case 'action':
      return actionsOf(before[0]!)
    case 'where':
    case 'words':
    case 'attributes':
      return [...(await places(typed)), ...attributeNames(typed)]
    case 'path':
      return pathCandidates(askedOnce(), current, () => true)
    case 'id':
      return command.parent?.name() === 'steps' ? waitingSteps() : recentChanges()
    case 'shell':
      return Object.keys(scripts)
    default:
      return []
  }
}

const able: Record<string, (kind: RecordKind) => boolean> = {
  list: kind => kind.lists.length > 0,
  show: kind => kind.shows.length > 0,
  create: kind => kind.creates.length > 0,
  update: kind => kind.updates.length > 0,
  delete: kind => kind.removes.some(operation => verbOf(operation) === 'delete'),
}

const typesFor = (verb: string): string[] =>
  recordKinds.filter(able[verb] ?? (() => true)).map(({ type }) => (verb === 'list' ? plural(type) : type))

async function places(typed: Typed): Promise<string[]> {
  const { command, before, current } = typed
  if (before.some(word => word.startsWith('/')) || !(current === '' || current.startsWith('/'))) return []
  const kind = kindOf(typed)
  if (!kind) return []
  const verb = command.name()
  const wholes = (verb === 'list' ? kind.lists : verb === 'create' ? kind.creates : kind.shows).map(({ path }) => path)
  // A list is named by where it lies; its own last word may be left out.
  const meant = verb === 'list' || verb === 'create' ? wholes.map(path => path.slice(0, path.lastIndexOf('/'))) : wholes
  return pathCandidates(askedOnce(), current, template => meant.includes(template))
}

function attributeNames(typed: Typed): string[] {
  const { command, before } = typed
  if (command.parent?.name() === 'changes') return ['git_remote_name=', 'git_rev=', 'template_version=', 'run_at=']
  const verb = command.name()
  const kind = verb === 'create' || verb === 'update' ? kindOf(typed) : undefined
  const operation = (verb === 'create' ? kind?.creates : kind?.updates)?.at(-1)
  return Object.keys(operation?.attributes ?? {})
    .map(name => `${name}=`)
    .filter(each => !before.some(word => word.startsWith(each)))
}

/** The path of a node consists of codes. */
const nodePaths = (current: string): Promise<string[]> =>
  pathCandidates(askedOnce(), current, template => /^\/api\/projects/.test(template) && /_code\}$/.test(template))

/** Of an asset: its own. Actions of a project or an environment depend on a revision that is not known yet. */
async function actionsOf(node: string): Promise<string[]> {
  const { attributes } = await askedOnce().show<{ actions?: readonly { action: string }[] }>(apiPath(node))
  return (attributes.actions ?? []).map(({ action }) => action)
}

/** Those that somebody has to decide on. */
async function waitingSteps(): Promise<string[]> {
  const steps = await askedOnce().list('/api/steps', { 'filter[waiting_for_user]': 'true', limit: 50 })
  return steps.map(({ id }) => id)
}

async function recentChanges(): Promise<string[]> {
  const changes = await askedOnce().list('/api/changes', { limit: 50 })
  return changes.map(({ id }) => id)
}
