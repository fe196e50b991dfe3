import { accessDomain, keepLastSuperuser, rightsSource } from '../domain/access/index.ts'
import { actionCatalogueDomain } from '../domain/action-catalogue/index.ts'
import { agentsDomain } from '../domain/agents/index.ts'
import { changeMaker, changesDomain, offeredActions, retryMaker, retryPlanner } from '../domain/changes/index.ts'
import { dataCleaningDomain } from '../domain/data-cleaning/index.ts'
import { eventsDomain, record } from '../domain/events/index.ts'
import { gitDomain } from '../domain/git/index.ts'
import { logsDomain } from '../domain/logs/index.ts'
import { maintenanceDomain } from '../domain/maintenance/index.ts'
import {
  currentModel,
  generateModel,
  modelActionsOfRow,
  modelOfRow,
  modelsDomain,
  renderInThread,
} from '../domain/models/index.ts'
import { nodeTasksDomain, type TaskType, taskWork } from '../domain/node-tasks/index.ts'
import { findNodeById, type Node, nodesDomain } from '../domain/nodes/index.ts'
import { overviewDomain } from '../domain/overview/index.ts'
import {
  combinedWork,
  deleteSparesJob,
  type ProcessName,
  type RunnerDrivers,
  RunnerStarts,
  type RunnerWork,
  runnerLoops,
  Spares,
} from '../domain/runners/index.ts'
import { runMaker, schedulesDomain } from '../domain/schedules/index.ts'
import { secretsDomain } from '../domain/secrets/index.ts'
import { runnerWork, stepExecutionDomain } from '../domain/step-execution/index.ts'
import { activityRow, engineDomain, placeOfToken, stepRow } from '../domain/steps/index.ts'
import { deriveActions, templatesDomain } from '../domain/templates/index.ts'
import { authenticator, usersDomain } from '../domain/users/index.ts'
import { workflowRunsDomain } from '../domain/workflow-runs/index.ts'
import { workflowsDomain } from '../domain/workflows/index.ts'
import { deleteOldResponsesJob, sealedAnswers } from '../platform/commands/idempotency.ts'
import type { Queries } from '../platform/db/database.ts'
import type { Domain, Runtime } from '../platform/domain.ts'
import type { RecordEvent } from '../platform/events.ts'
import type { Authenticate } from '../platform/http/server.ts'
import { afterClockSetBack } from '../platform/jobs/clock-set-back.ts'
import { deleteOldJobsJob } from '../platform/jobs/finished-jobs.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { administrationDomain } from './administration.ts'
import { changeParts, engineParts, stepExecutionParts } from './change-parts.ts'
import { openConfiguration, type ToAssemble } from './configuration.ts'
import { interfaceVersion, release } from './release.ts'

/** Parts of the assembled product that main itself uses. */
export interface Assembled {
  /** All domains except the one for runners (`runnerDomain`). */
  readonly domains: readonly Domain[]
  /** Background work for runners on this host. */
  readonly runnerDomain: (runners: { drivers: RunnerDrivers; self: ProcessName }) => Domain
  readonly work: RunnerWork
  readonly spares: Spares
  readonly starts: RunnerStarts
  readonly authenticate: Authenticate
  readonly record: RecordEvent
  /** Creates the installation's settings and applies what the environment states. */
  readonly startSettings: (runtime: Runtime) => Promise<void>
  /** Whether the installation's settings run steps without a sandbox. */
  readonly sandboxSwitchedOff: () => Promise<boolean>
  /** Ends the mails that are being sent. */
  readonly endMails: () => Promise<void>
}

/**
 * Builds the domains from left to right, the order of their dependencies: what a domain needs from one to its right
 * (who uses a node, where a step runs) is passed to it here, and nowhere else.
 */
export async function assemble(given: ToAssemble): Promise<Assembled> {
  const { config, database, keyring, passwords } = given
  const configuration = await openConfiguration(given)
  const { settings, vaults, directory, git, properties } = configuration
  const spares = new Spares()
  const starts = new RunnerStarts()
  const { converge, convergeReading, convergeAtHand } = properties
  const modelParts = { keyring, converge }
  const ofRow = modelOfRow({ keyring, converge: convergeReading })
  const models = modelsDomain({ keyring, converge: convergeAtHand, ofRow })
  const parts = changeParts(given, configuration, spares)
  const stepParts = stepExecutionParts(parts, given, configuration)
  const engine = engineParts(stepParts, spares)
  const changes = changesDomain(parts, engine)
  const stepExecution = stepExecutionDomain(stepParts)
  const taskTypes: TaskType[] = [
    deriveActions({
      git,
      keyring,
      enqueue,
      propertiesOf: async (queries, node) => (await convergeAtHand(queries, node)).data,
      modelOf: (queries, node) => currentModel(modelParts, queries, node),
    }),
    generateModel({ keyring, converge: convergeReading, settings: settings.reader, record, render: renderInThread }),
  ]
  const templates = templatesDomain({
    git,
    settings: settings.reader,
    keyring,
    taskTypes,
    modelActions: modelActionsOfRow(ofRow),
    others: [settings.domain, properties.domain, models, changes],
  })
  const work = combinedWork(runnerWork(stepParts, engine, database), taskWork(taskTypes, database))

  const gitRemotes = gitDomain({ git, keyring, settings: settings.reader, others: [templates, changes] })
  const makeChange = changeMaker(parts)
  const runParts = { site: parts.site, keyring, settings: settings.reader, converge }
  const workflowRuns = workflowRunsDomain(
    { ...runParts, makeChange, makeRetry: retryMaker(parts), planRetry: retryPlanner(parts) },
    engine,
  )
  const offered = offeredActions(parts)
  const schedules = schedulesDomain({
    keyring,
    git,
    settings: settings.reader,
    record,
    makeChange,
    makeRun: runMaker(runParts),
    offered: asked => offered(given.forRequests ?? database, asked),
  })
  const workflows = workflowsDomain({
    keyring,
    converge,
    offered,
    others: [workflowRuns, schedules],
  })
  const engineItself = engineDomain(engine, settings.slotLimits)
  // In the order of their dependencies.
  const extendsNodes = [
    gitRemotes,
    settings.domain,
    properties.domain,
    actionCatalogueDomain,
    nodeTasksDomain({ site: parts.site, settings: settings.reader, enqueue, spares }, taskTypes),
    templates,
    models,
    engineItself,
    changes,
    stepExecution,
    agentsDomain,
    workflows,
    workflowRuns,
    schedules,
  ]
  const ofNode =
    <T>(read: (queries: Queries, node: Node) => Promise<T>) =>
    async (queries: Queries, id: string) => {
      const node = await findNodeById(queries, id)
      return node ? read(queries, node) : null
    }
  const secrets = secretsDomain({
    keyring,
    vaults,
    maskFirst: stepParts.maskFirst,
    documents: {
      properties: ofNode(async (queries, node) => (await converge(queries, node)).data),
      settings: ofNode(async (queries, node) => (await settings.reader.ofNode(queries, node)).data),
      model: ofNode(async (queries, node) => {
        const model = await currentModel(modelParts, queries, node)
        return model.state === 'valid' ? model.data() : null
      }),
    },
  })
  const domains: Domain[] = [
    nodesDomain({ others: [secrets, accessDomain, ...extendsNodes] }),
    usersDomain({
      passwords,
      keyring,
      keepLastSuperuser,
      sessionMinutes: async queries =>
        Number((await settings.reader.global(queries)).data['token.access_expiry_minutes']),
    }),
    eventsDomain,
    secrets,
    accessDomain,
    directory.domain,
    logsDomain({ activityRow, stepRow }),
    ...extendsNodes,
    overviewDomain,
    administrationDomain,
    {
      name: 'platform',
      jobs: [deleteOldResponsesJob, deleteOldJobsJob],
      loops: [afterClockSetBack],
      sealed: [sealedAnswers],
    },
  ]
  const sealed = domains.flatMap(domain => domain.sealed ?? [])
  const about = { release: release(), interfaceVersion: interfaceVersion(), role: config.role }
  domains.push(
    maintenanceDomain({ about, settings: settings.reader, keyring, sealed }),
    dataCleaningDomain({ keyring, vaults }),
  )
  return {
    domains,
    runnerDomain: runners => ({
      name: 'runners',
      jobs: [deleteSparesJob],
      loops: runnerLoops({ work, ...runners, site: parts.site, starts, spares, settings: settings.reader }),
    }),
    work,
    spares,
    starts,
    record,
    authenticate: authenticator({
      database: given.forRequests ?? database,
      keyring,
      passwords,
      record,
      rights: rightsSource(),
      placeOfToken,
      directory: directory.source,
    }),
    startSettings: settings.start,
    sandboxSwitchedOff: async () => (await settings.reader.global(database)).data['runner.sandbox'] === false,
    endMails: async () => stepParts.mailer?.close(),
  }
}
