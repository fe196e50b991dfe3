import { randomBytes } from 'node:crypto'
import { type Resource, type Sluice, until } from '../../client/sluice.ts'

/**
 * The example organisation as a client loads it: what is there already is left, so that it may be loaded again.
 */

const project = { code: 'webshop', name: 'Webshop', description: 'The example that bin/start --demo loads' }

const environments = [
  { code: 'development', name: 'Development', web: { port: 8081, greeting: 'Work in progress: mind the gap' } },
  { code: 'staging', name: 'Staging', web: { port: 8082, greeting: 'As it will be' } },
  { code: 'production', name: 'Production', web: { port: 8083, greeting: 'Welcome to Lock & Weir' } },
]

const projectPath = `/api/projects/${project.code}`
export const webIn = (environment: string) => `${projectPath}/environments/${environment}/assets/web`

interface Version {
  state: string
  initialization_error: string | null
}

export async function loadOrganisation(
  sluice: Sluice,
  repository: { url: string; tag: string },
  say: (line: string) => void,
): Promise<void> {
  await ensure(sluice, projectPath, '/api/projects', project)
  for (const { code, name } of environments)
    await ensure(sluice, `${projectPath}/environments/${code}`, `${projectPath}/environments`, { code, name })
  say(`project ${project.code} with the environments ${environments.map(({ code }) => code).join(', ')}`)

  await ensureGitRemote(sluice, repository.url)
  say(`git remote webshop: ${repository.url}`)

  const template = { code: 'web', name: 'Web server', template_type: 'asset', git_remote_name: 'webshop' }
  await ensure(sluice, `${projectPath}/templates/web`, `${projectPath}/templates`, template)
  await ensureVersion(sluice, repository.tag)
  say(`template web, version ${repository.tag}: its actions were read from Git`)

  const asset = { code: 'web', name: 'Web server', template_code: 'web', template_version: repository.tag }
  for (const { code } of environments) {
    const found = await ensure<{ template_version: string }>(
      sluice,
      webIn(code),
      `${projectPath}/environments/${code}/assets`,
      asset,
    )
    if (found.attributes.template_version !== repository.tag)
      await sluice.update(webIn(code), { template_version: repository.tag })
  }
  say('asset web in each environment')

  await addProperties(sluice, projectPath, { home: `/var/tmp/sluice-webshop-${randomBytes(4).toString('hex')}` })
  for (const { code, web } of environments)
    await addProperties(sluice, `${projectPath}/environments/${code}`, { stage: code, ...web })
  say('properties: one home for the shop, a port and a greeting for each environment')

  await allowDaemons(sluice)
  say('setting runner.sandbox of the project: false, so that a web server may outlive the step that starts it')
}

async function ensure<Attributes>(
  sluice: Sluice,
  path: string,
  collection: string,
  attributes: object,
): Promise<Resource<Attributes>> {
  return (await sluice.find<Attributes>(path)) ?? (await sluice.create<Attributes>(collection, attributes))
}

async function ensureGitRemote(sluice: Sluice, url: string): Promise<void> {
  const remotes = await sluice.list<{ url: string }>(`${projectPath}/git_remotes`, { 'filter[name_eq]': 'webshop' })
  const [found] = remotes
  if (!found) await sluice.create(`${projectPath}/git_remotes`, { name: 'webshop', url })
  else if (found.attributes.url !== url)
    throw new Error(`The git remote webshop reads from ${found.attributes.url}, not from ${url}: is this another copy?`)
}

async function ensureVersion(sluice: Sluice, tag: string): Promise<void> {
  const path = `${projectPath}/templates/web/versions/${tag}`
  if (!(await sluice.find(path))) await sluice.put(path, { git_rev: tag, description: `The repository at ${tag}` })
  const version = await until(
    `template version ${tag} is fetched`,
    () => sluice.show<Version>(path),
    ({ attributes }) => attributes.state !== 'initializing',
  )
  if (version.attributes.state !== 'ready')
    throw new Error(
      `Template version ${tag} is ${version.attributes.state}: ${version.attributes.initialization_error}`,
    )
}

interface Document {
  web?: { home?: string; stage?: string; port?: number; greeting?: string }
}

/** What is there already wins: the folder of the first time, and whatever someone has tried out since. */
async function addProperties(sluice: Sluice, node: string, web: NonNullable<Document['web']>): Promise<void> {
  const link = await linkOf(sluice, node, 'properties')
  const { data } = (await sluice.show<{ data: Document }>(link)).attributes
  await sluice.update(link, { data: { ...data, web: { ...web, ...data.web } } })
}

/** Projects may choose their isolation only from what the whole installation allows them. */
async function allowDaemons(sluice: Sluice): Promise<void> {
  const everywhere = await linkOf(sluice, '/api/system_configuration', 'settings')
  const { data } = (await sluice.show<{ data: Record<string, unknown> }>(everywhere)).attributes
  const allowed = (data['allowed.runner.sandbox'] ?? []) as boolean[]
  await sluice.update(everywhere, { data: { 'allowed.runner.sandbox': [...new Set([...allowed, false])] } })
  await sluice.update(await linkOf(sluice, projectPath, 'settings'), { data: { 'runner.sandbox': false } })
}

async function linkOf(sluice: Sluice, path: string, relationship: string): Promise<string> {
  const { relationships } = await sluice.show(path)
  const link = relationships?.[relationship]?.links?.related
  if (!link) throw new Error(`${path} shows no ${relationship}`)
  return link
}
