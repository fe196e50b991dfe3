import { accessDomain, keepLastSuperuser, rightsSource, superusers } from '../domain/access/index.ts'
import { actionCatalogueDomain, propertyFilesAt } from '../domain/action-catalogue/index.ts'
import { agentsDomain } from '../domain/agents/index.ts'
import {
  type ChangeParts,
  changesDomain,
  continuedByThemselves,
  makeLateTree,
  offeredActions,
} from '../domain/changes/index.ts'
import { dataCleaningDomain } from '../domain/data-cleaning/index.ts'
import { directoryDomain } from '../domain/directory/index.ts'
import { eventsDomain, record, recordAll, recording } from '../domain/events/index.ts'
import { GitFailure, gitDomain, openGit } from '../domain/git/index.ts'
import { logsDomain } from '../domain/logs/index.ts'
import { openMailer } from '../domain/mail/index.ts'
import { maintenanceDomain } from '../domain/maintenance/index.ts'
import {
  currentModel,
  generateModel,
  lastModelActions,
  modelActionsOfRow,
  modelOfRow,
  modelsDomain,
  renderInThread,
} from '../domain/models/index.ts'
import { cancelTaskFor, nodeTasksDomain, type TaskType, taskWork } from '../domain/node-tasks/index.ts'
import { findNodeById, type Node, nodesDomain } from '../domain/nodes/index.ts'
import { propertiesDomain } from '../domain/properties/index.ts'
import {
  forgetSparesJob,
  letRunnerGo,
  type ProcessName,
  type RunnerDrivers,
  type RunnerWork,
  runnerLoops,
  Spares,
  wantRunner,
  workOfBoth,
} from '../domain/runners/index.ts'
import { runMaker, schedulesDomain } from '../domain/schedules/index.ts'
import { openVaults, secretsDomain, type VaultConnection } from '../domain/secrets/index.ts'
import { heldMaintenanceMode, readOverrides, settingsDomain, vaultInForce } from '../domain/settings/index.ts'
import {
  keepResultWith,
  maskFirst,
  maskTexts,
  runnerWork,
  stepExecutionDomain,
} from '../domain/step-execution/index.ts'
import { activityRow, type EngineParts, engineDomain, placeOfToken, stepRow } from '../domain/steps/index.ts'
import { deriveActions, templatesDomain } from '../domain/templates/index.ts'
import { authenticator, type Passwords, usersDomain } from '../domain/users/index.ts'
import { workflowRunsDomain } from '../domain/workflow-runs/index.ts'
import { workflowsDomain } from '../domain/workflows/index.ts'
import { forgetOldAnswers, sealedAnswers } from '../platform/commands/idempotency.ts'
import type { LiveKeyring } from '../platform/crypto/index.ts'
import type { Database, Queries } from '../platform/db/database.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import type { Domain, Log, Runtime } from '../platform/domain.ts'
import type { RecordEvent } from '../platform/events.ts'
import { failure } from '../platform/failure.ts'
import type { Authenticate } from '../platform/http/server.ts'
import { afterClockSetBack } from '../platform/jobs/clock-set-back.ts'
import { forgetOldJobs } from '../platform/jobs/finished-jobs.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { mainSite } from '../platform/site.ts'
import { administrationDomain } from './administration.ts'
import type { Config } from './config.ts'
import { interfaceVersion, release } from './release.ts'

/** Parts of the assembled product that main itself uses. */
export interface Assembled {
  /** Every domain, those that runners need excepted. */
  readonly domains: readonly Domain[]
  /** Background work for runners on this host. */
  readonly runnerDomain: (runners: { drivers: RunnerDrivers; self: ProcessName }) => Domain
  readonly work: RunnerWork
  readonly spares: Spares
  readonly authenticate: Authenticate
  readonly record: RecordEvent
  /** Makes the installation's settings and puts into force what the environment states. */
  readonly startSettings: (runtime: Runtime) => Promise<void>
  /** Whether the installation's settings run steps without a sandbox. */
  readonly sandboxSwitchedOff: () => Promise<boolean>
  /** Ends the mails that are being sent. */
  readonly endMails: () => Promise<void>
}

/**
 * Puts the domains together, from left to right as they may know of each other: what one needs of another to its right
 * (who uses a node, where a step runs) is handed to it here, and nowhere else.
 */
export async function assemble(given: {
  config: Pick<
    Config,
    'authorities' | 'dataDir' | 'gitProtocols' | 'passedOn' | 'privateAddresses' | 'role' | 'settingOverrides'
  > &
    Partial<Pick<Config, 'smtpServer' | 'mailFrom' | 'site'>>
  database: Database
  /** Database by the connections reserved for requests, where there are such. */
  forRequests?: Database
  keyring: LiveKeyring
  passwords: Passwords
  apiUrl: () => string
  log: Log
}): Promise<Assembled> {
  const { config, database, keyring, passwords } = given
  const { site = mainSite } = config
  const { values: overrides, errors } = readOverrides(config.settingOverrides)
  if (errors.length > 0) throw new CannotStart(errors.join('\n'))

  const settings = settingsDomain({
    keyring,
    overrides,
    // The directory is found by the settings, and asked when they are written.
    approvers: (tx, names) => directory.approvers(tx, names),
  })
  const vaultOf = vaultInForce(settings.reader)
  const vaults = openVaults({
    keyring,
    outgoing: config,
    connectionOf: async (queries, owner) => (await vaultOf(queries, owner)) as VaultConnection | undefined,
  })
  const directory = directoryDomain({
    database,
    log: given.log,
    settings: settings.reader,
    authorities: config.authorities,
    keepLastSuperuser,
  })
  const git = await openGit({
    database,
    keyring,
    dataDir: config.dataDir,
    protocols: config.gitProtocols,
    privateAddresses: config.privateAddresses,
    environment: config.passedOn,
    settings: async () => {
      const { data } = await settings.reader.global(database)
      return {
        knownHosts: (data['known_hosts'] ?? []) as string[],
        freshMilliseconds: Number(data['git_remote.fetch_stale_threshold']) * 1_000,
      }
    },
  })

  const properties = propertiesDomain({
    keyring,
    settings: settings.reader,
    record,
    readFiles: async (key, { mayFetch }) => {
      if (!mayFetch && !(await git.holds(key.gitRemoteId, key.commitSha))) return
      try {
        await propertyFilesAt({ git, keyring }, database, key)
      } catch (error) {
        if (!(error instanceof GitFailure)) throw error
        throw failure('wrong-state', `The property files of commit ${key.commitSha} cannot be read: ${error.message}`)
      }
    },
  })

  const spares = new Spares()
  const { converge, convergeReading, convergeAtHand, answerConverged } = properties
  const modelParts = { keyring, converge }
  const ofRow = modelOfRow({ keyring, converge: convergeReading })
  const models = modelsDomain({ keyring, converge: convergeAtHand, ofRow })
  const masking = maskFirst({ database, keyring })
  const { smtpServer, mailFrom, authorities } = config
  const mailer = smtpServer && mailFrom ? openMailer({ server: smtpServer, from: mailFrom, authorities }) : undefined
  const parts: ChangeParts = {
    site,
    keyring,
    git,
    vaults,
    maskFirst: masking,
    maskTexts: maskTexts({ database, keyring }),
    mailer,
    record,
    settings: settings.reader,
    converge,
    answerConverged,
    model: (queries, node) => currentModel(modelParts, queries, node),
    lastModelActions: (queries, nodeId, at) => lastModelActions(keyring, queries, nodeId, at),
    spares,
    propertyStamp: properties.store.stamp,
    applyPatch: properties.applyPatch,
    propertiesAt: async (queries, ownerId, at) => (await properties.store.inForce(queries, [ownerId], at))[0]?.data,
    apiUrl: given.apiUrl,
    recordEvent: event => database.transaction(tx => record(tx, event)),
  }
  const engine: EngineParts = {
    keyring,
    record: recordAll,
    recording,
    runners: { want: (tx, wanted) => wantRunner(tx, wanted, spares.ready()), letGo: letRunnerGo },
    lateTrees: { make: makeLateTree(enqueue), stop: cancelTaskFor },
    maintenanceMode: heldMaintenanceMode,
    superusers: superusersNow,
    keepResult: keepResultWith(parts),
    continued: continuedByThemselves(parts),
  }
  const changes = changesDomain(parts, engine)
  const stepExecution = stepExecutionDomain(parts)
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
  const work = workOfBoth(runnerWork(parts, engine, database), taskWork(taskTypes, database))

  const gitRemotes = gitDomain({ git, keyring, settings: settings.reader, others: [templates, changes] })
  const runParts = { keyring, engine, settings: settings.reader, converge, changes: parts }
  const workflowRuns = workflowRunsDomain(runParts)
  const offered = offeredActions(parts)
  const schedules = schedulesDomain({
    ...parts,
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
  // From left to right.
  const extendsNodes = [
    gitRemotes,
    settings.domain,
    properties.domain,
    actionCatalogueDomain,
    nodeTasksDomain({ site, settings: settings.reader, enqueue, spares }, taskTypes),
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
    maskFirst: masking,
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
    administrationDomain,
    {
      name: 'platform',
      jobs: [forgetOldAnswers, forgetOldJobs],
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
      jobs: [forgetSparesJob],
      loops: runnerLoops({ work, ...runners, site, spares, settings: settings.reader }),
    }),
    work,
    spares,
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
    endMails: async () => mailer?.close(),
  }
}

async function superusersNow(queries: Queries): Promise<string[]> {
  const rows = await queries.rows(superusers())
  return rows.map(({ id }) => id)
}
