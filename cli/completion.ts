import type { Command } from 'commander'
import { noRetries } from '../client/sluice.ts'
import { pathCandidates } from './complete-paths.ts'
import { formats } from './output.ts'
import { apiPath } from './place.ts'
import { kindNamed, plural, type RecordKind, recordKinds, verbOf } from './record-kinds.ts'
import { session } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Completion scripts, which call `sluice complete` for the candidates at the cursor. */
const scripts: Record<string, string> = {
  bash: `_sluice() {
  local IFS=$'\\n'
  COMPREPLY=($(sluice complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  # No space after a path or an attribute that can be continued.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace; fi
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local -a found
  found=("\${(@f)$(sluice complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  # No space after a path or an attribute that can be continued.
  compadd -S '' -- \${(M)found:#*[/=]}
  compadd -- \${found:#*[/=]}
}
compdef _sluice sluice
`,
}

export function completionScript(shell: string): string {
  const script = scripts[shell]
  if (!script)
    throw new WrongUsage(`Completion is available for ${Object.keys(scripts).join(' and ')}, not for "${shell}".`)
  return script
}

/** Client without retries, so that completion does not block while the service is down. */
const clientWithoutRetries = () => session(undefined, noRetries)

/** The command line up to the cursor. */
interface Typed {
  readonly command: Command
  /** Arguments before the cursor. */
  readonly before: readonly string[]
  readonly current: string
}

/** Completions of the last word, one per line. */
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

/** Record type that the command line is about. */
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
      return pathCandidates(clientWithoutRetries(), current, () => true)
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
  // Lists are addressed by their parent; their last segment is optional.
  const meant = verb === 'list' || verb === 'create' ? wholes.map(path => path.slice(0, path.lastIndexOf('/'))) : wholes
  return pathCandidates(clientWithoutRetries(), current, template => meant.includes(template))
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

/** Completes paths of nodes. */
const nodePaths = (current: string): Promise<string[]> =>
  pathCandidates(
    clientWithoutRetries(),
    current,
    template => /^\/api\/projects/.test(template) && /_code\}$/.test(template),
  )

/** Actions of an asset. Those of a project or environment depend on a revision that is not known yet. */
async function actionsOf(node: string): Promise<string[]> {
  const { attributes } = await clientWithoutRetries().show<{ actions?: readonly { action: string }[] }>(apiPath(node))
  return (attributes.actions ?? []).map(({ action }) => action)
}

/** Ids of steps that wait for a user. */
async function waitingSteps(): Promise<string[]> {
  const steps = await clientWithoutRetries().list('/api/steps', { 'filter[waiting_for_user]': 'true', limit: 50 })
  return steps.map(({ id }) => id)
}

async function recentChanges(): Promise<string[]> {
  const changes = await clientWithoutRetries().list('/api/changes', { limit: 50 })
  return changes.map(({ id }) => id)
}
