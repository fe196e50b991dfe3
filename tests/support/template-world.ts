import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from '#protocol/runner-protocol.ts'
import { actionCatalogueDomain } from '../../src/domain/action-catalogue/index.ts'
import { type Git, gitDomain, openGit } from '../../src/domain/git/index.ts'
import { nodeTasksDomain, taskWork } from '../../src/domain/node-tasks/index.ts'
import { nodesDomain } from '../../src/domain/nodes/index.ts'
import { propertiesDomain } from '../../src/domain/properties/index.ts'
import { Spares } from '../../src/domain/runners/index.ts'
import { settingsDomain } from '../../src/domain/settings/index.ts'
import { deriveActions, templatesDomain } from '../../src/domain/templates/index.ts'
import type { Rights } from '../../src/platform/actor.ts'
import type { Keyring } from '../../src/platform/crypto/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Domain, Runtime } from '../../src/platform/domain.ts'
import { enqueue as enqueueJob } from '../../src/platform/jobs/job-queue.ts'
import { mainSite } from '../../src/platform/site.ts'
import { type Client, startTestApi, type TestApi } from './api.ts'
import { type TestFile, type TestRepository, testRepository } from './git-repository.ts'
import { aroundOf, runDueJobs } from './jobs.ts'

export interface TemplateWorld {
  readonly api: TestApi
  readonly admin: Client
  readonly git: Git
  readonly keyring: Keyring
  readonly domains: readonly Domain[]
  readonly runtime: Runtime
  /** Runs all due jobs. */
  readonly runJobs: () => Promise<void>
  readonly loop: (name: string) => Promise<boolean>
  /** Reports the end of a running task, as its runner: the test is the only one. */
  readonly runnerEnds: (taskId: string, outcome: Result['outcome'], outputs?: Result['outputs']) => Promise<void>
  /** A repository and its Git remote in project `shop`. */
  readonly repository: (
    files: Record<string, TestFile>,
  ) => Promise<TestRepository & { remote: string; remoteId: string }>
  readonly stop: () => Promise<void>
}

/** Nodes, configuration, Git and templates, with a project `shop`, on a database of their own. */
export async function templateWorld(users: Readonly<Record<string, Rights>>): Promise<TemplateWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
  const repositories: TestRepository[] = []
  const derivation = (git: Git, keyring: Keyring) =>
    deriveActions({
      git,
      keyring,
      enqueue: enqueueJob,
      propertiesOf: async () => ({}),
      modelOf: async () => ({ state: 'none' }),
    })
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
      const taskTypes = [derivation(git, keyring)]
      const tasks = nodeTasksDomain(
        { site: mainSite, settings: settings.reader, enqueue: enqueueJob, spares: new Spares() },
        taskTypes,
      )
      const templates = templatesDomain({
        ...{ git, keyring, settings: settings.reader, others, taskTypes },
        modelActions: async () => undefined,
      })
      const remotes = gitDomain({ git, keyring, settings: settings.reader, others: [templates] })
      const domains = [
        nodesDomain({ others: [...others, templates] }),
        ...others,
        remotes,
        actionCatalogueDomain,
        tasks,
        templates,
      ]
      made = { git, keyring, domains }
      return domains
    },
  })
  const { git, keyring, domains } = made!
  const admin = api.as('admin')
  const runtime = aroundOf(api.database)
  await admin.post('/api/projects', { code: 'shop', name: 'Shop' })
  return {
    api,
    admin,
    git,
    keyring,
    domains,
    runtime,
    runJobs: () => runDueJobs(api.testDatabase, domains, runtime),
    loop: name =>
      domains
        .flatMap(({ loops }) => loops ?? [])
        .find(loop => loop.name === name)!
        .run(runtime),
    runnerEnds: async (taskId, outcome, outputs) => {
      const { database } = api
      const task = await database.one(sql<{ attempt: number; fence: number }>`
        select attempt, fence from node_background_tasks where id = ${taskId}::uuid`)
      const result: Result = {
        type: 'result',
        ...{ seq: 1, stepId: taskId, attempt: task!.attempt, fence: task!.fence, outcome },
        exitCode: outcome === 'success' ? 0 : 1,
        errorMessage: outcome === 'success' ? null : 'web/actions.ts:1:1: it throws',
        ...{ startedAt: '2026-01-01T00:00:00.000000Z', finishedAt: '2026-01-01T00:00:00.000000Z' },
        ...{ propertiesDiffs: {}, artefacts: [], ...(outputs && { outputs }) },
      }
      const work = taskWork([derivation(git, keyring)], database)
      await database.transaction(tx => work.applyResults(tx, {} as never, [result], false))
    },
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
