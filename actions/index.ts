/**
 * Library for `actions.ts`: `import { action, stage, wait, input } from '@sluice/actions'`. The runner resolves that
 * name; a repository installs nothing. Actions are declared while the file is loaded, and their bodies run later, one
 * step at a time.
 */
export type { Labels } from '../json/labels.ts'
export { type ActionOptions, action } from './action.ts'
export type { Action, ActionReference } from './action-reference.ts'
export { type CatalogueAction, catalogue } from './catalogue.ts'
export { ExecFailed, type ExecOptions, type ExecResult } from './exec.ts'
export type { GitClone, GitCloneOptions } from './git-clone.ts'
export { properties } from './properties.ts'
export type { NodeQuestion } from './query.ts'
export type { SecretOptions, Secrets } from './secrets.ts'
export type { Email, EmailAddresses, EmailAttachment, SentEmail } from './send-email.ts'
export type { Json, JsonObject, PropertyOwner, ReadOnlyObject, Step, StepLog } from './step.ts'
export {
  type Approvers,
  type InputArgument,
  type InputOptions,
  input,
  type NamedAction,
  type StageOptions,
  type StepEntry,
  stage,
  type WaitOptions,
  wait,
} from './step-entry.ts'
