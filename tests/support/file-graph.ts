import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Files of the project by path, each with the files and folders that it refers to: imports, and paths in its strings.
 */
export type FileGraph = ReadonlyMap<string, ReadonlySet<string>>

const program = /\.(ts|mjs|cjs|js)$/
/** Text in quotes, as in imports and paths; for a glob the part before its first `*`. */
const quoted = /(['"`])([^'"`\n\\*]{2,200})(?:\1|\*)/g
/** Prefix of paths in imports, and the folder or file that it means: `#json/` for `json/`. */
type Aliases = readonly (readonly [prefix: string, folder: string])[]

/**
 * Finds the project files that each program refers to. A string counts when it is the path of a file or folder,
 * relative to the program's own folder or to the project's: programs are started and documents read by such paths, not
 * by imports.
 *
 * @param files paths from the project's folder
 */
export function fileGraph(projectFolder: string, files: readonly string[]): FileGraph {
  const known = new Set(files)
  const aliases = aliasesOf(projectFolder)
  for (const file of files)
    for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) known.add(folder)
  return new Map(
    files
      .filter(file => program.test(file))
      .map(file => [file, namedIn(file, readFileSync(join(projectFolder, file), 'utf8'), { known, aliases })]),
  )
}

function aliasesOf(projectFolder: string): Aliases {
  const { imports = {} } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    imports?: Readonly<Record<string, string>>
  }
  const folders = Object.entries(imports).map(([name, to]) => [name.replace('*', ''), normalize(to.replace('*', ''))])
  return [...(folders as [string, string][]), ['@sluice/actions', 'actions/index.ts']]
}

interface Project {
  readonly known: ReadonlySet<string>
  readonly aliases: Aliases
}

function namedIn(file: string, text: string, project: Project): ReadonlySet<string> {
  const named = new Set<string>()
  for (const [, , path = ''] of text.matchAll(quoted)) {
    if (!path.includes('/') || !/\w/.test(path)) continue
    for (const candidate of candidates(file, path, project))
      if (project.known.has(candidate) && candidate !== file) named.add(candidate)
  }
  return named
}

function candidates(file: string, path: string, { aliases }: Project): string[] {
  const alias = aliases.find(([prefix]) => path.startsWith(prefix))
  if (alias) return [alias[1] + path.slice(alias[0].length)]
  const plain = path.replace(/\/+$/, '')
  return [normalize(join(dirname(file), plain)), normalize(plain)]
}

/** Each file from which one of `targets` is reached, with the number of steps to the nearest of them. */
export function filesReaching(graph: FileGraph, targets: Iterable<string>): ReadonlyMap<string, number> {
  const namedBy = new Map<string, string[]>()
  for (const [file, named] of graph)
    for (const other of named) namedBy.set(other, [...(namedBy.get(other) ?? []), file])
  const steps = new Map<string, number>()
  let front = [...targets]
  for (let distance = 0; front.length > 0; distance += 1) {
    const reached = new Set(front.filter(file => !steps.has(file)))
    for (const file of reached) steps.set(file, distance)
    front = [...reached].flatMap(file => [...withFolders(file)].flatMap(each => namedBy.get(each) ?? []))
  }
  return steps
}

/** A file that refers to a folder depends on each file in it. */
function* withFolders(file: string): Generator<string> {
  yield file
  for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) yield folder
}
