import type { Readable } from 'node:stream'
import type { Labels } from '../json/labels.ts'
import type { ActionReference } from './action-reference.ts'
import type { ArtefactPlaces } from './artefact.ts'
import type { CatalogueAction } from './catalogue.ts'
import type { Entry, Strategy } from './child-steps.ts'
import type { ExecOptions, ExecResult } from './exec.ts'
import type { GitClone, GitCloneOptions } from './git-clone.ts'
import type { NodeQuestion } from './query.ts'
import type { Secrets } from './secrets.ts'
import type { Email, SentEmail } from './send-email.ts'
import type { ServiceAccess } from './service.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
/** A read-only document: cast it to a type of your own. */
export type ReadOnlyObject = { readonly [key: string]: unknown }

export const propertyOwners = ['project', 'environment', 'template', 'template_version', 'asset', 'change'] as const
export type PropertyOwner = (typeof propertyOwners)[number]

export const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const
/** Lines of the step's log, of category `action`; values as in console.log. */
export type StepLog = Readonly<Record<(typeof levels)[number], (message: unknown, ...values: unknown[]) => void>>

/** Step that a body runs in, as the body sees it. */
export interface Step {
  readonly log: StepLog
  /** The converged properties of the node that the change is on, secrets resolved. */
  readonly properties: ReadOnlyObject
  /** The change, the step, the user who requested it, the template and its version, the remotes. */
  readonly context: ReadOnlyObject
  /** Aborted when the step is cancelled or has run out of time; 10 s later the process is killed. */
  readonly signal: AbortSignal
  /**
   * Properties that the owner itself defines, to be modified in place: when the body has succeeded, the difference is
   * applied to the owner's properties of that moment. A step may always write the properties of its change and its own
   * node.
   */
  propertiesOf(owner: PropertyOwner): JsonObject
  /**
   * Runs a program without a shell. Its output goes into the step's log and is returned too, up to 1 MiB of each
   * stream.
   *
   * @throws ExecFailed when it cannot be started, or ends with anything but 0
   */
  exec(command: string, args?: readonly string[], options?: ExecOptions): Promise<ExecResult>
  /**
   * Adds steps below this one, after its existing ones: actions, stages, waits, inputs. They begin when the body has
   * succeeded, and the step succeeds when they have.
   */
  appendSteps(...steps: readonly Entry[]): void
  /** Replaces all child steps of this step by these; without arguments the step has no children afterwards. */
  replaceSteps(...steps: readonly Entry[]): void
  /** Order in which the steps below it run, overriding that of the action. */
  childStrategy: Strategy | undefined
  /** Runs the bodies of another action in this step, its prerequisites first. */
  runAction(action: ActionReference): Promise<void>
  /** Secrets of the node that the change is on. */
  readonly secrets: Secrets
  /**
   * Data of another node of the project, read with the rights of the change's creator: its attributes (`node`), its
   * converged `properties` or `settings`, its `actions`, or the attributes of the `environments`, `assets` or `agents`
   * in it.
   */
  query(nodePath: string, what: NodeQuestion): Promise<unknown>
  /**
   * Stores a file as an artefact of the step, with labels that lists of artefacts can be filtered by, under its own
   * name or another one.
   */
  artefact(file: string, labels?: Labels, name?: string): void
  /**
   * The actions of the asset's model: none if its template has no model, or, with a warning in the audit trail, if the
   * model is not valid for the commit of the change and the current properties.
   */
  catalogue(): Promise<readonly CatalogueAction[]>
  /**
   * The files of a branch, tag or commit of another Git remote of the project, by the remote's name. The service
   * fetches it first; if that fails, the last fetched state is used, with a warning in the log and in the audit trail.
   *
   * @throws when there is no such remote or revision
   */
  gitClone(remote: string, revision: string, options?: GitCloneOptions): Promise<GitClone>
  /**
   * Sends a mail by the mail server of the installation, at most once: a request that is lost on the way to the service
   * is not repeated.
   *
   * @throws for an invalid mail, without a mail server, or if it accepts no recipient
   */
  sendEmail(mail: Email): Promise<SentEmail>
}

/** The places that the runner names in the environment. */
export interface StepPlaces extends ArtefactPlaces {
  readonly contextFile: string
  readonly resultFile: string
  readonly stepId: string
  readonly service: ServiceAccess
  /** Unpacks an archive into a folder, as the runner does with a commit. */
  readonly unpack: (archive: Readable, folder: string) => Promise<void>
  /** Masks a text in the step's log; resolves when output written from then on is masked. */
  readonly hide: (text: string) => Promise<void>
  /** Runs a declared action of the repository's program. */
  readonly runDeclared: (file: string, action: string, step: Step) => Promise<void>
}
