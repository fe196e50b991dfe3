/** Attributes of a node that determine which of a commit's property files apply to it. */
export interface FileScope {
  /** The node's path: `/projects/bank/environments/live/assets/web`. */
  readonly path: string
  /** Code of the node's template; null for projects and environments. */
  readonly templateCode: string | null
  /** Setting `repo_folder`. */
  readonly repoFolder: string
}

const propertyFile = /(?:^|\/)[^./][^/]*\.(?:json|yaml|yml|toml)$/i

/**
 * The folders whose files are layers of a node, least specific first. Only files directly in them count. In the
 * template's own folder only the file `defaults` counts.
 */
export function propertyFolders({ path, templateCode, repoFolder }: FileScope): string[] {
  const root = `${repoFolder}/properties`
  const [, , project, ...below] = path.split('/')
  const environment = below[0] === 'environments' ? below[1] : undefined
  const leaf = below.slice(environment === undefined ? 0 : 2)
  const ofProject = `${root}/projects/${project}`
  const ofEnvironment = environment === undefined ? undefined : `${ofProject}/environments/${environment}`
  const [collection, code] = leaf
  const ofParent = `${ofEnvironment ?? ofProject}/${collection}`
  return [
    root,
    `${root}/projects`,
    ofProject,
    ...(environment === undefined ? [] : [`${ofProject}/environments`, ofEnvironment!]),
    ...(templateCode === null ? [] : [`${root}/templates/${templateCode}`]),
    ...(collection === undefined ? [] : [ofParent, `${ofParent}/${code}`]),
  ]
}

/** Files of a commit that are layers of the node, in the order in which they merge; bytewise within a folder. */
export function repositoryLayers(files: readonly string[], scope: FileScope): string[] {
  const folders = propertyFolders(scope)
  const byName = files
    .filter(file => propertyFile.test(file))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const defaults = byName.filter(file => scope.templateCode !== null && isDefaultsOf(scope.templateCode, file))
  const inFolder = Map.groupBy(byName, file => file.slice(0, file.lastIndexOf('/')))
  return [...defaults, ...folders.flatMap(folder => inFolder.get(folder) ?? [])]
}

const isDefaultsOf = (templateCode: string, file: string): boolean =>
  file.startsWith(`${templateCode}/`) && /^defaults\.(?:json|yaml|yml|toml)$/i.test(file.slice(templateCode.length + 1))
