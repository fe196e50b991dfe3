import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Git, gitDomain, openGit } from '../../src/domain/git/index.ts'
import { nodesDomain } from '../../src/domain/nodes/index.ts'
import { propertiesDomain } from '../../src/domain/properties/index.ts'
import { Spares } from '../../src/domain/runners/index.ts'
import { settingsDomain } from '../../src/domain/settings/index.ts'
import { deriveActions, templatesDomain } from '../../src/domain/templates/index.ts'
import type { Rights } from '../../src/platform/actor.ts'
import type { Keyring } from '../../src/platform/crypto/index.ts'
import type { Around, Domain } from '../../src/platform/domain.ts'
import { enqueue as enqueueJob } from '../../src/platform/jobs/job-queue.ts'
import { type Client, startTestApi, type TestApi } from './api.ts'
import { type TestFile, type TestRepository, testRepository } from './git-repository.ts'
import { aroundOf, runDueJobs } from './jobs.ts'

export interface TemplateWorld {
  readonly api: TestApi
  readonly admin: Client
  readonly git: Git
  readonly keyring: Keyring
  readonly domains: readonly Domain[]
  readonly around: Around
  /** Works all jobs that are due. */
  readonly runJobs: () => Promise<void>
  readonly loop: (name: string) => Promise<boolean>
  /** A repository and a Git remote of project `shop` that it is reached by. */
  readonly repository: (
    files: Record<string, TestFile>,
  ) => Promise<TestRepository & { remote: string; remoteId: string }>
  readonly stop: () => Promise<void>
}

/** Nodes, configuration, Git and templates, with a project `shop`, on a database of their own. */
export async function templateWorld(users: Readonly<Record<string, Rights>>): Promise<TemplateWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
  const repositories: TestRepository[] = []
  let made: { git: Git; keyring: Keyring; domains: Domain[] } | undefined
  const api = await startTestApi({
    users,
    domains: async ({ database, keyring, record, enqueue }) => {
      const settings = settingsDomain({ keyring, overrides: {} })
      await settings.start({ database, record, enqueue })
      const properties = propertiesDomain({ keyring, settings: settings.reader, record })
      const environment = { PATH: process.env['PATH']! }
      const git = await openGit({
        database,
        keyring,
        dataDir,
        protocols: ['http', 'file'],
        privateAddresses: ['127.0.0.0/8'],
        environment,
      })
      const others = [settings.domain, properties.domain]
      const templates = templatesDomain({
        git,
        keyring,
        settings: settings.reader,
        enqueue: enqueueJob,
        spares: new Spares(),
        others,
        taskTypes: [
          deriveActions({
            git,
            enqueue: enqueueJob,
            propertiesOf: async () => ({}),
            modelOf: async () => ({ state: 'none' }),
          }),
        ],
        modelActions: async () => undefined,
      })
      const remotes = gitDomain({ git, keyring, settings: settings.reader, others: [templates] })
      const domains = [nodesDomain({ others: [...others, templates] }), ...others, remotes, templates]
      made = { git, keyring, domains }
      return domains
    },
  })
  const { git, keyring, domains } = made!
  const admin = api.as('admin')
  const around = aroundOf(api.database)
  await admin.post('/api/projects', { code: 'shop', name: 'Shop' })
  return {
    api,
    admin,
    git,
    keyring,
    domains,
    around,
    runJobs: () => runDueJobs(api.testDatabase, domains, around),
    loop: name =>
      domains
        .flatMap(({ loops }) => loops ?? [])
        .find(loop => loop.name === name)!
        .run(around),
    repository: async files => {
      const repository = await testRepository(files)
      repositories.push(repository)
      const remote = `remote ${repositories.length}`
      const answer = await admin.post('/api/projects/shop/git_remotes', { name: remote, url: repository.url })
      return { ...repository, remote, remoteId: answer.body.data.id }
    },
    stop: async () => {
      await api.stop()
      await Promise.all(repositories.map(repository => repository.remove()))
      await rm(dataDir, { recursive: true })
    },
  }
}
