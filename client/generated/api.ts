/* Made by bin/client from the interface's own description. Change that, and run it again. */
import type { Operation, RecordType } from '../operation.ts'

/** Root of a tree of nodes, isolated from other projects. */
export type Project = {
  /** Code: its segment of the path. */
  code: string
  /** Display name. */
  name: string
  /** Description; empty if none was given. */
  description: string
  /** Archived nodes are read-only and accept nothing new. */
  archived: boolean
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Standard or Enterprise. */
  project_type: "Standard" | "Enterprise"
}

/** A place within a project that holds assets. */
export type Environment = {
  /** Code: its segment of the path. */
  code: string
  /** Display name. */
  name: string
  /** Description; empty if none was given. */
  description: string
  /** Archived nodes are read-only and accept nothing new. */
  archived: boolean
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A target of changes, created from a template version. */
export type Asset = {
  /** Code: its segment of the path. */
  code: string
  /** Display name. */
  name: string
  /** Description; empty if none was given. */
  description: string
  /** Archived nodes are read-only and accept nothing new. */
  archived: boolean
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Template that it is created from. */
  template_code: string | null
  /** Current template version. */
  template_version: string | null
  /** Whether a background task of it is in progress. */
  task_active: boolean
  /** Actions that can be run on it: those of its template version and of its model that have a description. */
  actions: readonly (Record<string, unknown>)[]
  /** Whether there is a model of the current commit and converged properties. */
  model_valid: boolean
  /** Why it is not; null if there is nothing to render. */
  model_invalid_reason: "not_generated" | "properties_changed" | "template_version_changed" | "generation_failed" | null | null
  /** The file that its model is rendered from; '' where its template has none. */
  erb_file_content: string
}

/** A long-running container, created from a template version. */
export type Agent = {
  /** Code: its segment of the path. */
  code: string
  /** Display name. */
  name: string
  /** Description; empty if none was given. */
  description: string
  /** Archived nodes are read-only and accept nothing new. */
  archived: boolean
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Template that it is created from. */
  template_code: string | null
  /** Current template version. */
  template_version: string | null
  /** Whether a background task of it is in progress. */
  task_active: boolean
  /** Actions that can be run on it: those of its template version and of its model that have a description. */
  actions: readonly (Record<string, unknown>)[]
}

/** A link saved on a node. */
export type Bookmark = {
  /** Message text. */
  description: string
  /** Target of the link: http, https or mailto. */
  url: string | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A local user, or a user of the directory. */
export type User = {
  /** The name to sign in with. */
  username: string
  /** Display name. */
  display_name: string | null
  /** Email address. */
  email_address: string | null
  /** Source of the account: local or ldap. */
  auth_provider: "local" | "ldap"
  /** Directory groups of the user. */
  groupnames: unknown
  /** Whether sign-in is refused. */
  disabled: boolean
  /** When they were created. */
  created_at: string
  /** When they were last updated. */
  updated_at: string
}

/** Bearer token created by its owner. The secret is shown once, on creation. Superusers see all tokens. */
export type Token = {
  /** Description. */
  description: string
  /** Expiry time. */
  expires_at: string
  /** Owner. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** Session of a browser that has not ended. meta.current is whether the request came with it. Superusers see all sessions. */
export type Session = {
  /** Address that it was begun from, as far as known. */
  remote_address: string | null
  /** Browser or program that began it, as its header User-Agent said. */
  user_agent: string | null
  /** When it ends by itself. */
  expires_at: string
  /** Owner. */
  created_by: string
  /** When it began. */
  created_at: string
}

/** Preferences of the caller: an object whose members clients choose, such as stars or the theme. */
export type Preferences = {
  /** The preferences. Order of keys is not kept. */
  data: unknown
  /** When they were last updated; null if they never were. */
  updated_at: string | null
}

/** Query of a list, saved under a name. */
export type SavedView = {
  /** Name of the view. */
  name: string
  /** List that the query is for, such as activities. */
  list: string
  /** Filters, sorting and columns, as a query string of the client that saved it. */
  query: string
  /** private or everyone. */
  shared_with: "private" | "everyone"
  /** Owner. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** Audit event: what happened, by whom and to which record; written once and sealed into a hash chain. */
export type Event = {
  /** User who did it; `system` for the service itself. */
  username: string
  /** Whether the service recorded it, not a user. */
  system: boolean
  /** level:subject:action. */
  type: string
  /** When it was recorded. */
  created_at: string
  /** The node that it belongs to. */
  node_path: string | null
  /** Subject. */
  source_type: string | null
  /** Id of the record that it relates to. */
  source_id: string | null
  /** Name of the record. */
  name: unknown
  /** Code of the parent node of the record. */
  parent_code: unknown
  /** Type of that node. */
  parent_node_type: unknown
  /** The hash of the chain up to it; null until it is sealed, within seconds. */
  hash: string | null
  /** Number of its seal in the hash chain; absent until it is sealed. */
  seal_number: number | null
  /** The hash of the seal before its own; absent until it is sealed, and from the first event. */
  previous_hash: string | null
  [name: string]: unknown
}

/** A set of rules that is assigned as a whole. */
export type AuthorisationPolicy = {
  /** Unique, case-insensitively. */
  name: string
  /** Description. */
  description: string | null
  /** Whether it is a system policy: superuser, blocked. */
  system: boolean
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** Rights allowed or denied on a path and everything below it. */
export type AuthorisationRule = {
  /** Path; * matches one segment. */
  path: string
  /** Display name. */
  name: string | null
  /** Reading: true allows, false denies, null says nothing. */
  read: boolean | null
  /** Changing: true allows, false denies, null says nothing. */
  update: boolean | null
  /** Running: true allows, false denies, null says nothing. */
  execute: boolean | null
  /** Deleting: true allows, false denies, null says nothing. */
  delete: boolean | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** Membership of a rule in a policy. */
export type PolicyRule = {
  /** The policy. */
  authorisation_policy_id: string
  /** The rule. */
  authorisation_rule_id: string
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
}

/** Assignment of a policy to a user, a group, a user while a member of a group, or (with neither) everyone. */
export type PolicyAssignment = {
  /** The policy. */
  authorisation_policy_id: string
  /** null: any user. */
  username: string | null
  /** null: whatever the user’s groups. */
  groupname: string | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
}

/** A group of the directory, as of the last refresh. */
export type Group = {
  /** Name, as used in policy assignments. */
  groupname: string
  /** When it was first read. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A log line of a step. */
export type LogLine = {
  /** The line, secrets masked. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** info, or error for what went to stderr. */
  level: "info" | "error"
  /** Line number within the attempt, from 1. */
  sequence: number
  /** The attempt of the step that wrote it. */
  attempt: number
  /** When the runner read it. */
  logged_at: string
  /** The step of a change that wrote it. Absent where it is none of a change. */
  step_id: string | null
  /** The change that it belongs to. Absent where it is none of a change. */
  change_id: string | null
  /** Step of a workflow run that wrote it; lines of its changes have the steps of these. Absent where it is none of a workflow run. */
  workflow_step_id: string | null
  /** The workflow run that it belongs to. Absent where it is none of a workflow run. */
  workflow_run_id: string | null
}

/** A file that a step kept as an artefact. */
export type Artefact = {
  /** Its file name. */
  name: string
  /** Its media type. */
  content_type: string
  /** Its size in bytes. */
  byte_size: number
  /** SHA-256 of its bytes. */
  sha256: string
  /** Labels given by the step: texts by name (`filter[labels.kind_eq]`). */
  labels: unknown
  /** Attempt of the step that kept it. */
  attempt: number
  /** When it was stored. */
  created_at: string
  [name: string]: unknown
}

/** Git repository that templates and changes of a project use. */
export type GitRemote = {
  /** Name, unique in its project. */
  name: string
  /** URL that it is fetched from. */
  url: string
  /** URL for people, such as a page of the repository. */
  public_url: string | null
  /** User name for the Git server. */
  user: string | null
  /** Password or token. Write-only: answered as "{{hidden}}" when set. */
  password: unknown
  /** Private key for ssh. Write-only: answered as "{{hidden}}" when set. */
  ssh_key_data: unknown
  /** Passphrase of the private key. Write-only: answered as "{{hidden}}" when set. */
  passphrase: unknown
  /** Seconds between two fetches; null uses the setting git_remote.periodic_fetch_interval. */
  periodic_fetch_interval: number | null
  /** Archived: kept, no longer fetched. */
  archived: boolean
  /** When it was last fetched. */
  fetched_at: string | null
  /** Error of the latest fetch. */
  fetch_error: string | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** Settings stated by one owner. */
export type Settings = {
  /** The document. */
  data: Record<string, unknown>
  /** Number of the newest version, from 1. */
  version: number
  /** Level: Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Author of the newest version. */
  created_by: string
  /** When the record was created. */
  created_at: string
  /** When the newest version was written. */
  updated_at: string
}

/** A version of settings, as it was in force for a time. */
export type SettingsVersion = {
  /** The document. */
  data: Record<string, unknown>
  /** Its number, from 1. */
  version: number
  /** Level: Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Author. */
  created_by: string
  /** When it was written. */
  created_at: string
  /** Start of the period in which it was in force. */
  active_from: string
  /** End of the period, exclusive; null: still in force. */
  active_to: string | null
}

/** The versions of settings in each layer of a node. */
export type SettingsHistory = {
  /** Position among the layers; 0 is the installation’s. */
  level: number
  /** Code of the owner; installation for the installation. */
  code: string
  /** Name of the owner. */
  name: string
  /** Versions of its settings, each with the start of its period. */
  settings_versions: unknown
}

/** Properties stated by one owner. */
export type Properties = {
  /** The document. */
  data: Record<string, unknown>
  /** Number of the newest version, from 1. */
  version: number
  /** Level: Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Author of the newest version. */
  created_by: string
  /** When the record was created. */
  created_at: string
  /** When the newest version was written. */
  updated_at: string
}

/** A version of properties, as it was in force for a time. */
export type PropertiesVersion = {
  /** The document. */
  data: Record<string, unknown>
  /** Its number, from 1. */
  version: number
  /** Level: Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Author. */
  created_by: string
  /** When it was written. */
  created_at: string
  /** Start of the period in which it was in force. */
  active_from: string
  /** End of the period, exclusive; null: still in force. */
  active_to: string | null
}

/** The versions of properties in each layer of a node, and the template versions that it had. */
export type PropertiesHistory = {
  /** Position among the layers; 0 is the project’s. */
  level: number
  /** Code of the owner; for a template version, its name. */
  code: string
  /** Name of the owner. */
  name: string
  /** Versions of its properties, each with the start of its period. */
  properties_versions: unknown
  /** Template versions that the asset or agent had, and when; absent in other entries. */
  template_versions: unknown
}

/** Background task on an asset or agent. */
export type NodeBackgroundTask = {
  /** In the requested order. */
  request_number: number
  /** Description. */
  task_type: "GenerateActionsRequest" | "BuildAgentImageTask" | "GenerateModelTask" | "StartAgentTask" | "StopAgentTask"
  /** initializing, running, success, error or cancelled. */
  status_code: "initializing" | "running" | "success" | "error" | "cancelled"
  /** Error message. */
  error_message: string | null
  /** User who requested it. */
  created_by: string
  /** Actions found; empty until it has succeeded. */
  actions: readonly (Record<string, unknown>)[]
  /** When it was requested. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Image that it built; null until then. */
  image_sha: string | null
  /** The image is gone from the registry. */
  image_purged: boolean | null
  /** Whether its agent runs on the image. */
  image_in_use: boolean | null
}

/** A log line of a background task. */
export type NodeBackgroundTaskLogLine = {
  /** The line. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** Version history entry of the node at the time of the request. */
  template_version_history_id: string | null
  /** The task that wrote it. */
  node_background_task_id: string
  /** The attempt of the task that wrote it; 0: before the first. */
  attempt: number
  /** Line number within the attempt, from 1. */
  sequence: number
  /** When it was written. */
  logged_at: string
}

/** Template of assets or agents: a folder of a repository, in versions. */
export type Template = {
  /** Its folder in the repository. */
  code: string
  /** Display name. */
  name: string
  /** Description. */
  description: string | null
  /** Archived: kept, accepts nothing new. */
  archived: boolean
  /** Whether it accepts no new nodes and no new versions. */
  disabled: boolean
  /** Type of nodes created from it: asset or agent. */
  template_type: "asset" | "agent"
  /** Git remote of its versions. */
  git_remote_name: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A version of a template: a revision of its repository and the commit that it resolves to. */
export type TemplateVersion = {
  /** Name. */
  version: string
  /** Result of the task. */
  description: string
  /** initializing, ready or broken. */
  state: "initializing" | "ready" | "broken"
  /** User who created it. */
  created_by: string
  /** Archived: kept, cannot be assigned to a node. */
  archived: boolean
  /** Why it is broken: one line for each error, with its position. */
  initialization_error: string | null
  /** Whether its commit is fixed. */
  locked: boolean
  /** Whether it follows its branch or tag. */
  float_git_rev: boolean
  /** Reason why it could not follow its revision; it keeps its commit. */
  float_refresh_error: string | null
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether its folder contains a model. */
  has_model: boolean | null
  /** Branch, tag or commit. */
  git_rev: string
  /** Commit that it resolves to; null before the first fetch. */
  commit_sha: string | null
  /** Git remote that it is fetched from. */
  git_remote_name: string
}

/** A period in which an asset or agent had one version of its template. */
export type TemplateVersionHistory = {
  /** User who assigned this version. */
  created_by: string
  /** Start of the period, inclusive. */
  active_from: string
  /** End of the period; null: current. */
  active_to: string | null
}

/** Rendered model of an asset. */
export type Model = {
  /** Rendered data. */
  data: Record<string, unknown>
  /** SHA-256 of its data as JSON without whitespace. */
  sha256: string
  /** The commit of its template. */
  commit_sha: string
  /** Log of the template: objects with category and message. */
  render_logs: readonly ({
  category: string
  message: string
})[]
  /** User who requested it. */
  created_by: string
  /** When it was created. */
  created_at: string
}

/** A run of one action on a node, as a tree of steps. */
export type Change = {
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** User who created it. */
  created_by: string
  /** Why it failed: the first failed step with its reason, or why it could not run. */
  error_message: string | null
  /** Approval rules, as of its creation. */
  requires_approval_from: unknown
  /** Approvals: by whom and when. */
  approved_by: unknown
  /** Rejections: by whom and when. */
  rejected_by: unknown
  /** User who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** User who paused it. */
  paused_by: string | null
  /** When it was created. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it was last updated. */
  updated_at: string
  /** Seconds from creation to start, and from start to end; null while in progress. */
  state_timing: unknown
  /** Name of the action that it runs. */
  action: string
  /** Name of its root step. */
  step_name: string
  /** Metadata attached by its creator. */
  metadata: unknown
  /** Whether a schedule created it. */
  scheduled: boolean
  /** Git remote that its actions come from. */
  git_remote_name: string | null
  /** Requested revision. */
  git_rev: string | null
  /** Commit that the revision resolved to at creation. */
  commit_sha: string | null
  /** Template version that its actions come from. */
  template_version: string | null
  /** Globs of the paths of steps to skip. */
  skip_steps: unknown
  /** Full path of the first step to run. */
  starting_step: string | null
  /** Whether wait steps without approvers continue automatically. */
  auto_continue_wait_steps: boolean
  /** Whether its image is rebuilt. */
  build_without_cache: boolean
  /** The layer "change" of its converged properties. */
  property_overrides: unknown
  /** Settings of this change only. */
  settings_overrides: unknown
  /** Hash of the plan that it must match. */
  plan_sha: string | null
  [name: string]: unknown
}

/** One step of a change: an action, a stage, a wait or an input. */
export type Step = {
  /** Name of the action that it runs; null for waits and inputs. */
  action: string | null
  /** Its name. */
  step_name: string
  /** The names from the root down, joined by "/". */
  full_path: string
  /** Description by its author. */
  description: string | null
  /** standard, wait, input or stage. */
  step_type: "standard" | "wait" | "input" | "stage"
  /** Position among its siblings, from 0. */
  step_sequence: number
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Order of its children: sequential or parallel. */
  child_execution_strategy: "sequential" | "parallel"
  /** Whether its failure is ignored. */
  ignore_failure: boolean
  /** Arguments of an input step. */
  input_arguments: unknown
  /** Approval rules. */
  requires_approval_from: unknown
  /** Approvals: by whom and when. */
  approved_by: unknown
  /** Rejections: by whom and when. */
  rejected_by: unknown
  /** User who continued it. */
  continued_by: string | null
  /** Whether the skip mask matches it. */
  skip_requested: boolean
  /** Number of attempts. */
  attempt: number
  /** Reason of its outcome, where the action does not tell: what failed, or who rejected or cancelled it. */
  outcome_reason: string | null
  /** Exit code of its action. */
  exit_code: number | null
  /** Outputs of its action; null: none. */
  outputs: unknown
  /** Error message. */
  error_message: string | null
  /** When it was created. */
  created_at: string
  /** Start of its latest attempt. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it was last updated. */
  updated_at: string
  /** Seconds in each state; null while in that state. */
  state_timing: unknown
  /** Median duration of its last ten successes in earlier activities of the same name on the same node; null: unknown. The tree has it for all steps. */
  expected_seconds: number | null
  /** Number of lines in its own log, all attempts together; 0: none. Lines of steps below it, and of changes that it made, do not count. */
  log_line_count: number
  /** How many of these were written to stderr. */
  error_line_count: number
  /** The change that it belongs to. */
  change_id: string
  /** Position in reading order among the steps of one change. */
  tree_order: string
}

/** One attempt of a step: a runner took it on, and it ended or is running. */
export type StepAttempt = {
  /** Its number among the attempts of the step in its change, from 1. */
  attempt: number
  /** How it ended; running: it has not. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Whether the service queued the step again after it. */
  superseded: boolean
  /** The runner that executed it. */
  runner_id: string | null
  /** Exit code of the action. */
  exit_code: number | null
  /** Why it failed. */
  error_message: string | null
  /** Reason of its outcome, where the action does not tell. */
  outcome_reason: string | null
  /** User who retried the change; null for the first attempt, and for those that the service began after a lost runner. */
  retried_by: string | null
  /** When a runner took it on. */
  started_at: string
  /** When it ended; with steps below the step, when these had ended too. Null while it runs. */
  finished_at: string | null
  /** The step; an earlier change has its own for the same action. */
  step_id: string
  /** The change in which it ran. */
  change_id: string
}

/** Desired and actual state of an agent, and its images. */
export type AgentStatus = {
  /** Desired state: running or absent. */
  desired_status: string
  /** Actual state: absent, initializing, running, stopping or error. */
  status: string
  /** State of its latest image: none, building, ready or error. */
  image_build_status: string
  /** Image that it runs; null while it is not running. */
  active_image_sha: string | null
  /** Image that was built last; null if there is none. */
  newest_image_sha: string | null
}

/** A log line of an agent. */
export type AgentLogLine = {
  /** The line. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** The agent that wrote it. */
  agent_path: string
  /** Start of the agent that wrote it. */
  attempt: number
  /** Line number within that start, from 1. */
  sequence: number
  /** When it was written. */
  logged_at: string
}

/** A versioned sequence of changes on several nodes, waits and other workflows. */
export type Workflow = {
  /** Code in paths; cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description. */
  description: string | null
  /** Whether its newest version is a draft. */
  draft: boolean
  /** Archived: kept, can no longer run. */
  archived: boolean
  /** Number of its newest version, from 1. */
  latest_version: number
  /** Number of the version that runs by default. */
  latest_published_version: number | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A version of a workflow: its source and the steps parsed from it. */
export type WorkflowVersion = {
  /** Its number, from 1. */
  version: number
  /** Whether it is a draft, which can be edited but not run. */
  draft: boolean
  /** Source as written. Stored encrypted. */
  source_yaml: string
  /** Steps with types, generated names and absolute targets; null for a draft with errors, see meta.errors. */
  steps: readonly (Record<string, unknown>)[] | null | null
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** When it was published; null for a draft. */
  published_at: string | null
}

/** A run of a version of a workflow, as a tree of steps. */
export type WorkflowRun = {
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** User who created it. */
  created_by: string
  /** Why it failed: the first failed step with its reason, or why it could not run. */
  error_message: string | null
  /** Approval rules, as of its creation. */
  requires_approval_from: unknown
  /** Approvals: by whom and when. */
  approved_by: unknown
  /** Rejections: by whom and when. */
  rejected_by: unknown
  /** User who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** User who paused it. */
  paused_by: string | null
  /** When it was created. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it was last updated. */
  updated_at: string
  /** Seconds from creation to start, and from start to end; null while in progress. */
  state_timing: unknown
  /** Code of the workflow that it runs. */
  workflow_code: string
  /** The version of the workflow. */
  version: number
  /** Name of the workflow when it was made. */
  name: string
  /** Metadata attached by its creator. */
  metadata: unknown
  /** Whether a schedule created it. */
  scheduled: boolean
  /** Globs of the names of steps to skip. */
  skip_steps: unknown
  /** Overrides of the properties of its project. */
  property_overrides: unknown
  [name: string]: unknown
}

/** One step of a workflow run: a change, a wait or approval, another workflow, or a stage. */
export type WorkflowStep = {
  /** Its name. */
  name: string
  /** The names from the root down, joined by "/". */
  full_path: string
  /** change, wait, workflow or stage. */
  step_type: "change" | "wait" | "workflow" | "stage"
  /** Paths of the nodes that its changes run on. */
  targets: unknown
  /** The action that its changes run. */
  action: string | null
  /** The template version that its changes take their actions from. */
  template_version: string | null
  /** Code of the workflow that it runs. */
  workflow_code: string | null
  /** Earliest start of what it starts, as written in the workflow. */
  start_time: string | null
  /** Position among its siblings, from 0. */
  step_sequence: number
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Order of its children: sequential or parallel. */
  child_execution_strategy: "sequential" | "parallel"
  /** Whether its failure is ignored. */
  ignore_failure: boolean
  /** Approval rules. */
  requires_approval_from: unknown
  /** Approvals: by whom and when. */
  approved_by: unknown
  /** Rejections: by whom and when. */
  rejected_by: unknown
  /** User who continued it. */
  continued_by: string | null
  /** Whether the skip mask matches it. */
  skip_requested: boolean
  /** Whether a retry of the run asks for approval again. */
  reset_on_retry: boolean
  /** Error message. */
  error_message: string | null
  /** When it was created. */
  created_at: string
  /** Start of its latest attempt. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it was last updated. */
  updated_at: string
  /** Seconds in each state; null while in that state. */
  state_timing: unknown
  /** Median duration of its last ten successes in earlier activities of the same name on the same node; null: unknown. The tree has it for all steps. */
  expected_seconds: number | null
  /** Number of lines in its own log, all attempts together; 0: none. Lines of steps below it, and of changes that it made, do not count. */
  log_line_count: number
  /** How many of these were written to stderr. */
  error_line_count: number
  /** The run that it belongs to. */
  workflow_run_id: string
  /** Position in reading order among the steps of one run. */
  tree_order: string
}

/** A change or a workflow run, in one list of all activities: queued, running and ended. */
export type Activity = {
  /** change or workflow_run. */
  type: "change" | "workflow_run"
  /** Path of the node that it runs on. */
  path: string
  /** What it runs: the action of a change, the code of the workflow of a run. */
  name: string
  /** Changes: name of the action. */
  action: string | null
  /** Workflow runs: code of the workflow. */
  workflow_code: string | null
  /** Changes: the requested revision; workflow runs: the version. */
  revision: string | null
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** User who created it. */
  created_by: string
  /** Why it failed: the first failed step with its reason, or why it could not run. */
  error_message: string | null
  /** Approval rules, as of its creation. */
  requires_approval_from: unknown
  /** Approvals: by whom and when. */
  approved_by: unknown
  /** Rejections: by whom and when. */
  rejected_by: unknown
  /** User who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** User who paused it. */
  paused_by: string | null
  /** When it was created. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it was last updated. */
  updated_at: string
  /** Metadata attached by its creator. */
  metadata: unknown
  /** Whether a schedule created it. */
  scheduled: boolean
  /** In progress: number of its steps, groups included, and of those that have ended; null once it has ended. */
  progress: {
  step_count: number
  ended_step_count: number
} | null
  /** Globs of the steps to skip. */
  skip_steps: unknown
  /** Overrides of the properties of its node. */
  property_overrides: unknown
  [name: string]: unknown
}

/** Schedule that starts a change on a node, or a run of a workflow of a project, when it is due. */
export type ScheduledChange = {
  /** The action that its changes run. */
  action: string | null
  /** The workflow that its runs are of. */
  workflow_code: string | null
  /** Published version; null: the latest. */
  version: number | null
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule: string | null
  /** Single due time. */
  run_at: string | null
  /** Time zone of the cron expression. */
  time_zone: string
  /** Whether it is recurring. */
  repeat: boolean
  /** Maximum number of changes that it starts. */
  maximum_run_count: number | null
  /** It is not due after this time. */
  end_at: string | null
  /** Whether it is enabled. */
  enabled: boolean
  /** Reason why the service disabled it. */
  disabled_reason: string | null
  /** Whether it starts only for a new commit. */
  new_commits_only: boolean
  /** Patterns of files, one of which such a commit must touch. */
  commit_file_patterns: unknown
  /** Whether a file must match any of the patterns or all. */
  commit_file_pattern_match: "any" | "all"
  /** Whether it starts one while an earlier one is still running. */
  allow_parallel_execution: boolean
  /** On projects and environments: folder of the actions. */
  git_remote_name: string | null
  /** On projects and environments: the revision. */
  git_rev: string | null
  /** On assets: a template version other than the current one. */
  template_version: string | null
  /** Metadata of its changes, for filters. */
  metadata: unknown
  /** Globs of the paths of steps that its changes skip. */
  skip_steps: unknown
  /** Full path of the first step to run. */
  starting_step: string | null
  /** Whether wait steps without approvers in its changes continue automatically. */
  auto_continue_wait_steps: boolean
  /** Whether the image of its changes is rebuilt. */
  build_without_cache: boolean
  /** Notifications about what it starts. */
  notify: {
  /** Types of events, as they are recorded of it. */
  events: readonly string[]
  /** Users. */
  user_names: readonly string[]
  /** Groups of the directory. */
  ldap_groups: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses: readonly string[]
} | null | null
  /** The most specific layer of the properties of its changes. */
  property_overrides: unknown
  /** Settings of its changes only. */
  settings_overrides: unknown
  /** Next due time; null if it is never due again. */
  next_run_at: string | null
  /** The next five times at which it is due, in its own time zone. */
  next_due_times: readonly string[]
  /** Number of changes that it has started. */
  run_count: number
  /** User who created it, and on whose behalf its changes run. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** A node of any type with its place in the tree and what happens on it. */
export type NodeSummary = {
  /** Path of the node. */
  path: string
  /** project, environment, asset or agent. */
  node_type: "project" | "environment" | "asset" | "agent"
  /** Depth in the tree: 1 for a project, 2 for its children, 3 for the assets of an environment. */
  depth: number
  /** Code: its segment of the path. */
  code: string
  /** Display name. */
  name: string
  /** Whether the node is archived. */
  archived: boolean
  /** Assets and agents: code of the template. */
  template_code: string | null
  /** Assets and agents: current template version. */
  template_version: string | null
  /** Whether a background task of the node is in progress. */
  task_active: boolean
  /** Number of unfinished activities on the node itself. */
  active_count: number
  /** Number of those with a step that waits. */
  waiting_count: number
  /** Status of the newest ended activity. */
  last_status: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected" | null
  /** When that activity ended. */
  last_finished_at: string | null
}

/** A step of a change or of a workflow run that waits: for approvals, for input, or to be continued. */
export type WaitingStep = {
  /** Name of the step. */
  step_name: string
  /** The names from the root down, joined by "/". */
  full_path: string
  /** Description by its author. */
  description: string | null
  /** waiting or waiting_for_approval. */
  status_code: "waiting" | "waiting_for_approval"
  /** What it waits for: approval, input, timer (it continues by itself) or continue. */
  waits_for: "approval" | "input" | "timer" | "continue"
  /** When it began to wait. */
  waiting_since: string
  /** When it continues by itself; null if a user continues it. */
  wakes_at: string | null
  /** Approval rules. */
  requires_approval_from: unknown
  /** Approvals so far: by whom, when, and with which message. */
  approved_by: unknown
  /** The change or workflow run that it belongs to. */
  activity_id: string
  /** change or workflow_run. */
  activity_type: "change" | "workflow_run"
  /** Path of the node that the activity runs on. */
  node_path: string
  /** Changes: name of the action. */
  action: string | null
  /** Workflow runs: code of the workflow. */
  workflow_code: string | null
  /** Changes: template version that their actions come from. */
  template_version: string | null
  /** Changes: commit that their actions come from. */
  commit_sha: string | null
  /** Workflow runs: version of the workflow. */
  workflow_version: number | null
  /** Number of all steps of the activity, groups included. */
  step_count: number
  /** Changes: hash of the plan of the change, which an approver signs. */
  plan_sha: string | null
  /** Metadata attached to the activity by its creator. */
  metadata: unknown
  /** User who created the activity. */
  created_by: string
  /** When the step was created. */
  created_at: string
  [name: string]: unknown
}

/** A key rotation: replaces the keys that encrypt everything secret. */
export type KeyRotation = {
  /** announced until every process knows the new key, switching until every process encrypts with it, resealing until nothing is encrypted with an earlier key, then success. */
  status: "announced" | "switching" | "resealing" | "success"
  /** Reason why it waits, if it does. */
  waiting_for: string | null
  /** The number of the new data key. */
  data_key: number
  /** Whether the root key is replaced as well. */
  root_key: boolean
  /** Number of records re-encrypted so far. */
  resealed: number
  /** User who started it. */
  created_by: string
  /** When it started. */
  created_at: string
  /** When it last made progress. */
  updated_at: string
  /** When it ended. */
  finished_at: string | null
}

/** Limit of concurrent work of one kind on a site, and the work that holds its slots. */
export type ResourceSlotPool = {
  /** The kind of work: runner, actions_refresh, model, agent, image_build. */
  pool: string
  /** Site. */
  site: string
  /** Maximum number of slots in use at once; a setting of the installation. */
  configured_limit: number
  /** Slots in use; more than the limit after the limit was lowered, until they are released. */
  claimed_count: number
  /** Number of activities waiting for a slot, for any reason. */
  waiting_count: number
  /** Holder of each claimed slot; for holders that the caller may not read, only the time. */
  slots: readonly (Record<string, unknown>)[]
  /** When its limit or its holders last changed. */
  updated_at: string
}

/** A background job of the service. */
export type Job = {
  /** Name of the task, such as changes.prepare. */
  job_class: string
  /** Jobs of one queue run one after another; those of "default" as they come. */
  queue: string
  /** pending until it runs, running, success, or error after its last attempt. */
  status: "pending" | "running" | "success" | "error"
  /** Number of attempts. */
  attempts: number
  /** Maximum number of attempts. */
  maximum_attempts: number
  /** Error of the last attempt. */
  last_error: string | null
  /** Earliest time to run it; after a failure, the time of the next attempt. */
  run_at: string
  /** When it started; set while it runs and after it has succeeded. */
  started_at: string | null
  /** When it ended or was given up. */
  finished_at: string | null
  /** Node that it relates to, if any. */
  node_path: string | null
  /** When it was queued. */
  created_at: string
}

/** Site: a place where work is done, and its capacity. */
export type Site = {
  /** Name, as used by processes and pools. */
  code: string
  /** Service processes that serve this site now. */
  processes: number
  /** Number of runners. */
  runners: number
  /** Slot pools; the resource slots list their holders. */
  pools: readonly ({
  pool: string
  configured_limit: number
  claimed_count: number
})[]
  /** When it first appeared. */
  created_at: string
}

/** Retention rule: what to delete, after how long, on which schedule. */
export type DataCleanupDefinition = {
  /** Display name. */
  name: string
  /** Type of records to delete: activities (changes and workflow runs), events, jobs. */
  kind: "activities" | "events" | "jobs"
  /** Due time. */
  cron_schedule: string
  /** Time zone of that time. */
  time_zone: string
  /** Paths of nodes; a trailing % matches a prefix. */
  node_paths: readonly string[]
  /** Restricts them to the records that match these list filters. */
  filters: unknown
  /** Deletes only what ended (events: was recorded) longer ago than this. */
  older_than: string
  /** Maximum number, oldest first. */
  maximum_per_run: number | null
  /** Whether it is enabled. */
  enabled: boolean
  /** Last due time at which it started. */
  last_run_at: string | null
  /** Next due time; null if it is never due. */
  next_run_at: string | null
  /** The next five times at which it is due, in its own time zone. */
  next_due_times: readonly string[]
  /** User who created it. */
  created_by: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

/** The attributes of each type of record, as one shown alone has them; lists leave some out. */
export interface Records {
  project: Project
  environment: Environment
  asset: Asset
  agent: Agent
  bookmark: Bookmark
  user: User
  token: Token
  session: Session
  preferences: Preferences
  saved_view: SavedView
  event: Event
  authorisation_policy: AuthorisationPolicy
  authorisation_rule: AuthorisationRule
  policy_rule: PolicyRule
  policy_assignment: PolicyAssignment
  group: Group
  log_line: LogLine
  artefact: Artefact
  git_remote: GitRemote
  settings: Settings
  settings_version: SettingsVersion
  settings_history: SettingsHistory
  properties: Properties
  properties_version: PropertiesVersion
  properties_history: PropertiesHistory
  node_background_task: NodeBackgroundTask
  node_background_task_log_line: NodeBackgroundTaskLogLine
  template: Template
  template_version: TemplateVersion
  template_version_history: TemplateVersionHistory
  model: Model
  change: Change
  step: Step
  step_attempt: StepAttempt
  agent_status: AgentStatus
  agent_log_line: AgentLogLine
  workflow: Workflow
  workflow_version: WorkflowVersion
  workflow_run: WorkflowRun
  workflow_step: WorkflowStep
  activity: Activity
  scheduled_change: ScheduledChange
  node_summary: NodeSummary
  waiting_step: WaitingStep
  key_rotation: KeyRotation
  resource_slot_pool: ResourceSlotPool
  job: Job
  site: Site
  data_cleanup_definition: DataCleanupDefinition
}

export type ToKeyRotationsCreate = {
  /** Re-wraps all keys under the next root key, which every process must have been given. */
  root_key?: boolean
}

export type ToAgentsUpdate = {
  /** Display name. */
  name?: string
  /** Description; null is the empty text. */
  description?: string | null
  /** false restores it, true archives it. */
  archived?: boolean
  /** Another ready version of its template. */
  template_version?: string
  /** Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since. */
  template_version_commit?: string
}

export type ToAuthorisationChecksCheck = {
  /** User to check; default the caller. Checking others requires read on the policies of each path. */
  username?: string
  /** Rights and the paths to check them on, at most 200. */
  checks: readonly ({
  /** a path such as /projects/bank/environments/live, without * and without a / at its end */
  path: string
  right: "read" | "update" | "execute" | "delete"
})[]
}

export type ToAuthorisationPoliciesCreate = {
  /** Unique, case-insensitively. */
  name: string
  description?: string | null
  authorisation_rules?: readonly ({
  /** Path, with * for one segment. */
  path: string
  /** a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction */
  name?: string | null
  /** Reading: true allows, false denies. */
  read?: boolean | null
  /** Changing: true allows, false denies. */
  update?: boolean | null
  /** Running: true allows, false denies. */
  execute?: boolean | null
  /** Deleting: true allows, false denies. */
  delete?: boolean | null
})[]
  assignments?: readonly ({
  /** null: any user. */
  username?: string | null
  /** null: whatever the user’s groups. */
  groupname?: string | null
})[]
}

export type ToAuthorisationPoliciesUpdate = {
  /** Unique, case-insensitively. */
  name?: string
  description?: string | null
}

export type ToAuthorisationPoliciesPutAssignments = {
  assignments: readonly ({
  /** null: any user. */
  username?: string | null
  /** null: whatever the user’s groups. */
  groupname?: string | null
})[]
}

export type ToAuthorisationPoliciesPutRules = {
  authorisation_rules: readonly ({
  /** Path, with * for one segment. */
  path: string
  /** a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction */
  name?: string | null
  /** Reading: true allows, false denies. */
  read?: boolean | null
  /** Changing: true allows, false denies. */
  update?: boolean | null
  /** Running: true allows, false denies. */
  execute?: boolean | null
  /** Deleting: true allows, false denies. */
  delete?: boolean | null
})[]
}

export type ToAuthorisationRulesCreate = {
  /** Path, with * for one segment. */
  path: string
  /** a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction */
  name?: string | null
  /** Reading: true allows, false denies. */
  read?: boolean | null
  /** Changing: true allows, false denies. */
  update?: boolean | null
  /** Running: true allows, false denies. */
  execute?: boolean | null
  /** Deleting: true allows, false denies. */
  delete?: boolean | null
}

export type ToAuthorisationRulesUpdate = {
  /** Path, with * for one segment. */
  path?: string
  /** a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction */
  name?: string | null
  /** Reading: true allows, false denies. */
  read?: boolean | null
  /** Changing: true allows, false denies. */
  update?: boolean | null
  /** Running: true allows, false denies. */
  execute?: boolean | null
  /** Deleting: true allows, false denies. */
  delete?: boolean | null
}

export type ToChangesCreate = {
  /** Action to run. Required, except for a retry. */
  action?: string
  /** On projects and environments: the Git remote of the actions. */
  git_remote_name?: string
  /** On projects and environments: branch, tag or commit. */
  git_rev?: string
  /** On assets: a template version other than the current one. */
  template_version?: string
  /** Metadata, for filters. */
  metadata?: Record<string, unknown>
  /** The most specific layer of its converged properties. */
  property_overrides?: Record<string, unknown>
  /** Settings for this change only. */
  settings_overrides?: Record<string, unknown>
  /** Globs of the steps to skip. */
  skip_steps?: readonly string[]
  /** Full path of the first step to run. */
  starting_step?: string
  /** Skips every wait step that has no approvers and no argument without a default. */
  auto_continue_wait_steps?: boolean
  /** Whether its own image, if it has one, is rebuilt. */
  build_without_cache?: boolean
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
}
  /** Earliest start. */
  run_at?: string
  /** Hash of the plan to carry out; refused if the plan has changed. */
  plan_sha?: string
  /** Retries the steps of relationships.change that did not succeed. */
  retry?: boolean
  /** On a retry: uses the newest commit of the revision. */
  refresh_sha?: boolean
  /** Path of a node: /projects/bank/assets/web. */
  parent_path?: string
}

export type ToChangesPause = {
  /** Reason, for the record. */
  reason?: string
}

export type ToNodesCompare = {
  /** Path of the one node: /projects/bank/assets/web. */
  node_path_a: string
  /** Path of the other node: /projects/bank/assets/web. */
  node_path_b: string
}

export type ToDataCleanupDefinitionsCreate = {
  /** Display name. */
  name: string
  /** Type of records to delete: activities (changes and workflow runs), events, jobs. agent_images are not supported yet. */
  kind: "activities" | "events" | "jobs" | "agent_images"
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule: string
  /** IANA time zone of that time; default UTC. */
  time_zone?: string
  /** Paths of nodes; default %, which matches all, and records without a node. */
  node_paths?: readonly string[]
  /** Only records that match these list filters: {"status_code_eq": "success"}. */
  filters?: Record<string, unknown>
  /** Only what ended (events: was recorded) longer ago than this ISO 8601 duration: P90D. */
  older_than: string
  /** Maximum number, oldest first. */
  maximum_per_run?: number | null
  /** Whether it is enabled; default true. */
  enabled?: boolean
}

export type ToDataCleanupDefinitionsUpdate = {
  /** Display name. */
  name?: string
  /** Type of records to delete: activities (changes and workflow runs), events, jobs. agent_images are not supported yet. */
  kind?: "activities" | "events" | "jobs" | "agent_images"
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string
  /** IANA time zone of that time; default UTC. */
  time_zone?: string
  /** Paths of nodes; default %, which matches all, and records without a node. */
  node_paths?: readonly string[]
  /** Only records that match these list filters: {"status_code_eq": "success"}. */
  filters?: Record<string, unknown>
  /** Only what ended (events: was recorded) longer ago than this ISO 8601 duration: P90D. */
  older_than?: string
  /** Maximum number, oldest first. */
  maximum_per_run?: number | null
  /** Whether it is enabled; default true. */
  enabled?: boolean
}

export type ToEnvironmentsUpdate = {
  /** Display name. */
  name?: string
  /** Description; null is the empty text. */
  description?: string | null
  /** false restores it, true archives it. */
  archived?: boolean
}

export type ToEventsCreate = {
  /** Any JSON value. */
  type: string
  /** The node that it relates to. */
  node_path?: string
  /** The record that it relates to. */
  node_id?: string
  /** The record that it relates to. */
  step_id?: string
  /** The record that it relates to. */
  change_id?: string
  /** The record that it relates to. */
  workflow_step_id?: string
  /** The record that it relates to. */
  workflow_run_id?: string
  /** The record that it relates to. */
  scheduled_change_id?: string
  /** The record that it relates to. */
  bookmark_id?: string
  /** The record that it relates to. */
  template_version_id?: string
  /** The record that it relates to. */
  template_id?: string
  /** The record that it relates to. */
  git_remote_id?: string
  /** The record that it relates to. */
  properties_version_id?: string
  /** The record that it relates to. */
  properties_id?: string
  /** The record that it relates to. */
  settings_version_id?: string
  /** The record that it relates to. */
  settings_id?: string
  /** The node that it relates to. */
  project_path?: string
  /** The record that it relates to. */
  project_id?: string
  [name: string]: unknown
}

export type ToPreferencesUpdate = {
  /** Merge patch; the preferences have at most 65536 bytes of JSON. */
  data: Record<string, unknown>
}

export type ToPolicyAssignmentsCreate = {
  /** The id of a policy. */
  authorisation_policy_id: string
  /** null: any user. */
  username?: string | null
  /** null: whatever the user’s groups. */
  groupname?: string | null
}

export type ToPolicyRulesCreate = {
  /** The id of a policy. */
  authorisation_policy_id: string
  /** The id of a rule. */
  authorisation_rule_id: string
}

export type ToProjectsCreate = {
  /** Code: its segment of the path; unique among siblings, cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description; null is the empty text. */
  description?: string | null
  /** A Standard project contains environments only. Default Enterprise. */
  project_type?: "Standard" | "Enterprise"
}

export type ToAgentsCreate = {
  /** Code: its segment of the path; unique among siblings, cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description; null is the empty text. */
  description?: string | null
  /** Template of the same project. */
  template_code: string
  /** A ready version of that template. */
  template_version: string
}

export type ToBookmarksCreate = {
  /** Message text. */
  description: string
  /** Target of the link: http, https or mailto. */
  url?: string | null
}

export type ToBookmarksUpdate = {
  /** Message text. */
  description?: string
  /** Target of the link: http, https or mailto. */
  url?: string | null
}

export type ToChangesCreateOnNode = {
  /** Action to run. Required, except for a retry. */
  action?: string
  /** On projects and environments: the Git remote of the actions. */
  git_remote_name?: string
  /** On projects and environments: branch, tag or commit. */
  git_rev?: string
  /** On assets: a template version other than the current one. */
  template_version?: string
  /** Metadata, for filters. */
  metadata?: Record<string, unknown>
  /** The most specific layer of its converged properties. */
  property_overrides?: Record<string, unknown>
  /** Settings for this change only. */
  settings_overrides?: Record<string, unknown>
  /** Globs of the steps to skip. */
  skip_steps?: readonly string[]
  /** Full path of the first step to run. */
  starting_step?: string
  /** Skips every wait step that has no approvers and no argument without a default. */
  auto_continue_wait_steps?: boolean
  /** Whether its own image, if it has one, is rebuilt. */
  build_without_cache?: boolean
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
}
  /** Earliest start. */
  run_at?: string
  /** Hash of the plan to carry out; refused if the plan has changed. */
  plan_sha?: string
  /** Retries the steps of relationships.change that did not succeed. */
  retry?: boolean
  /** On a retry: uses the newest commit of the revision. */
  refresh_sha?: boolean
}

export type ToScheduledActivitiesCreateOnNode = {
  /** The action that its changes run. */
  action?: string
  /** On projects, instead of an action: the workflow to run. */
  workflow_code?: string
  /** Published version of the workflow; default the latest. */
  version?: number | null
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** Single due time, instead of cron_schedule. */
  run_at?: string | null
  /** IANA time zone of the expression; default UTC. */
  time_zone?: string
  /** Whether it is recurring; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** It is not due after this time. */
  end_at?: string | null
  /** Whether it is enabled; default true. */
  enabled?: boolean
  /** Only when the commit of its revision is new to it. */
  new_commits_only?: boolean
  /** Only when that commit touches a file that matches these patterns. */
  commit_file_patterns?: readonly ({
  /** A glob over paths in the repository. */
  match: string
  negate?: boolean
})[]
  /** Whether any of the patterns must match, or all. */
  commit_file_pattern_match?: "any" | "all"
  /** Starts even while an earlier one is still running; default false. */
  allow_parallel_execution?: boolean
  /** On projects and environments: the Git remote of the actions. */
  git_remote_name?: string | null
  /** On projects and environments: branch, tag or commit. */
  git_rev?: string | null
  /** On assets: a template version other than the current one. */
  template_version?: string | null
  /** Metadata of its changes, for filters. */
  metadata?: Record<string, unknown>
  /** The most specific layer of the properties of its changes. */
  property_overrides?: Record<string, unknown>
  /** Settings for its changes only. */
  settings_overrides?: Record<string, unknown>
  skip_steps?: readonly string[]
  /** Full path of the first step to run. */
  starting_step?: string | null
  /** Its changes skip every wait step that has no approvers and no argument without a default. */
  auto_continue_wait_steps?: boolean
  /** Whether the image of its changes, if they have one, is rebuilt. */
  build_without_cache?: boolean
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
} | null
}

export type ToEnvironmentsCreate = {
  /** Code: its segment of the path; unique among siblings, cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description; null is the empty text. */
  description?: string | null
}

export type ToGitRemotesCreate = {
  /** Name, unique in its project. */
  name: string
  /** URL that it is fetched from: https://…, ssh://…, user@host:path. */
  url: string
  /** URL for people, such as a page of the repository. */
  public_url?: string | null
  /** User name for the Git server. */
  user?: string | null
  /** Password or token; write-only. */
  password?: string | null
  /** Private key for SSH; write-only. */
  ssh_key_data?: string | null
  /** Passphrase of the private key; write-only. */
  passphrase?: string | null
  periodic_fetch_interval?: number | null
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToGitRemotesUpdate = {
  /** Name, unique in its project. */
  name?: string
  /** URL that it is fetched from: https://…, ssh://…, user@host:path. */
  url?: string
  /** URL for people, such as a page of the repository. */
  public_url?: string | null
  /** User name for the Git server. */
  user?: string | null
  /** Password or token; write-only. */
  password?: string | null
  /** Private key for SSH; write-only. */
  ssh_key_data?: string | null
  /** Passphrase of the private key; write-only. */
  passphrase?: string | null
  periodic_fetch_interval?: number | null
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToTemplatesCreate = {
  /** Folder in the repository; cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description. */
  description?: string | null
  /** Type of nodes created from it; cannot be changed. */
  template_type: "asset" | "agent"
  /** Git remote of its versions. */
  git_remote_name: string
}

export type ToTemplatesUpdate = {
  /** Display name. */
  name?: string
  /** Description. */
  description?: string | null
  /** Git remote of its versions. */
  git_remote_name?: string
  /** true archives it, false restores it. */
  archived?: boolean
  /** true: it accepts no new nodes and no new versions. */
  disabled?: boolean
}

export type ToTemplateVersionsPut = {
  description?: string | null
  /** Branch, tag or commit. */
  git_rev?: string
  /** Whether its commit is fixed. */
  locked?: boolean
  /** Whether it follows its branch or tag. */
  float_git_rev?: boolean
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToTemplateVersionsAssignToAssets = {
  /** Paths of assets, such as /projects/bank/environments/live/assets/web. */
  asset_paths: readonly string[]
  /** Version that each asset is expected to have now, by its path: 409 if one has another, which is neither this one nor the expected one. */
  from_versions?: Record<string, unknown>
}

export type ToWorkflowsCreate = {
  /** Code in paths; cannot be changed. */
  code: string
  /** Display name. */
  name: string
  /** Description. */
  description?: string | null
  /** Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them. */
  source_yaml: string
  /** false publishes it at once, if it has no errors. */
  draft?: boolean
}

export type ToWorkflowsValidate = {
  /** Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them. */
  source_yaml: string
  /** As a run would have them. */
  property_overrides?: Record<string, unknown>
}

export type ToWorkflowsUpdate = {
  /** Display name. */
  name?: string
  /** Description. */
  description?: string | null
  /** Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them. */
  source_yaml?: string
  /** false publishes it at once, if it has no errors. */
  draft?: boolean
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToWorkflowRunsCreateOfWorkflow = {
  /** A published version; default the latest. */
  version?: number
  /** Overrides of the project’s properties, for `{{path}}` in the workflow. */
  property_overrides?: Record<string, unknown>
  /** Metadata, for filters. */
  metadata?: Record<string, unknown>
  /** Globs of the steps to skip. */
  skip_steps?: readonly string[]
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
}
  /** Earliest start. */
  run_at?: string
  /** Hash of the plan to carry out; refused if the plan has changed. */
  plan_sha?: string
  /** Retries the run in relationships.workflow_run; no other attribute is needed. */
  retry?: boolean
}

export type ToWorkflowVersionsCreate = {
  /** Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them. */
  source_yaml: string
}

export type ToPropertiesUpdate = {
  /** The whole document. */
  data: Record<string, unknown>
  /** Version that this replaces; 409 if the newest version is another one. */
  version?: number
}

export type ToPropertiesImpact = {
  /** The whole new document. */
  data: Record<string, unknown>
  /** Version that this replaces; 409 if the newest version is another one. */
  version?: number
}

export type ToSavedViewsCreate = {
  /** Name of the view, unique among those of its owner for the list. */
  name: string
  /** List that the query is for, such as activities. */
  list: string
  /** Filters, sorting and columns, as a query string of the client that saved it. */
  query: string
  /** Users who see it: private (the owner) or everyone. */
  shared_with?: "private" | "everyone"
}

export type ToSavedViewsUpdate = {
  /** Name of the view, unique among those of its owner for the list. */
  name?: string
  /** List that the query is for, such as activities. */
  list?: string
  /** Filters, sorting and columns, as a query string of the client that saved it. */
  query?: string
  /** Users who see it: private (the owner) or everyone. */
  shared_with?: "private" | "everyone"
}

export type ToScheduledActivitiesCreate = {
  /** The action that its changes run. */
  action?: string
  /** On projects, instead of an action: the workflow to run. */
  workflow_code?: string
  /** Published version of the workflow; default the latest. */
  version?: number | null
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** Single due time, instead of cron_schedule. */
  run_at?: string | null
  /** IANA time zone of the expression; default UTC. */
  time_zone?: string
  /** Whether it is recurring; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** It is not due after this time. */
  end_at?: string | null
  /** Whether it is enabled; default true. */
  enabled?: boolean
  /** Only when the commit of its revision is new to it. */
  new_commits_only?: boolean
  /** Only when that commit touches a file that matches these patterns. */
  commit_file_patterns?: readonly ({
  /** A glob over paths in the repository. */
  match: string
  negate?: boolean
})[]
  /** Whether any of the patterns must match, or all. */
  commit_file_pattern_match?: "any" | "all"
  /** Starts even while an earlier one is still running; default false. */
  allow_parallel_execution?: boolean
  /** On projects and environments: the Git remote of the actions. */
  git_remote_name?: string | null
  /** On projects and environments: branch, tag or commit. */
  git_rev?: string | null
  /** On assets: a template version other than the current one. */
  template_version?: string | null
  /** Metadata of its changes, for filters. */
  metadata?: Record<string, unknown>
  /** The most specific layer of the properties of its changes. */
  property_overrides?: Record<string, unknown>
  /** Settings for its changes only. */
  settings_overrides?: Record<string, unknown>
  skip_steps?: readonly string[]
  /** Full path of the first step to run. */
  starting_step?: string | null
  /** Its changes skip every wait step that has no approvers and no argument without a default. */
  auto_continue_wait_steps?: boolean
  /** Whether the image of its changes, if they have one, is rebuilt. */
  build_without_cache?: boolean
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
} | null
  /** Path of a node: /projects/bank/assets/web. */
  parent_path: string
}

export type ToScheduledActivitiesPreview = {
  /** Cron expression: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** Single due time, instead of cron_schedule. */
  run_at?: string | null
  /** IANA time zone of the expression; default UTC. */
  time_zone?: string
  /** Whether it is recurring; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** It is not due after this time. */
  end_at?: string | null
}

export type ToSecretsEncrypt = {
  /** The path of a node. */
  node_path: string
  /** Path below the node. */
  path: string
  /** Name in the directory. */
  key: string
  /** Secret. Write-only; never recorded. */
  value: string
}

export type ToSecretsResolve = {
  /** The path of a node. */
  node_path: string
  /** secret://… */
  reference: string
}

export type ToSettingsUpdate = {
  /** Names of settings (with dots) as keys. */
  data: Record<string, unknown>
  /** Version that this replaces; 409 if the newest version is another one. */
  version?: number
}

export type ToStepsApprove = {
  /** Reason, for the record. */
  message?: string
}

export type ToStepsContinue = {
  /** Reason, for the record. */
  message?: string
  /** Values for the arguments of an input step, by name. */
  input_arguments?: Record<string, unknown>
}

export type ToStepsEmail = {
  /** Recipients. */
  to: readonly string[]
  /** Recipients of a copy. */
  cc?: readonly string[]
  /** Recipients of a blind copy. */
  bcc?: readonly string[]
  /** Reply-to address. */
  reply_to?: readonly string[]
  /** one line of 1 to 500 characters, without line breaks and control characters */
  subject: string
  /** Body as text; give this, `html`, or both. */
  text?: string
  /** The body as HTML. */
  html?: string
  /** Files of at most 5 MiB in total. */
  attachments?: readonly ({
  /** the name of a file, of 1 to 255 characters, without a folder */
  name: string
  /** Its bytes, in base64. */
  content: string
})[]
}

export type ToStepsForgetSecrets = {
  /** Path below the node of the change. */
  path: string
  /** Name in the directory. */
  key?: string
}

export type ToStepsSecret = {
  /** Path below the node of the change. */
  path: string
  /** Name in the directory. */
  key: string
  /** Number of characters; default 32. */
  length?: number
  /** Alphabet; default letters and digits. */
  characters?: string
  /** false: a missing secret is not created. */
  make?: boolean
}

export type ToTokensCreate = {
  /** Description. */
  description: string
  /** Expiry time (ISO 8601). */
  expires_at: string
}

export type ToUsersCreate = {
  /** The name to sign in with; never changes. */
  username: string
  /** Of at least 12 characters. Never answered. */
  password: string
  /** Display name. */
  display_name?: string | null
  /** Email address. */
  email_address?: string | null
  /** Whether sign-in is refused. */
  disabled?: boolean
}

export type ToUsersUpdate = {
  /** Of at least 12 characters. Never answered. */
  password?: string
  /** Current password, required to change the own password. */
  current_password?: string
  /** Display name. */
  display_name?: string | null
  /** Email address. */
  email_address?: string | null
  /** Whether sign-in is refused. */
  disabled?: boolean
}

export type ToWorkflowRunsCreate = {
  /** A published version; default the latest. */
  version?: number
  /** Overrides of the project’s properties, for `{{path}}` in the workflow. */
  property_overrides?: Record<string, unknown>
  /** Metadata, for filters. */
  metadata?: Record<string, unknown>
  /** Globs of the steps to skip. */
  skip_steps?: readonly string[]
  /** Notifications about its progress. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of people who are not users. */
  email_addresses?: readonly string[]
}
  /** Earliest start. */
  run_at?: string
  /** Hash of the plan to carry out; refused if the plan has changed. */
  plan_sha?: string
  /** Retries the run in relationships.workflow_run; no other attribute is needed. */
  retry?: boolean
  /** Path of the project: /projects/bank. */
  parent_path?: string
  /** Code of the workflow. */
  workflow_code?: string
}

/** Parameters and responses of every method on every path. */
export interface Operations {
  'GET /api/access_summary': {}
  'GET /api/activities': { answers: 'activity'; lists: true }
  'GET /api/activities/live': {}
  'GET /api/admin/audit_trail': {}
  'GET /api/admin/audit_trail/unsealed': {}
  'GET /api/admin/database': {}
  'GET /api/admin/drain_status': {}
  'GET /api/admin/jobs': { answers: 'job'; lists: true }
  'GET /api/admin/jobs/{id}': { answers: 'job' }
  'GET /api/admin/key_rotations': { answers: 'key_rotation'; lists: true }
  'POST /api/admin/key_rotations': { answers: 'key_rotation'; attributes: ToKeyRotationsCreate }
  'GET /api/admin/key_rotations/{id}': { answers: 'key_rotation' }
  'GET /api/admin/load': {}
  'GET /api/admin/resource_slots': { answers: 'resource_slot_pool'; lists: true }
  'GET /api/admin/resource_slots/{id}': { answers: 'resource_slot_pool' }
  'GET /api/admin/sites': { answers: 'site'; lists: true }
  'GET /api/admin/sites/{id}': { answers: 'site' }
  'GET /api/admin/workers': {}
  'GET /api/agents': { answers: 'agent'; lists: true }
  'GET /api/agents/{id}': { answers: 'agent' }
  'PATCH /api/agents/{id}': { answers: 'agent'; attributes: ToAgentsUpdate }
  'DELETE /api/agents/{id}': {}
  'GET /api/artefacts/{id}': { answers: 'artefact' }
  'GET /api/artefacts/{id}/content': {}
  'GET /api/assets': { answers: 'asset'; lists: true }
  'GET /api/assets/{id}': { answers: 'asset' }
  'PATCH /api/assets/{id}': { answers: 'asset'; attributes: ToAgentsUpdate }
  'DELETE /api/assets/{id}': {}
  'GET /api/authorisation_check': {}
  'POST /api/authorisation_checks': { attributes: ToAuthorisationChecksCheck }
  'GET /api/authorisation_policies': { answers: 'authorisation_policy'; lists: true }
  'POST /api/authorisation_policies': { answers: 'authorisation_policy'; attributes: ToAuthorisationPoliciesCreate }
  'GET /api/authorisation_policies/{id}': { answers: 'authorisation_policy' }
  'PATCH /api/authorisation_policies/{id}': { answers: 'authorisation_policy'; attributes: ToAuthorisationPoliciesUpdate }
  'DELETE /api/authorisation_policies/{id}': {}
  'PUT /api/authorisation_policies/{id}/assignments': { answers: 'authorisation_policy'; attributes: ToAuthorisationPoliciesPutAssignments }
  'PUT /api/authorisation_policies/{id}/rules': { answers: 'authorisation_policy'; attributes: ToAuthorisationPoliciesPutRules }
  'GET /api/authorisation_rules': { answers: 'authorisation_rule'; lists: true }
  'POST /api/authorisation_rules': { answers: 'authorisation_rule'; attributes: ToAuthorisationRulesCreate }
  'GET /api/authorisation_rules/{id}': { answers: 'authorisation_rule' }
  'PATCH /api/authorisation_rules/{id}': { answers: 'authorisation_rule'; attributes: ToAuthorisationRulesUpdate }
  'DELETE /api/authorisation_rules/{id}': {}
  'GET /api/authorisation_summary': {}
  'GET /api/bookmarks': { answers: 'bookmark'; lists: true }
  'GET /api/changes': { answers: 'change'; lists: true }
  'POST /api/changes': { answers: 'change'; attributes: ToChangesCreate }
  'GET /api/changes/{id}': { answers: 'change' }
  'DELETE /api/changes/{id}': {}
  'GET /api/changes/{id}/artefacts': { answers: 'artefact'; lists: true }
  'GET /api/changes/{id}/attempts': { answers: 'step_attempt'; lists: true }
  'GET /api/changes/{id}/converged_properties': {}
  'GET /api/changes/{id}/converged_settings': {}
  'GET /api/changes/{id}/live': {}
  'GET /api/changes/{id}/log': {}
  'GET /api/changes/{id}/log/live': {}
  'GET /api/changes/{id}/log/matches': {}
  'GET /api/changes/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/changes/{id}/pause': { answers: 'change'; attributes: ToChangesPause }
  'GET /api/changes/{id}/property_changes': {}
  'POST /api/changes/{id}/resume': { answers: 'change'; attributes: ToChangesPause }
  'GET /api/changes/{id}/steps': { answers: 'step'; lists: true }
  'GET /api/changes/{id}/tree': {}
  'GET /api/changes/{id}/waiting_reason': {}
  'POST /api/compare_nodes': { attributes: ToNodesCompare }
  'GET /api/data_cleanup_definitions': { answers: 'data_cleanup_definition'; lists: true }
  'POST /api/data_cleanup_definitions': { answers: 'data_cleanup_definition'; attributes: ToDataCleanupDefinitionsCreate }
  'GET /api/data_cleanup_definitions/{id}': { answers: 'data_cleanup_definition' }
  'PATCH /api/data_cleanup_definitions/{id}': { answers: 'data_cleanup_definition'; attributes: ToDataCleanupDefinitionsUpdate }
  'DELETE /api/data_cleanup_definitions/{id}': {}
  'POST /api/data_cleanup_definitions/{id}/preview': {}
  'GET /api/environments': { answers: 'environment'; lists: true }
  'GET /api/environments/{id}': { answers: 'environment' }
  'PATCH /api/environments/{id}': { answers: 'environment'; attributes: ToEnvironmentsUpdate }
  'DELETE /api/environments/{id}': {}
  'GET /api/event_types': {}
  'GET /api/events': { answers: 'event'; lists: true }
  'POST /api/events': { attributes: ToEventsCreate }
  'GET /api/events/live': {}
  'GET /api/events/{id}': { answers: 'event' }
  'GET /api/groups': { answers: 'group'; lists: true }
  'GET /api/groups/{id}': { answers: 'group' }
  'GET /api/healthcheck': {}
  'GET /api/info': {}
  'POST /api/ldap_refresh': {}
  'GET /api/log_lines': { answers: 'log_line'; lists: true }
  'GET /api/me': {}
  'GET /api/me/preferences': { answers: 'preferences' }
  'PATCH /api/me/preferences': { answers: 'preferences'; attributes: ToPreferencesUpdate }
  'GET /api/node_background_task_log_lines': { answers: 'node_background_task_log_line'; lists: true }
  'GET /api/node_background_tasks/{id}/waiting_reason': {}
  'GET /api/nodes': { answers: 'node_summary'; lists: true }
  'GET /api/nodes/live': {}
  'GET /api/openapi.json': {}
  'GET /api/policy_assignments': { answers: 'policy_assignment'; lists: true }
  'POST /api/policy_assignments': { answers: 'policy_assignment'; attributes: ToPolicyAssignmentsCreate }
  'GET /api/policy_assignments/{id}': { answers: 'policy_assignment' }
  'DELETE /api/policy_assignments/{id}': {}
  'GET /api/policy_rules': { answers: 'policy_rule'; lists: true }
  'POST /api/policy_rules': { answers: 'policy_rule'; attributes: ToPolicyRulesCreate }
  'GET /api/policy_rules/{id}': { answers: 'policy_rule' }
  'DELETE /api/policy_rules/{id}': {}
  'GET /api/projects': { answers: 'project'; lists: true }
  'POST /api/projects': { answers: 'project'; attributes: ToProjectsCreate }
  'GET /api/projects/{project_code}': { answers: 'project' }
  'PATCH /api/projects/{project_code}': { answers: 'project'; attributes: ToEnvironmentsUpdate }
  'DELETE /api/projects/{project_code}': {}
  'GET /api/projects/{project_code}/agents': { answers: 'agent'; lists: true }
  'POST /api/projects/{project_code}/agents': { answers: 'agent'; attributes: ToAgentsCreate }
  'GET /api/projects/{project_code}/agents/{agent_code}': { answers: 'agent' }
  'PATCH /api/projects/{project_code}/agents/{agent_code}': { answers: 'agent'; attributes: ToAgentsUpdate }
  'DELETE /api/projects/{project_code}/agents/{agent_code}': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/bookmarks': { answers: 'bookmark'; lists: true }
  'POST /api/projects/{project_code}/agents/{agent_code}/bookmarks': { answers: 'bookmark'; attributes: ToBookmarksCreate }
  'GET /api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}': { answers: 'bookmark' }
  'PATCH /api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}': { answers: 'bookmark'; attributes: ToBookmarksUpdate }
  'DELETE /api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/changes': { answers: 'change'; lists: true }
  'POST /api/projects/{project_code}/agents/{agent_code}/changes': { answers: 'change'; attributes: ToChangesCreateOnNode }
  'GET /api/projects/{project_code}/agents/{agent_code}/converged_properties': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/converged_properties/explain': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/converged_settings': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/converged_settings/explain': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/node_background_tasks': { answers: 'node_background_task'; lists: true }
  'GET /api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}': { answers: 'node_background_task' }
  'DELETE /api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/properties_history': { answers: 'properties_history'; lists: true }
  'GET /api/projects/{project_code}/agents/{agent_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/agents/{agent_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/agents/{agent_code}/settings_history': { answers: 'settings_history'; lists: true }
  'GET /api/projects/{project_code}/agents/{agent_code}/status': { answers: 'agent_status' }
  'GET /api/projects/{project_code}/agents/{agent_code}/status/log_lines': { answers: 'agent_log_line'; lists: true }
  'GET /api/projects/{project_code}/agents/{agent_code}/status/orchestrator_events': {}
  'GET /api/projects/{project_code}/agents/{agent_code}/version_history': { answers: 'template_version_history'; lists: true }
  'GET /api/projects/{project_code}/agents/{agent_code}/version_history/{id}': { answers: 'template_version_history' }
  'GET /api/projects/{project_code}/assets': { answers: 'asset'; lists: true }
  'POST /api/projects/{project_code}/assets': { answers: 'asset'; attributes: ToAgentsCreate }
  'GET /api/projects/{project_code}/assets/{asset_code}': { answers: 'asset' }
  'PATCH /api/projects/{project_code}/assets/{asset_code}': { answers: 'asset'; attributes: ToAgentsUpdate }
  'DELETE /api/projects/{project_code}/assets/{asset_code}': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/actions': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/bookmarks': { answers: 'bookmark'; lists: true }
  'POST /api/projects/{project_code}/assets/{asset_code}/bookmarks': { answers: 'bookmark'; attributes: ToBookmarksCreate }
  'GET /api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}': { answers: 'bookmark' }
  'PATCH /api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}': { answers: 'bookmark'; attributes: ToBookmarksUpdate }
  'DELETE /api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/changes': { answers: 'change'; lists: true }
  'POST /api/projects/{project_code}/assets/{asset_code}/changes': { answers: 'change'; attributes: ToChangesCreateOnNode }
  'GET /api/projects/{project_code}/assets/{asset_code}/converged_properties': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/converged_properties/explain': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/converged_settings': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/converged_settings/explain': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/model_history': { answers: 'model'; lists: true }
  'GET /api/projects/{project_code}/assets/{asset_code}/model_history/{id}': { answers: 'model' }
  'GET /api/projects/{project_code}/assets/{asset_code}/models': { answers: 'model'; lists: true }
  'POST /api/projects/{project_code}/assets/{asset_code}/models/generate': { answers: 'node_background_task' }
  'GET /api/projects/{project_code}/assets/{asset_code}/models/{id}': { answers: 'model' }
  'GET /api/projects/{project_code}/assets/{asset_code}/node_background_tasks': { answers: 'node_background_task'; lists: true }
  'POST /api/projects/{project_code}/assets/{asset_code}/node_background_tasks': { answers: 'node_background_task' }
  'GET /api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}': { answers: 'node_background_task' }
  'DELETE /api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}': {}
  'GET /api/projects/{project_code}/assets/{asset_code}/properties_history': { answers: 'properties_history'; lists: true }
  'GET /api/projects/{project_code}/assets/{asset_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/assets/{asset_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/assets/{asset_code}/settings_history': { answers: 'settings_history'; lists: true }
  'GET /api/projects/{project_code}/assets/{asset_code}/version_history': { answers: 'template_version_history'; lists: true }
  'GET /api/projects/{project_code}/assets/{asset_code}/version_history/{id}': { answers: 'template_version_history' }
  'GET /api/projects/{project_code}/bookmarks': { answers: 'bookmark'; lists: true }
  'POST /api/projects/{project_code}/bookmarks': { answers: 'bookmark'; attributes: ToBookmarksCreate }
  'GET /api/projects/{project_code}/bookmarks/{id}': { answers: 'bookmark' }
  'PATCH /api/projects/{project_code}/bookmarks/{id}': { answers: 'bookmark'; attributes: ToBookmarksUpdate }
  'DELETE /api/projects/{project_code}/bookmarks/{id}': {}
  'GET /api/projects/{project_code}/changes': { answers: 'change'; lists: true }
  'POST /api/projects/{project_code}/changes': { answers: 'change'; attributes: ToChangesCreateOnNode }
  'GET /api/projects/{project_code}/converged_properties': {}
  'GET /api/projects/{project_code}/converged_properties/explain': {}
  'GET /api/projects/{project_code}/converged_settings': {}
  'GET /api/projects/{project_code}/converged_settings/explain': {}
  'GET /api/projects/{project_code}/environments': { answers: 'environment'; lists: true }
  'POST /api/projects/{project_code}/environments': { answers: 'environment'; attributes: ToEnvironmentsCreate }
  'GET /api/projects/{project_code}/environments/{environment_code}': { answers: 'environment' }
  'PATCH /api/projects/{project_code}/environments/{environment_code}': { answers: 'environment'; attributes: ToEnvironmentsUpdate }
  'DELETE /api/projects/{project_code}/environments/{environment_code}': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets': { answers: 'asset'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets': { answers: 'asset'; attributes: ToAgentsCreate }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}': { answers: 'asset' }
  'PATCH /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}': { answers: 'asset'; attributes: ToAgentsUpdate }
  'DELETE /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/actions': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks': { answers: 'bookmark'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks': { answers: 'bookmark'; attributes: ToBookmarksCreate }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}': { answers: 'bookmark' }
  'PATCH /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}': { answers: 'bookmark'; attributes: ToBookmarksUpdate }
  'DELETE /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes': { answers: 'change'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes': { answers: 'change'; attributes: ToChangesCreateOnNode }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties/explain': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings/explain': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history': { answers: 'model'; lists: true }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history/{id}': { answers: 'model' }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models': { answers: 'model'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/generate': { answers: 'node_background_task' }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/{id}': { answers: 'model' }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks': { answers: 'node_background_task'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks': { answers: 'node_background_task' }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}': { answers: 'node_background_task' }
  'DELETE /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/properties_history': { answers: 'properties_history'; lists: true }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/settings_history': { answers: 'settings_history'; lists: true }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history': { answers: 'template_version_history'; lists: true }
  'GET /api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history/{id}': { answers: 'template_version_history' }
  'GET /api/projects/{project_code}/environments/{environment_code}/bookmarks': { answers: 'bookmark'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/bookmarks': { answers: 'bookmark'; attributes: ToBookmarksCreate }
  'GET /api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}': { answers: 'bookmark' }
  'PATCH /api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}': { answers: 'bookmark'; attributes: ToBookmarksUpdate }
  'DELETE /api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/changes': { answers: 'change'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/changes': { answers: 'change'; attributes: ToChangesCreateOnNode }
  'GET /api/projects/{project_code}/environments/{environment_code}/converged_properties': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/converged_properties/explain': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/converged_settings': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/converged_settings/explain': {}
  'GET /api/projects/{project_code}/environments/{environment_code}/properties_history': { answers: 'properties_history'; lists: true }
  'GET /api/projects/{project_code}/environments/{environment_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/environments/{environment_code}/settings_history': { answers: 'settings_history'; lists: true }
  'GET /api/projects/{project_code}/git_remotes': { answers: 'git_remote'; lists: true }
  'POST /api/projects/{project_code}/git_remotes': { answers: 'git_remote'; attributes: ToGitRemotesCreate }
  'GET /api/projects/{project_code}/git_remotes/{id}': { answers: 'git_remote' }
  'PATCH /api/projects/{project_code}/git_remotes/{id}': { answers: 'git_remote'; attributes: ToGitRemotesUpdate }
  'DELETE /api/projects/{project_code}/git_remotes/{id}': {}
  'GET /api/projects/{project_code}/properties_history': { answers: 'properties_history'; lists: true }
  'GET /api/projects/{project_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/settings_history': { answers: 'settings_history'; lists: true }
  'GET /api/projects/{project_code}/templates': { answers: 'template'; lists: true }
  'POST /api/projects/{project_code}/templates': { answers: 'template'; attributes: ToTemplatesCreate }
  'GET /api/projects/{project_code}/templates/{template_id}': { answers: 'template' }
  'PATCH /api/projects/{project_code}/templates/{template_id}': { answers: 'template'; attributes: ToTemplatesUpdate }
  'DELETE /api/projects/{project_code}/templates/{template_id}': {}
  'GET /api/projects/{project_code}/templates/{template_id}/versions': { answers: 'template_version'; lists: true }
  'GET /api/projects/{project_code}/templates/{template_id}/versions/{version}': { answers: 'template_version' }
  'PUT /api/projects/{project_code}/templates/{template_id}/versions/{version}': { answers: 'template_version'; attributes: ToTemplateVersionsPut }
  'DELETE /api/projects/{project_code}/templates/{template_id}/versions/{version}': {}
  'POST /api/projects/{project_code}/templates/{template_id}/versions/{version}/assign_to_assets': { answers: 'template_version'; attributes: ToTemplateVersionsAssignToAssets }
  'POST /api/projects/{project_code}/templates/{template_id}/versions/{version}/cancel_refresh': { answers: 'template_version' }
  'GET /api/projects/{project_code}/templates/{template_id}/versions/{version}/changes': {}
  'GET /api/projects/{project_code}/workflow_runs': { answers: 'workflow_run'; lists: true }
  'GET /api/projects/{project_code}/workflows': { answers: 'workflow'; lists: true }
  'POST /api/projects/{project_code}/workflows': { answers: 'workflow'; attributes: ToWorkflowsCreate }
  'POST /api/projects/{project_code}/workflows/validate': { attributes: ToWorkflowsValidate }
  'GET /api/projects/{project_code}/workflows/{workflow_code}': { answers: 'workflow' }
  'PATCH /api/projects/{project_code}/workflows/{workflow_code}': { answers: 'workflow'; attributes: ToWorkflowsUpdate }
  'DELETE /api/projects/{project_code}/workflows/{workflow_code}': {}
  'GET /api/projects/{project_code}/workflows/{workflow_code}/runs': { answers: 'workflow_run'; lists: true }
  'POST /api/projects/{project_code}/workflows/{workflow_code}/runs': { answers: 'workflow_run'; attributes: ToWorkflowRunsCreateOfWorkflow }
  'GET /api/projects/{project_code}/workflows/{workflow_code}/versions': { answers: 'workflow_version'; lists: true }
  'POST /api/projects/{project_code}/workflows/{workflow_code}/versions': { answers: 'workflow_version'; attributes: ToWorkflowVersionsCreate }
  'GET /api/projects/{project_code}/workflows/{workflow_code}/versions/{version}': { answers: 'workflow_version' }
  'PATCH /api/projects/{project_code}/workflows/{workflow_code}/versions/{version}': { answers: 'workflow_version'; attributes: ToWorkflowVersionsCreate }
  'POST /api/projects/{project_code}/workflows/{workflow_code}/versions/{version}/publish': { answers: 'workflow_version' }
  'GET /api/properties/{id}': { answers: 'properties' }
  'PATCH /api/properties/{id}': { answers: 'properties'; attributes: ToPropertiesUpdate }
  'POST /api/properties/{id}/impact': { attributes: ToPropertiesImpact }
  'GET /api/properties/{id}/versions': { answers: 'properties_version'; lists: true }
  'GET /api/properties/{id}/versions/{version}': { answers: 'properties_version' }
  'POST /api/properties/{id}/versions/{version}/restore': { answers: 'properties' }
  'GET /api/properties_versions': { answers: 'properties_version'; lists: true }
  'GET /api/properties_versions/{id}': { answers: 'properties_version' }
  'GET /api/readiness': {}
  'GET /api/saved_views': { answers: 'saved_view'; lists: true }
  'POST /api/saved_views': { answers: 'saved_view'; attributes: ToSavedViewsCreate }
  'GET /api/saved_views/{id}': { answers: 'saved_view' }
  'PATCH /api/saved_views/{id}': { answers: 'saved_view'; attributes: ToSavedViewsUpdate }
  'DELETE /api/saved_views/{id}': {}
  'GET /api/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreate }
  'POST /api/scheduled_activities/preview': { attributes: ToScheduledActivitiesPreview }
  'GET /api/scheduled_activities/upcoming': {}
  'GET /api/scheduled_activities/{id}': { answers: 'scheduled_change' }
  'PATCH /api/scheduled_activities/{id}': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'DELETE /api/scheduled_activities/{id}': {}
  'GET /api/search': {}
  'POST /api/secrets/encrypt': { attributes: ToSecretsEncrypt }
  'POST /api/secrets/resolve': { attributes: ToSecretsResolve }
  'GET /api/settings/{id}': { answers: 'settings' }
  'PATCH /api/settings/{id}': { answers: 'settings'; attributes: ToSettingsUpdate }
  'PUT /api/settings/{id}': { answers: 'settings'; attributes: ToSettingsUpdate }
  'POST /api/settings/{id}/impact': { attributes: ToPropertiesImpact }
  'GET /api/settings/{id}/versions': { answers: 'settings_version'; lists: true }
  'GET /api/settings/{id}/versions/{version}': { answers: 'settings_version' }
  'POST /api/settings/{id}/versions/{version}/restore': { answers: 'settings' }
  'GET /api/settings_schema': {}
  'GET /api/settings_versions': { answers: 'settings_version'; lists: true }
  'GET /api/settings_versions/{id}': { answers: 'settings_version' }
  'GET /api/steps': { answers: 'step'; lists: true }
  'GET /api/steps/{id}': { answers: 'step' }
  'POST /api/steps/{id}/approve': { answers: 'step'; attributes: ToStepsApprove }
  'GET /api/steps/{id}/artefacts': { answers: 'artefact'; lists: true }
  'GET /api/steps/{id}/attempts': { answers: 'step_attempt'; lists: true }
  'GET /api/steps/{id}/bodies': {}
  'GET /api/steps/{id}/catalogue': {}
  'POST /api/steps/{id}/continue': { answers: 'step'; attributes: ToStepsContinue }
  'GET /api/steps/{id}/converged_properties': {}
  'GET /api/steps/{id}/converged_settings': {}
  'POST /api/steps/{id}/email': { attributes: ToStepsEmail }
  'POST /api/steps/{id}/forget_secrets': { attributes: ToStepsForgetSecrets }
  'GET /api/steps/{id}/git_clone': {}
  'GET /api/steps/{id}/log': {}
  'GET /api/steps/{id}/log/live': {}
  'GET /api/steps/{id}/log/matches': {}
  'GET /api/steps/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/steps/{id}/reject': { answers: 'step'; attributes: ToStepsApprove }
  'POST /api/steps/{id}/secret': { attributes: ToStepsSecret }
  'GET /api/steps/{id}/waiting_reason': {}
  'GET /api/summary': {}
  'GET /api/system_configuration': {}
  'GET /api/templates': { answers: 'template'; lists: true }
  'GET /api/tokens': { answers: 'token'; lists: true }
  'POST /api/tokens': { answers: 'token'; attributes: ToTokensCreate }
  'POST /api/tokens/session': {}
  'DELETE /api/tokens/session': {}
  'GET /api/tokens/sessions': { answers: 'session'; lists: true }
  'GET /api/tokens/sessions/{id}': { answers: 'session' }
  'DELETE /api/tokens/sessions/{id}': {}
  'GET /api/tokens/{id}': { answers: 'token' }
  'DELETE /api/tokens/{id}': {}
  'GET /api/users': { answers: 'user'; lists: true }
  'POST /api/users': { answers: 'user'; attributes: ToUsersCreate }
  'GET /api/users/{username}': { answers: 'user' }
  'PATCH /api/users/{username}': { answers: 'user'; attributes: ToUsersUpdate }
  'DELETE /api/users/{username}': {}
  'GET /api/waiting_steps': { answers: 'waiting_step'; lists: true }
  'GET /api/workflow_runs': { answers: 'workflow_run'; lists: true }
  'POST /api/workflow_runs': { answers: 'workflow_run'; attributes: ToWorkflowRunsCreate }
  'GET /api/workflow_runs/{id}': { answers: 'workflow_run' }
  'DELETE /api/workflow_runs/{id}': {}
  'GET /api/workflow_runs/{id}/live': {}
  'GET /api/workflow_runs/{id}/log': {}
  'GET /api/workflow_runs/{id}/log/live': {}
  'GET /api/workflow_runs/{id}/log/matches': {}
  'GET /api/workflow_runs/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/workflow_runs/{id}/pause': { answers: 'workflow_run'; attributes: ToChangesPause }
  'POST /api/workflow_runs/{id}/resume': { answers: 'workflow_run'; attributes: ToChangesPause }
  'GET /api/workflow_runs/{id}/steps': { answers: 'workflow_step'; lists: true }
  'GET /api/workflow_runs/{id}/tree': {}
  'GET /api/workflow_runs/{id}/waiting_reason': {}
  'GET /api/workflow_schema': {}
  'GET /api/workflow_steps': { answers: 'workflow_step'; lists: true }
  'GET /api/workflow_steps/{id}': { answers: 'workflow_step' }
  'POST /api/workflow_steps/{id}/approve': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'POST /api/workflow_steps/{id}/continue': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'GET /api/workflow_steps/{id}/log': {}
  'GET /api/workflow_steps/{id}/log/live': {}
  'GET /api/workflow_steps/{id}/log/matches': {}
  'GET /api/workflow_steps/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/workflow_steps/{id}/reject': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'GET /api/workflows': { answers: 'workflow'; lists: true }
}

export const recordTypes: Readonly<Record<string, RecordType>> = {
  project: {"about":"Root of a tree of nodes, isolated from other projects.","attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"about":"Description; empty if none was given."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are read-only and accept nothing new."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"project_type":{"kind":"text","required":true,"about":"Standard or Enterprise."}}},
  environment: {"about":"A place within a project that holds assets.","attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"about":"Description; empty if none was given."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are read-only and accept nothing new."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  asset: {"about":"A target of changes, created from a template version.","attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"about":"Description; empty if none was given."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are read-only and accept nothing new."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"template_code":{"kind":"text","required":true,"nullable":true,"about":"Template that it is created from."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Current template version."},"task_active":{"kind":"boolean","required":true,"about":"Whether a background task of it is in progress."},"actions":{"kind":"list","required":true,"about":"Actions that can be run on it: those of its template version and of its model that have a description."},"model_valid":{"kind":"boolean","required":true,"about":"Whether there is a model of the current commit and converged properties."},"model_invalid_reason":{"kind":"any","required":true,"nullable":true,"about":"Why it is not; null if there is nothing to render."},"erb_file_content":{"kind":"text","required":true,"about":"The file that its model is rendered from; '' where its template has none."}}},
  agent: {"about":"A long-running container, created from a template version.","attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"about":"Description; empty if none was given."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are read-only and accept nothing new."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"template_code":{"kind":"text","required":true,"nullable":true,"about":"Template that it is created from."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Current template version."},"task_active":{"kind":"boolean","required":true,"about":"Whether a background task of it is in progress."},"actions":{"kind":"list","required":true,"about":"Actions that can be run on it: those of its template version and of its model that have a description."}}},
  bookmark: {"about":"A link saved on a node.","attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","required":true,"nullable":true,"about":"Target of the link: http, https or mailto."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  user: {"about":"A local user, or a user of the directory.","attributes":{"username":{"kind":"text","required":true,"about":"The name to sign in with."},"display_name":{"kind":"text","required":true,"nullable":true,"about":"Display name."},"email_address":{"kind":"text","required":true,"nullable":true,"about":"Email address."},"auth_provider":{"kind":"text","required":true,"about":"Source of the account: local or ldap."},"groupnames":{"kind":"any","required":true,"about":"Directory groups of the user."},"disabled":{"kind":"boolean","required":true,"about":"Whether sign-in is refused."},"created_at":{"kind":"time","required":true,"about":"When they were created."},"updated_at":{"kind":"time","required":true,"about":"When they were last updated."}}},
  token: {"about":"Bearer token created by its owner. The secret is shown once, on creation. Superusers see all tokens.","attributes":{"description":{"kind":"text","required":true,"about":"Description."},"expires_at":{"kind":"time","required":true,"about":"Expiry time."},"created_by":{"kind":"text","required":true,"about":"Owner."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  session: {"about":"Session of a browser that has not ended. meta.current is whether the request came with it. Superusers see all sessions.","attributes":{"remote_address":{"kind":"text","required":true,"nullable":true,"about":"Address that it was begun from, as far as known."},"user_agent":{"kind":"text","required":true,"nullable":true,"about":"Browser or program that began it, as its header User-Agent said."},"expires_at":{"kind":"time","required":true,"about":"When it ends by itself."},"created_by":{"kind":"text","required":true,"about":"Owner."},"created_at":{"kind":"time","required":true,"about":"When it began."}}},
  preferences: {"about":"Preferences of the caller: an object whose members clients choose, such as stars or the theme.","attributes":{"data":{"kind":"any","required":true,"about":"The preferences. Order of keys is not kept."},"updated_at":{"kind":"time","required":true,"nullable":true,"about":"When they were last updated; null if they never were."}}},
  saved_view: {"about":"Query of a list, saved under a name.","attributes":{"name":{"kind":"text","required":true,"about":"Name of the view."},"list":{"kind":"text","required":true,"about":"List that the query is for, such as activities."},"query":{"kind":"text","required":true,"about":"Filters, sorting and columns, as a query string of the client that saved it."},"shared_with":{"kind":"text","required":true,"about":"private or everyone."},"created_by":{"kind":"text","required":true,"about":"Owner."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  event: {"about":"Audit event: what happened, by whom and to which record; written once and sealed into a hash chain.","attributes":{"username":{"kind":"text","required":true,"about":"User who did it; `system` for the service itself."},"system":{"kind":"boolean","required":true,"about":"Whether the service recorded it, not a user."},"type":{"kind":"text","required":true,"about":"level:subject:action."},"created_at":{"kind":"time","required":true,"about":"When it was recorded."},"node_path":{"kind":"text","nullable":true,"about":"The node that it belongs to."},"source_type":{"kind":"text","nullable":true,"about":"Subject."},"source_id":{"kind":"text","nullable":true,"about":"Id of the record that it relates to."},"name":{"kind":"any","about":"Name of the record."},"parent_code":{"kind":"any","about":"Code of the parent node of the record."},"parent_node_type":{"kind":"any","about":"Type of that node."},"hash":{"kind":"text","required":true,"nullable":true,"about":"The hash of the chain up to it; null until it is sealed, within seconds."},"seal_number":{"kind":"integer","nullable":true,"about":"Number of its seal in the hash chain; absent until it is sealed."},"previous_hash":{"kind":"text","nullable":true,"about":"The hash of the seal before its own; absent until it is sealed, and from the first event."}}},
  authorisation_policy: {"about":"A set of rules that is assigned as a whole.","attributes":{"name":{"kind":"text","required":true,"about":"Unique, case-insensitively."},"description":{"kind":"text","required":true,"nullable":true,"about":"Description."},"system":{"kind":"boolean","required":true,"about":"Whether it is a system policy: superuser, blocked."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  authorisation_rule: {"about":"Rights allowed or denied on a path and everything below it.","attributes":{"path":{"kind":"text","required":true,"about":"Path; * matches one segment."},"name":{"kind":"text","required":true,"nullable":true,"about":"Display name."},"read":{"kind":"boolean","required":true,"nullable":true,"about":"Reading: true allows, false denies, null says nothing."},"update":{"kind":"boolean","required":true,"nullable":true,"about":"Changing: true allows, false denies, null says nothing."},"execute":{"kind":"boolean","required":true,"nullable":true,"about":"Running: true allows, false denies, null says nothing."},"delete":{"kind":"boolean","required":true,"nullable":true,"about":"Deleting: true allows, false denies, null says nothing."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  policy_rule: {"about":"Membership of a rule in a policy.","attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The policy."},"authorisation_rule_id":{"kind":"text","required":true,"about":"The rule."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."}}},
  policy_assignment: {"about":"Assignment of a policy to a user, a group, a user while a member of a group, or (with neither) everyone.","attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The policy."},"username":{"kind":"text","required":true,"nullable":true,"about":"null: any user."},"groupname":{"kind":"text","required":true,"nullable":true,"about":"null: whatever the user’s groups."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."}}},
  group: {"about":"A group of the directory, as of the last refresh.","attributes":{"groupname":{"kind":"text","required":true,"about":"Name, as used in policy assignments."},"created_at":{"kind":"time","required":true,"about":"When it was first read."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  log_line: {"about":"A log line of a step.","attributes":{"message":{"kind":"text","required":true,"about":"The line, secrets masked."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"level":{"kind":"text","required":true,"about":"info, or error for what went to stderr."},"sequence":{"kind":"integer","required":true,"about":"Line number within the attempt, from 1."},"attempt":{"kind":"integer","required":true,"about":"The attempt of the step that wrote it."},"logged_at":{"kind":"time","required":true,"about":"When the runner read it."},"step_id":{"kind":"text","nullable":true,"about":"The step of a change that wrote it. Absent where it is none of a change."},"change_id":{"kind":"text","nullable":true,"about":"The change that it belongs to. Absent where it is none of a change."},"workflow_step_id":{"kind":"text","nullable":true,"about":"Step of a workflow run that wrote it; lines of its changes have the steps of these. Absent where it is none of a workflow run."},"workflow_run_id":{"kind":"text","nullable":true,"about":"The workflow run that it belongs to. Absent where it is none of a workflow run."}}},
  artefact: {"about":"A file that a step kept as an artefact.","attributes":{"name":{"kind":"text","required":true,"about":"Its file name."},"content_type":{"kind":"text","required":true,"about":"Its media type."},"byte_size":{"kind":"integer","required":true,"about":"Its size in bytes."},"sha256":{"kind":"text","required":true,"about":"SHA-256 of its bytes."},"labels":{"kind":"any","required":true,"about":"Labels given by the step: texts by name (`filter[labels.kind_eq]`)."},"attempt":{"kind":"integer","required":true,"about":"Attempt of the step that kept it."},"created_at":{"kind":"time","required":true,"about":"When it was stored."}}},
  git_remote: {"about":"Git repository that templates and changes of a project use.","attributes":{"name":{"kind":"text","required":true,"about":"Name, unique in its project."},"url":{"kind":"text","required":true,"about":"URL that it is fetched from."},"public_url":{"kind":"text","required":true,"nullable":true,"about":"URL for people, such as a page of the repository."},"user":{"kind":"text","required":true,"nullable":true,"about":"User name for the Git server."},"password":{"kind":"any","required":true,"about":"Password or token. Write-only: answered as \"{{hidden}}\" when set."},"ssh_key_data":{"kind":"any","required":true,"about":"Private key for ssh. Write-only: answered as \"{{hidden}}\" when set."},"passphrase":{"kind":"any","required":true,"about":"Passphrase of the private key. Write-only: answered as \"{{hidden}}\" when set."},"periodic_fetch_interval":{"kind":"integer","required":true,"nullable":true,"about":"Seconds between two fetches; null uses the setting git_remote.periodic_fetch_interval."},"archived":{"kind":"boolean","required":true,"about":"Archived: kept, no longer fetched."},"fetched_at":{"kind":"time","required":true,"nullable":true,"about":"When it was last fetched."},"fetch_error":{"kind":"text","required":true,"nullable":true,"about":"Error of the latest fetch."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  settings: {"about":"Settings stated by one owner.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Number of the newest version, from 1."},"owner_type":{"kind":"text","required":true,"about":"Level: Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Author of the newest version."},"created_at":{"kind":"time","required":true,"about":"When the record was created."},"updated_at":{"kind":"time","required":true,"about":"When the newest version was written."}}},
  settings_version: {"about":"A version of settings, as it was in force for a time.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"owner_type":{"kind":"text","required":true,"about":"Level: Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Author."},"created_at":{"kind":"time","required":true,"about":"When it was written."},"active_from":{"kind":"time","required":true,"about":"Start of the period in which it was in force."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"End of the period, exclusive; null: still in force."}}},
  settings_history: {"about":"The versions of settings in each layer of a node.","attributes":{"level":{"kind":"integer","required":true,"about":"Position among the layers; 0 is the installation’s."},"code":{"kind":"text","required":true,"about":"Code of the owner; installation for the installation."},"name":{"kind":"text","required":true,"about":"Name of the owner."},"settings_versions":{"kind":"any","required":true,"about":"Versions of its settings, each with the start of its period."}}},
  properties: {"about":"Properties stated by one owner.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Number of the newest version, from 1."},"owner_type":{"kind":"text","required":true,"about":"Level: Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Author of the newest version."},"created_at":{"kind":"time","required":true,"about":"When the record was created."},"updated_at":{"kind":"time","required":true,"about":"When the newest version was written."}}},
  properties_version: {"about":"A version of properties, as it was in force for a time.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"owner_type":{"kind":"text","required":true,"about":"Level: Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Author."},"created_at":{"kind":"time","required":true,"about":"When it was written."},"active_from":{"kind":"time","required":true,"about":"Start of the period in which it was in force."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"End of the period, exclusive; null: still in force."}}},
  properties_history: {"about":"The versions of properties in each layer of a node, and the template versions that it had.","attributes":{"level":{"kind":"integer","required":true,"about":"Position among the layers; 0 is the project’s."},"code":{"kind":"text","required":true,"about":"Code of the owner; for a template version, its name."},"name":{"kind":"text","required":true,"about":"Name of the owner."},"properties_versions":{"kind":"any","required":true,"about":"Versions of its properties, each with the start of its period."},"template_versions":{"kind":"any","about":"Template versions that the asset or agent had, and when; absent in other entries."}}},
  node_background_task: {"about":"Background task on an asset or agent.","attributes":{"request_number":{"kind":"integer","required":true,"about":"In the requested order."},"task_type":{"kind":"text","required":true,"about":"Description."},"status_code":{"kind":"text","required":true,"about":"initializing, running, success, error or cancelled."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Error message."},"created_by":{"kind":"text","required":true,"about":"User who requested it."},"actions":{"kind":"list","about":"Actions found; empty until it has succeeded."},"created_at":{"kind":"time","required":true,"about":"When it was requested."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"image_sha":{"kind":"text","nullable":true,"about":"Image that it built; null until then."},"image_purged":{"kind":"boolean","nullable":true,"about":"The image is gone from the registry."},"image_in_use":{"kind":"boolean","nullable":true,"about":"Whether its agent runs on the image."}}},
  node_background_task_log_line: {"about":"A log line of a background task.","attributes":{"message":{"kind":"text","required":true,"about":"The line."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"template_version_history_id":{"kind":"text","required":true,"nullable":true,"about":"Version history entry of the node at the time of the request."},"node_background_task_id":{"kind":"text","required":true,"about":"The task that wrote it."},"attempt":{"kind":"integer","required":true,"about":"The attempt of the task that wrote it; 0: before the first."},"sequence":{"kind":"integer","required":true,"about":"Line number within the attempt, from 1."},"logged_at":{"kind":"time","required":true,"about":"When it was written."}}},
  template: {"about":"Template of assets or agents: a folder of a repository, in versions.","attributes":{"code":{"kind":"text","required":true,"about":"Its folder in the repository."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"nullable":true,"about":"Description."},"archived":{"kind":"boolean","required":true,"about":"Archived: kept, accepts nothing new."},"disabled":{"kind":"boolean","required":true,"about":"Whether it accepts no new nodes and no new versions."},"template_type":{"kind":"text","required":true,"about":"Type of nodes created from it: asset or agent."},"git_remote_name":{"kind":"text","required":true,"about":"Git remote of its versions."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  template_version: {"about":"A version of a template: a revision of its repository and the commit that it resolves to.","attributes":{"version":{"kind":"text","required":true,"about":"Name."},"description":{"kind":"text","required":true,"about":"Result of the task."},"state":{"kind":"text","required":true,"about":"initializing, ready or broken."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"archived":{"kind":"boolean","required":true,"about":"Archived: kept, cannot be assigned to a node."},"initialization_error":{"kind":"text","required":true,"nullable":true,"about":"Why it is broken: one line for each error, with its position."},"locked":{"kind":"boolean","required":true,"about":"Whether its commit is fixed."},"float_git_rev":{"kind":"boolean","required":true,"about":"Whether it follows its branch or tag."},"float_refresh_error":{"kind":"text","required":true,"nullable":true,"about":"Reason why it could not follow its revision; it keeps its commit."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"has_model":{"kind":"boolean","nullable":true,"about":"Whether its folder contains a model."},"git_rev":{"kind":"text","required":true,"about":"Branch, tag or commit."},"commit_sha":{"kind":"text","required":true,"nullable":true,"about":"Commit that it resolves to; null before the first fetch."},"git_remote_name":{"kind":"text","required":true,"about":"Git remote that it is fetched from."}}},
  template_version_history: {"about":"A period in which an asset or agent had one version of its template.","attributes":{"created_by":{"kind":"text","required":true,"about":"User who assigned this version."},"active_from":{"kind":"time","required":true,"about":"Start of the period, inclusive."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"End of the period; null: current."}}},
  model: {"about":"Rendered model of an asset.","attributes":{"data":{"kind":"object","required":true,"about":"Rendered data."},"sha256":{"kind":"text","required":true,"about":"SHA-256 of its data as JSON without whitespace."},"commit_sha":{"kind":"text","required":true,"about":"The commit of its template."},"render_logs":{"kind":"list","required":true,"about":"Log of the template: objects with category and message."},"created_by":{"kind":"text","required":true,"about":"User who requested it."},"created_at":{"kind":"time","required":true,"about":"When it was created."}}},
  change: {"about":"A run of one action on a node, as a tree of steps.","attributes":{"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first failed step with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules, as of its creation."},"approved_by":{"kind":"any","required":true,"about":"Approvals: by whom and when."},"rejected_by":{"kind":"any","required":true,"about":"Rejections: by whom and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"User who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"User who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"state_timing":{"kind":"any","required":true,"about":"Seconds from creation to start, and from start to end; null while in progress."},"action":{"kind":"text","required":true,"about":"Name of the action that it runs."},"step_name":{"kind":"text","required":true,"about":"Name of its root step."},"metadata":{"kind":"any","required":true,"about":"Metadata attached by its creator."},"scheduled":{"kind":"boolean","required":true,"about":"Whether a schedule created it."},"git_remote_name":{"kind":"text","required":true,"nullable":true,"about":"Git remote that its actions come from."},"git_rev":{"kind":"text","required":true,"nullable":true,"about":"Requested revision."},"commit_sha":{"kind":"text","required":true,"nullable":true,"about":"Commit that the revision resolved to at creation."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Template version that its actions come from."},"skip_steps":{"kind":"any","required":true,"about":"Globs of the paths of steps to skip."},"starting_step":{"kind":"text","required":true,"nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","required":true,"about":"Whether wait steps without approvers continue automatically."},"build_without_cache":{"kind":"boolean","required":true,"about":"Whether its image is rebuilt."},"property_overrides":{"kind":"any","required":true,"about":"The layer \"change\" of its converged properties."},"settings_overrides":{"kind":"any","required":true,"about":"Settings of this change only."},"plan_sha":{"kind":"text","required":true,"nullable":true,"about":"Hash of the plan that it must match."}}},
  step: {"about":"One step of a change: an action, a stage, a wait or an input.","attributes":{"action":{"kind":"text","required":true,"nullable":true,"about":"Name of the action that it runs; null for waits and inputs."},"step_name":{"kind":"text","required":true,"about":"Its name."},"full_path":{"kind":"text","required":true,"about":"The names from the root down, joined by \"/\"."},"description":{"kind":"text","required":true,"nullable":true,"about":"Description by its author."},"step_type":{"kind":"text","required":true,"about":"standard, wait, input or stage."},"step_sequence":{"kind":"integer","required":true,"about":"Position among its siblings, from 0."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"child_execution_strategy":{"kind":"text","required":true,"about":"Order of its children: sequential or parallel."},"ignore_failure":{"kind":"boolean","required":true,"about":"Whether its failure is ignored."},"input_arguments":{"kind":"any","required":true,"about":"Arguments of an input step."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules."},"approved_by":{"kind":"any","required":true,"about":"Approvals: by whom and when."},"rejected_by":{"kind":"any","required":true,"about":"Rejections: by whom and when."},"continued_by":{"kind":"text","required":true,"nullable":true,"about":"User who continued it."},"skip_requested":{"kind":"boolean","required":true,"about":"Whether the skip mask matches it."},"attempt":{"kind":"integer","required":true,"about":"Number of attempts."},"outcome_reason":{"kind":"text","required":true,"nullable":true,"about":"Reason of its outcome, where the action does not tell: what failed, or who rejected or cancelled it."},"exit_code":{"kind":"integer","required":true,"nullable":true,"about":"Exit code of its action."},"outputs":{"kind":"any","required":true,"about":"Outputs of its action; null: none."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Error message."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"Start of its latest attempt."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"state_timing":{"kind":"any","required":true,"about":"Seconds in each state; null while in that state."},"expected_seconds":{"kind":"number","required":true,"nullable":true,"about":"Median duration of its last ten successes in earlier activities of the same name on the same node; null: unknown. The tree has it for all steps."},"log_line_count":{"kind":"integer","required":true,"about":"Number of lines in its own log, all attempts together; 0: none. Lines of steps below it, and of changes that it made, do not count."},"error_line_count":{"kind":"integer","required":true,"about":"How many of these were written to stderr."},"change_id":{"kind":"text","required":true,"about":"The change that it belongs to."},"tree_order":{"kind":"text","required":true,"about":"Position in reading order among the steps of one change."}}},
  step_attempt: {"about":"One attempt of a step: a runner took it on, and it ended or is running.","attributes":{"attempt":{"kind":"integer","required":true,"about":"Its number among the attempts of the step in its change, from 1."},"status_code":{"kind":"text","required":true,"about":"How it ended; running: it has not."},"superseded":{"kind":"boolean","required":true,"about":"Whether the service queued the step again after it."},"runner_id":{"kind":"text","required":true,"nullable":true,"about":"The runner that executed it."},"exit_code":{"kind":"integer","required":true,"nullable":true,"about":"Exit code of the action."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed."},"outcome_reason":{"kind":"text","required":true,"nullable":true,"about":"Reason of its outcome, where the action does not tell."},"retried_by":{"kind":"text","required":true,"nullable":true,"about":"User who retried the change; null for the first attempt, and for those that the service began after a lost runner."},"started_at":{"kind":"time","required":true,"about":"When a runner took it on."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended; with steps below the step, when these had ended too. Null while it runs."},"step_id":{"kind":"text","required":true,"about":"The step; an earlier change has its own for the same action."},"change_id":{"kind":"text","required":true,"about":"The change in which it ran."}}},
  agent_status: {"about":"Desired and actual state of an agent, and its images.","attributes":{"desired_status":{"kind":"text","required":true,"about":"Desired state: running or absent."},"status":{"kind":"text","required":true,"about":"Actual state: absent, initializing, running, stopping or error."},"image_build_status":{"kind":"text","required":true,"about":"State of its latest image: none, building, ready or error."},"active_image_sha":{"kind":"text","required":true,"nullable":true,"about":"Image that it runs; null while it is not running."},"newest_image_sha":{"kind":"text","required":true,"nullable":true,"about":"Image that was built last; null if there is none."}}},
  agent_log_line: {"about":"A log line of an agent.","attributes":{"message":{"kind":"text","required":true,"about":"The line."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"agent_path":{"kind":"text","required":true,"about":"The agent that wrote it."},"attempt":{"kind":"integer","required":true,"about":"Start of the agent that wrote it."},"sequence":{"kind":"integer","required":true,"about":"Line number within that start, from 1."},"logged_at":{"kind":"time","required":true,"about":"When it was written."}}},
  workflow: {"about":"A versioned sequence of changes on several nodes, waits and other workflows.","attributes":{"code":{"kind":"text","required":true,"about":"Code in paths; cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","required":true,"nullable":true,"about":"Description."},"draft":{"kind":"boolean","required":true,"about":"Whether its newest version is a draft."},"archived":{"kind":"boolean","required":true,"about":"Archived: kept, can no longer run."},"latest_version":{"kind":"integer","required":true,"about":"Number of its newest version, from 1."},"latest_published_version":{"kind":"integer","required":true,"nullable":true,"about":"Number of the version that runs by default."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  workflow_version: {"about":"A version of a workflow: its source and the steps parsed from it.","attributes":{"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"draft":{"kind":"boolean","required":true,"about":"Whether it is a draft, which can be edited but not run."},"source_yaml":{"kind":"text","required":true,"about":"Source as written. Stored encrypted."},"steps":{"kind":"any","required":true,"nullable":true,"about":"Steps with types, generated names and absolute targets; null for a draft with errors, see meta.errors."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"published_at":{"kind":"time","required":true,"nullable":true,"about":"When it was published; null for a draft."}}},
  workflow_run: {"about":"A run of a version of a workflow, as a tree of steps.","attributes":{"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first failed step with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules, as of its creation."},"approved_by":{"kind":"any","required":true,"about":"Approvals: by whom and when."},"rejected_by":{"kind":"any","required":true,"about":"Rejections: by whom and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"User who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"User who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"state_timing":{"kind":"any","required":true,"about":"Seconds from creation to start, and from start to end; null while in progress."},"workflow_code":{"kind":"text","required":true,"about":"Code of the workflow that it runs."},"version":{"kind":"integer","required":true,"about":"The version of the workflow."},"name":{"kind":"text","required":true,"about":"Name of the workflow when it was made."},"metadata":{"kind":"any","required":true,"about":"Metadata attached by its creator."},"scheduled":{"kind":"boolean","required":true,"about":"Whether a schedule created it."},"skip_steps":{"kind":"any","required":true,"about":"Globs of the names of steps to skip."},"property_overrides":{"kind":"any","required":true,"about":"Overrides of the properties of its project."}}},
  workflow_step: {"about":"One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","attributes":{"name":{"kind":"text","required":true,"about":"Its name."},"full_path":{"kind":"text","required":true,"about":"The names from the root down, joined by \"/\"."},"step_type":{"kind":"text","required":true,"about":"change, wait, workflow or stage."},"targets":{"kind":"any","required":true,"about":"Paths of the nodes that its changes run on."},"action":{"kind":"text","required":true,"nullable":true,"about":"The action that its changes run."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"The template version that its changes take their actions from."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"Code of the workflow that it runs."},"start_time":{"kind":"text","required":true,"nullable":true,"about":"Earliest start of what it starts, as written in the workflow."},"step_sequence":{"kind":"integer","required":true,"about":"Position among its siblings, from 0."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"child_execution_strategy":{"kind":"text","required":true,"about":"Order of its children: sequential or parallel."},"ignore_failure":{"kind":"boolean","required":true,"about":"Whether its failure is ignored."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules."},"approved_by":{"kind":"any","required":true,"about":"Approvals: by whom and when."},"rejected_by":{"kind":"any","required":true,"about":"Rejections: by whom and when."},"continued_by":{"kind":"text","required":true,"nullable":true,"about":"User who continued it."},"skip_requested":{"kind":"boolean","required":true,"about":"Whether the skip mask matches it."},"reset_on_retry":{"kind":"boolean","required":true,"about":"Whether a retry of the run asks for approval again."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Error message."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"Start of its latest attempt."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"state_timing":{"kind":"any","required":true,"about":"Seconds in each state; null while in that state."},"expected_seconds":{"kind":"number","required":true,"nullable":true,"about":"Median duration of its last ten successes in earlier activities of the same name on the same node; null: unknown. The tree has it for all steps."},"log_line_count":{"kind":"integer","required":true,"about":"Number of lines in its own log, all attempts together; 0: none. Lines of steps below it, and of changes that it made, do not count."},"error_line_count":{"kind":"integer","required":true,"about":"How many of these were written to stderr."},"workflow_run_id":{"kind":"text","required":true,"about":"The run that it belongs to."},"tree_order":{"kind":"text","required":true,"about":"Position in reading order among the steps of one run."}}},
  activity: {"about":"A change or a workflow run, in one list of all activities: queued, running and ended.","attributes":{"type":{"kind":"text","required":true,"about":"change or workflow_run."},"path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"name":{"kind":"text","required":true,"about":"What it runs: the action of a change, the code of the workflow of a run."},"action":{"kind":"text","required":true,"nullable":true,"about":"Changes: name of the action."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"Workflow runs: code of the workflow."},"revision":{"kind":"text","required":true,"nullable":true,"about":"Changes: the requested revision; workflow runs: the version."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first failed step with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules, as of its creation."},"approved_by":{"kind":"any","required":true,"about":"Approvals: by whom and when."},"rejected_by":{"kind":"any","required":true,"about":"Rejections: by whom and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"User who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"User who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."},"metadata":{"kind":"any","required":true,"about":"Metadata attached by its creator."},"scheduled":{"kind":"boolean","required":true,"about":"Whether a schedule created it."},"progress":{"kind":"object","required":true,"nullable":true,"about":"In progress: number of its steps, groups included, and of those that have ended; null once it has ended."},"skip_steps":{"kind":"any","required":true,"about":"Globs of the steps to skip."},"property_overrides":{"kind":"any","required":true,"about":"Overrides of the properties of its node."}}},
  scheduled_change: {"about":"Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","attributes":{"action":{"kind":"text","required":true,"nullable":true,"about":"The action that its changes run."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"The workflow that its runs are of."},"version":{"kind":"integer","required":true,"nullable":true,"about":"Published version; null: the latest."},"cron_schedule":{"kind":"text","required":true,"nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","required":true,"nullable":true,"about":"Single due time."},"time_zone":{"kind":"text","required":true,"about":"Time zone of the cron expression."},"repeat":{"kind":"boolean","required":true,"about":"Whether it is recurring."},"maximum_run_count":{"kind":"integer","required":true,"nullable":true,"about":"Maximum number of changes that it starts."},"end_at":{"kind":"time","required":true,"nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","required":true,"about":"Whether it is enabled."},"disabled_reason":{"kind":"text","required":true,"nullable":true,"about":"Reason why the service disabled it."},"new_commits_only":{"kind":"boolean","required":true,"about":"Whether it starts only for a new commit."},"commit_file_patterns":{"kind":"any","required":true,"about":"Patterns of files, one of which such a commit must touch."},"commit_file_pattern_match":{"kind":"text","required":true,"about":"Whether a file must match any of the patterns or all."},"allow_parallel_execution":{"kind":"boolean","required":true,"about":"Whether it starts one while an earlier one is still running."},"git_remote_name":{"kind":"text","required":true,"nullable":true,"about":"On projects and environments: folder of the actions."},"git_rev":{"kind":"text","required":true,"nullable":true,"about":"On projects and environments: the revision."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"any","required":true,"about":"Metadata of its changes, for filters."},"skip_steps":{"kind":"any","required":true,"about":"Globs of the paths of steps that its changes skip."},"starting_step":{"kind":"text","required":true,"nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","required":true,"about":"Whether wait steps without approvers in its changes continue automatically."},"build_without_cache":{"kind":"boolean","required":true,"about":"Whether the image of its changes is rebuilt."},"notify":{"kind":"any","required":true,"nullable":true,"about":"Notifications about what it starts."},"property_overrides":{"kind":"any","required":true,"about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"any","required":true,"about":"Settings of its changes only."},"next_run_at":{"kind":"time","required":true,"nullable":true,"about":"Next due time; null if it is never due again."},"next_due_times":{"kind":"list","required":true,"about":"The next five times at which it is due, in its own time zone."},"run_count":{"kind":"integer","required":true,"about":"Number of changes that it has started."},"created_by":{"kind":"text","required":true,"about":"User who created it, and on whose behalf its changes run."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
  node_summary: {"about":"A node of any type with its place in the tree and what happens on it.","attributes":{"path":{"kind":"text","required":true,"about":"Path of the node."},"node_type":{"kind":"text","required":true,"about":"project, environment, asset or agent."},"depth":{"kind":"integer","required":true,"about":"Depth in the tree: 1 for a project, 2 for its children, 3 for the assets of an environment."},"code":{"kind":"text","required":true,"about":"Code: its segment of the path."},"name":{"kind":"text","required":true,"about":"Display name."},"archived":{"kind":"boolean","required":true,"about":"Whether the node is archived."},"template_code":{"kind":"text","required":true,"nullable":true,"about":"Assets and agents: code of the template."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Assets and agents: current template version."},"task_active":{"kind":"boolean","required":true,"about":"Whether a background task of the node is in progress."},"active_count":{"kind":"integer","required":true,"about":"Number of unfinished activities on the node itself."},"waiting_count":{"kind":"integer","required":true,"about":"Number of those with a step that waits."},"last_status":{"kind":"text","required":true,"nullable":true,"about":"Status of the newest ended activity."},"last_finished_at":{"kind":"time","required":true,"nullable":true,"about":"When that activity ended."}}},
  waiting_step: {"about":"A step of a change or of a workflow run that waits: for approvals, for input, or to be continued.","attributes":{"step_name":{"kind":"text","required":true,"about":"Name of the step."},"full_path":{"kind":"text","required":true,"about":"The names from the root down, joined by \"/\"."},"description":{"kind":"text","required":true,"nullable":true,"about":"Description by its author."},"status_code":{"kind":"text","required":true,"about":"waiting or waiting_for_approval."},"waits_for":{"kind":"text","required":true,"about":"What it waits for: approval, input, timer (it continues by itself) or continue."},"waiting_since":{"kind":"time","required":true,"about":"When it began to wait."},"wakes_at":{"kind":"time","required":true,"nullable":true,"about":"When it continues by itself; null if a user continues it."},"requires_approval_from":{"kind":"any","required":true,"about":"Approval rules."},"approved_by":{"kind":"any","required":true,"about":"Approvals so far: by whom, when, and with which message."},"activity_id":{"kind":"text","required":true,"about":"The change or workflow run that it belongs to."},"activity_type":{"kind":"text","required":true,"about":"change or workflow_run."},"node_path":{"kind":"text","required":true,"about":"Path of the node that the activity runs on."},"action":{"kind":"text","required":true,"nullable":true,"about":"Changes: name of the action."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"Workflow runs: code of the workflow."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Changes: template version that their actions come from."},"commit_sha":{"kind":"text","required":true,"nullable":true,"about":"Changes: commit that their actions come from."},"workflow_version":{"kind":"integer","required":true,"nullable":true,"about":"Workflow runs: version of the workflow."},"step_count":{"kind":"integer","required":true,"about":"Number of all steps of the activity, groups included."},"plan_sha":{"kind":"text","required":true,"nullable":true,"about":"Changes: hash of the plan of the change, which an approver signs."},"metadata":{"kind":"any","required":true,"about":"Metadata attached to the activity by its creator."},"created_by":{"kind":"text","required":true,"about":"User who created the activity."},"created_at":{"kind":"time","required":true,"about":"When the step was created."}}},
  key_rotation: {"about":"A key rotation: replaces the keys that encrypt everything secret.","attributes":{"status":{"kind":"text","required":true,"about":"announced until every process knows the new key, switching until every process encrypts with it, resealing until nothing is encrypted with an earlier key, then success."},"waiting_for":{"kind":"text","required":true,"nullable":true,"about":"Reason why it waits, if it does."},"data_key":{"kind":"integer","required":true,"about":"The number of the new data key."},"root_key":{"kind":"boolean","required":true,"about":"Whether the root key is replaced as well."},"resealed":{"kind":"integer","required":true,"about":"Number of records re-encrypted so far."},"created_by":{"kind":"text","required":true,"about":"User who started it."},"created_at":{"kind":"time","required":true,"about":"When it started."},"updated_at":{"kind":"time","required":true,"about":"When it last made progress."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."}}},
  resource_slot_pool: {"about":"Limit of concurrent work of one kind on a site, and the work that holds its slots.","attributes":{"pool":{"kind":"text","required":true,"about":"The kind of work: runner, actions_refresh, model, agent, image_build."},"site":{"kind":"text","required":true,"about":"Site."},"configured_limit":{"kind":"integer","required":true,"about":"Maximum number of slots in use at once; a setting of the installation."},"claimed_count":{"kind":"integer","required":true,"about":"Slots in use; more than the limit after the limit was lowered, until they are released."},"waiting_count":{"kind":"integer","required":true,"about":"Number of activities waiting for a slot, for any reason."},"slots":{"kind":"list","required":true,"about":"Holder of each claimed slot; for holders that the caller may not read, only the time."},"updated_at":{"kind":"time","required":true,"about":"When its limit or its holders last changed."}}},
  job: {"about":"A background job of the service.","attributes":{"job_class":{"kind":"text","required":true,"about":"Name of the task, such as changes.prepare."},"queue":{"kind":"text","required":true,"about":"Jobs of one queue run one after another; those of \"default\" as they come."},"status":{"kind":"text","required":true,"about":"pending until it runs, running, success, or error after its last attempt."},"attempts":{"kind":"integer","required":true,"about":"Number of attempts."},"maximum_attempts":{"kind":"integer","required":true,"about":"Maximum number of attempts."},"last_error":{"kind":"text","required":true,"nullable":true,"about":"Error of the last attempt."},"run_at":{"kind":"time","required":true,"about":"Earliest time to run it; after a failure, the time of the next attempt."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it started; set while it runs and after it has succeeded."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended or was given up."},"node_path":{"kind":"text","required":true,"nullable":true,"about":"Node that it relates to, if any."},"created_at":{"kind":"time","required":true,"about":"When it was queued."}}},
  site: {"about":"Site: a place where work is done, and its capacity.","attributes":{"code":{"kind":"text","required":true,"about":"Name, as used by processes and pools."},"processes":{"kind":"integer","required":true,"about":"Service processes that serve this site now."},"runners":{"kind":"integer","required":true,"about":"Number of runners."},"pools":{"kind":"list","required":true,"about":"Slot pools; the resource slots list their holders."},"created_at":{"kind":"time","required":true,"about":"When it first appeared."}}},
  data_cleanup_definition: {"about":"Retention rule: what to delete, after how long, on which schedule.","attributes":{"name":{"kind":"text","required":true,"about":"Display name."},"kind":{"kind":"text","required":true,"about":"Type of records to delete: activities (changes and workflow runs), events, jobs."},"cron_schedule":{"kind":"text","required":true,"about":"Due time."},"time_zone":{"kind":"text","required":true,"about":"Time zone of that time."},"node_paths":{"kind":"list","required":true,"about":"Paths of nodes; a trailing % matches a prefix."},"filters":{"kind":"any","required":true,"about":"Restricts them to the records that match these list filters."},"older_than":{"kind":"text","required":true,"about":"Deletes only what ended (events: was recorded) longer ago than this."},"maximum_per_run":{"kind":"integer","required":true,"nullable":true,"about":"Maximum number, oldest first."},"enabled":{"kind":"boolean","required":true,"about":"Whether it is enabled."},"last_run_at":{"kind":"time","required":true,"nullable":true,"about":"Last due time at which it started."},"next_run_at":{"kind":"time","required":true,"nullable":true,"about":"Next due time; null if it is never due."},"next_due_times":{"kind":"list","required":true,"about":"The next five times at which it is due, in its own time zone."},"created_by":{"kind":"text","required":true,"about":"User who created it."},"created_at":{"kind":"time","required":true,"about":"When it was created."},"updated_at":{"kind":"time","required":true,"about":"When it was last updated."}}},
}

export const operations: readonly Operation[] = [
  {"id":"access_summary.show","method":"GET","path":"/api/access_summary","about":"Who may do what on a node: the rules whose path covers it, to whom they are assigned, and the people they reach.","query":{"node_path":{"kind":"text","required":true,"about":"Path of the node, such as /projects/bank/environments/live."}}},
  {"id":"activity.list","method":"GET","path":"/api/activities","about":"List: A change or a workflow run, in one list of all activities: queued, running and ended.","answers":"activity","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"activities.live","method":"GET","path":"/api/activities/live","about":"Live stream of all activities"},
  {"id":"audit_trail.show","method":"GET","path":"/api/admin/audit_trail","about":"The sealed audit trail: every event, and the hash chain through them","query":{"after":{"kind":"integer","about":"Number of the seal after which to continue; without it, from the first."}}},
  {"id":"audit_trail.unsealed","method":"GET","path":"/api/admin/audit_trail/unsealed","about":"Events inserted without the service: older than the sealed ones, and not sealed","query":{"after":{"kind":"text","about":"Id of the event after which to continue; without it, from the first."}}},
  {"id":"database.show","method":"GET","path":"/api/admin/database","about":"The database: its version and size, connections, and how old its oldest transaction is"},
  {"id":"drain_status.show","method":"GET","path":"/api/admin/drain_status","about":"Work in progress: counts, drain status and blockers"},
  {"id":"job.list","method":"GET","path":"/api/admin/jobs","about":"List: A background job of the service.","answers":"job","lists":true},
  {"id":"job.show","method":"GET","path":"/api/admin/jobs/{id}","about":"A background job of the service.","answers":"job"},
  {"id":"key_rotation.list","method":"GET","path":"/api/admin/key_rotations","about":"List: A key rotation: replaces the keys that encrypt everything secret.","answers":"key_rotation","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"key_rotations.create","method":"POST","path":"/api/admin/key_rotations","about":"Starts to rotate the data key, and the root key on request, while the service runs.","answers":"key_rotation","once":true,"attributes":{"root_key":{"kind":"boolean","about":"Re-wraps all keys under the next root key, which every process must have been given."}}},
  {"id":"key_rotation.show","method":"GET","path":"/api/admin/key_rotations/{id}","about":"A key rotation: replaces the keys that encrypt everything secret.","answers":"key_rotation"},
  {"id":"load.list","method":"GET","path":"/api/admin/load","about":"Top users of the database: ten users of each process, and whether they are throttled"},
  {"id":"resource_slot_pool.list","method":"GET","path":"/api/admin/resource_slots","about":"List: Limit of concurrent work of one kind on a site, and the work that holds its slots.","answers":"resource_slot_pool","lists":true},
  {"id":"resource_slot_pool.show","method":"GET","path":"/api/admin/resource_slots/{id}","about":"Limit of concurrent work of one kind on a site, and the work that holds its slots.","answers":"resource_slot_pool"},
  {"id":"site.list","method":"GET","path":"/api/admin/sites","about":"List: Site: a place where work is done, and its capacity.","answers":"site","lists":true},
  {"id":"site.show","method":"GET","path":"/api/admin/sites/{id}","about":"Site: a place where work is done, and its capacity.","answers":"site"},
  {"id":"workers.list","method":"GET","path":"/api/admin/workers","about":"Service processes: last heartbeat and failing loops"},
  {"id":"agent.list","method":"GET","path":"/api/agents","about":"List: A long-running container, created from a template version.","answers":"agent","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"agent.show_2","method":"GET","path":"/api/agents/{id}","about":"A long-running container, created from a template version.","answers":"agent"},
  {"id":"agents.update_2","method":"PATCH","path":"/api/agents/{id}","about":"Changes, archives or restores an agent.","answers":"agent","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."},"template_version_commit":{"kind":"text","about":"Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since."}}},
  {"id":"agents.archive_2","method":"DELETE","path":"/api/agents/{id}","about":"Archives an agent; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"artefact.show","method":"GET","path":"/api/artefacts/{id}","about":"A file that a step kept as an artefact.","answers":"artefact"},
  {"id":"artefacts.content","method":"GET","path":"/api/artefacts/{id}/content","about":"The bytes of an artefact"},
  {"id":"asset.list","method":"GET","path":"/api/assets","about":"List: A target of changes, created from a template version.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"asset.show_3","method":"GET","path":"/api/assets/{id}","about":"A target of changes, created from a template version.","answers":"asset"},
  {"id":"assets.update_3","method":"PATCH","path":"/api/assets/{id}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."},"template_version_commit":{"kind":"text","about":"Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since."}}},
  {"id":"assets.archive_3","method":"DELETE","path":"/api/assets/{id}","about":"Archives an asset; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"authorisation_check.show","method":"GET","path":"/api/authorisation_check","about":"Whether a user has a right on a path, and the rule and policy that decide it.","query":{"path":{"kind":"text","required":true,"about":"Path to check the right on, such as /projects/bank/environments/live."},"right":{"kind":"text","required":true,"about":"read, update, execute or delete."},"username":{"kind":"text","about":"User to check; default the caller. Checking others requires read on the policies of the path."}}},
  {"id":"authorisation_checks.check","method":"POST","path":"/api/authorisation_checks","about":"Whether a user has several rights, and the rule and policy that decide each.","attributes":{"username":{"kind":"text","about":"User to check; default the caller. Checking others requires read on the policies of each path."},"checks":{"kind":"list","required":true,"about":"Rights and the paths to check them on, at most 200."}}},
  {"id":"authorisation_policy.list","method":"GET","path":"/api/authorisation_policies","about":"List: A set of rules that is assigned as a whole.","answers":"authorisation_policy","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"authorisation_policies.create","method":"POST","path":"/api/authorisation_policies","about":"Creates a policy, optionally with rules and assignments.","answers":"authorisation_policy","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"Unique, case-insensitively."},"description":{"kind":"text","nullable":true},"authorisation_rules":{"kind":"list"},"assignments":{"kind":"list"}}},
  {"id":"authorisation_policy.show","method":"GET","path":"/api/authorisation_policies/{id}","about":"A set of rules that is assigned as a whole.","answers":"authorisation_policy"},
  {"id":"authorisation_policies.update","method":"PATCH","path":"/api/authorisation_policies/{id}","about":"Updates the name or description of a policy.","answers":"authorisation_policy","attributes":{"name":{"kind":"text","about":"Unique, case-insensitively."},"description":{"kind":"text","nullable":true}}},
  {"id":"authorisation_policies.delete","method":"DELETE","path":"/api/authorisation_policies/{id}","about":"Deletes a policy and its assignments; its rules stay."},
  {"id":"authorisation_policies.put_assignments","method":"PUT","path":"/api/authorisation_policies/{id}/assignments","about":"Replaces the assignments of a policy.","answers":"authorisation_policy","attributes":{"assignments":{"kind":"list","required":true}}},
  {"id":"authorisation_policies.put_rules","method":"PUT","path":"/api/authorisation_policies/{id}/rules","about":"Replaces the rules of a policy. A rule that no policy contains any more is deleted.","answers":"authorisation_policy","attributes":{"authorisation_rules":{"kind":"list","required":true}}},
  {"id":"authorisation_rule.list","method":"GET","path":"/api/authorisation_rules","about":"List: Rights allowed or denied on a path and everything below it.","answers":"authorisation_rule","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"authorisation_rules.create","method":"POST","path":"/api/authorisation_rules","about":"Creates a rule, which takes effect once a policy contains it.","answers":"authorisation_rule","once":true,"attributes":{"path":{"kind":"text","required":true,"about":"Path, with * for one segment."},"name":{"kind":"text","nullable":true,"about":"a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction"},"read":{"kind":"boolean","nullable":true,"about":"Reading: true allows, false denies."},"update":{"kind":"boolean","nullable":true,"about":"Changing: true allows, false denies."},"execute":{"kind":"boolean","nullable":true,"about":"Running: true allows, false denies."},"delete":{"kind":"boolean","nullable":true,"about":"Deleting: true allows, false denies."}}},
  {"id":"authorisation_rule.show","method":"GET","path":"/api/authorisation_rules/{id}","about":"Rights allowed or denied on a path and everything below it.","answers":"authorisation_rule"},
  {"id":"authorisation_rules.update","method":"PATCH","path":"/api/authorisation_rules/{id}","about":"Updates a rule, at once for everyone with a policy that contains it.","answers":"authorisation_rule","attributes":{"path":{"kind":"text","about":"Path, with * for one segment."},"name":{"kind":"text","nullable":true,"about":"a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction"},"read":{"kind":"boolean","nullable":true,"about":"Reading: true allows, false denies."},"update":{"kind":"boolean","nullable":true,"about":"Changing: true allows, false denies."},"execute":{"kind":"boolean","nullable":true,"about":"Running: true allows, false denies."},"delete":{"kind":"boolean","nullable":true,"about":"Deleting: true allows, false denies."}}},
  {"id":"authorisation_rules.delete","method":"DELETE","path":"/api/authorisation_rules/{id}","about":"Deletes a rule and removes it from every policy."},
  {"id":"authorisation_summary.show","method":"GET","path":"/api/authorisation_summary","about":"What a user may do: each path that rules in force name, with the rights there.","query":{"username":{"kind":"text","about":"User; default the caller. Summaries of others require read on /authorisation_policies."}}},
  {"id":"bookmark.list","method":"GET","path":"/api/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"change.list","method":"GET","path":"/api/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create","method":"POST","path":"/api/changes","about":"Run an action on the node in parent_path","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."},"parent_path":{"kind":"text","about":"Path of a node: /projects/bank/assets/web."}}},
  {"id":"change.show","method":"GET","path":"/api/changes/{id}","about":"A run of one action on a node, as a tree of steps.","answers":"change"},
  {"id":"changes.cancel","method":"DELETE","path":"/api/changes/{id}","about":"Cancel a change: running steps are stopped, the others never start","query":{"purge":{"kind":"boolean","about":"Deletes a change that has ended and cannot be retried, with its log and artefacts."}}},
  {"id":"artefact.list","method":"GET","path":"/api/changes/{id}/artefacts","about":"List: A file that a step kept as an artefact.","answers":"artefact","lists":true},
  {"id":"step_attempt.list_2","method":"GET","path":"/api/changes/{id}/attempts","about":"List: One attempt of a step: a runner took it on, and it ended or is running.","answers":"step_attempt","lists":true},
  {"id":"changes.converged_properties","method":"GET","path":"/api/changes/{id}/converged_properties","about":"Properties that a change uses, including its own overrides."},
  {"id":"changes.converged_settings","method":"GET","path":"/api/changes/{id}/converged_settings","about":"Settings of a change, each with its source."},
  {"id":"changes.live","method":"GET","path":"/api/changes/{id}/live","about":"A change as it progresses: its steps, log lines and events","query":{"log_lines":{"kind":"any","about":"Whether log lines are included; default true. With a number, the stream begins with as many of the last lines of the log instead of all."}}},
  {"id":"changes.log","method":"GET","path":"/api/changes/{id}/log","about":"Lines of the log of a change, by their index","query":{"from":{"kind":"integer","about":"Index of the first line, from 0."},"lines":{"kind":"integer","about":"Maximum number of lines from there."},"tail":{"kind":"integer","about":"Number of last lines, instead of `from` and `lines`."}}},
  {"id":"changes.log_live","method":"GET","path":"/api/changes/{id}/log/live","about":"Lines of the log of a change, as they are written","query":{"tail":{"kind":"integer","about":"Number of last lines with which the stream begins."}}},
  {"id":"changes.log_matches","method":"GET","path":"/api/changes/{id}/log/matches","about":"Lines that match, in the log of a change","query":{"query":{"kind":"text","about":"Text that the lines contain."},"regexp":{"kind":"text","about":"Regular expression that the lines match, instead of `query`, in the syntax of PostgreSQL."},"errors":{"kind":"boolean","about":"Whether only lines written to stderr are searched."}}},
  {"id":"log_line.list_2","method":"GET","path":"/api/changes/{id}/log_lines","about":"List: A log line of a step.","answers":"log_line","lists":true},
  {"id":"changes.pause","method":"POST","path":"/api/changes/{id}/pause","about":"Pause a change: running steps finish, and no other step starts until it is resumed","answers":"change","once":true,"attributes":{"reason":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"changes.property_changes","method":"GET","path":"/api/changes/{id}/property_changes","about":"Properties that differ from those of the last successful change of the same action on the node."},
  {"id":"changes.resume","method":"POST","path":"/api/changes/{id}/resume","about":"Resume a paused change","answers":"change","once":true,"attributes":{"reason":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"step.list_2","method":"GET","path":"/api/changes/{id}/steps","about":"List: One step of a change: an action, a stage, a wait or an input.","answers":"step","lists":true,"named":{"for_change":"The steps of this change.","with_input_arguments":"Steps that wait for input.","without_input_arguments":"Waiting steps that ask for nothing.","mine":"Steps of changes that the caller made.","waiting_for_user":"Steps that wait for a person to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may continue."}},
  {"id":"changes.tree","method":"GET","path":"/api/changes/{id}/tree","about":"All steps of a change, as rows"},
  {"id":"changes.waiting_reason","method":"GET","path":"/api/changes/{id}/waiting_reason","about":"Reason why a change waits."},
  {"id":"nodes.compare","method":"POST","path":"/api/compare_nodes","about":"Converged properties and settings of two nodes, and their difference as a JSON Patch from a to b.","attributes":{"node_path_a":{"kind":"text","required":true,"about":"Path of the one node: /projects/bank/assets/web."},"node_path_b":{"kind":"text","required":true,"about":"Path of the other node: /projects/bank/assets/web."}}},
  {"id":"data_cleanup_definition.list","method":"GET","path":"/api/data_cleanup_definitions","about":"List: Retention rule: what to delete, after how long, on which schedule.","answers":"data_cleanup_definition","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"data_cleanup_definitions.create","method":"POST","path":"/api/data_cleanup_definitions","about":"Delete old records on a schedule","answers":"data_cleanup_definition","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"Display name."},"kind":{"kind":"text","required":true,"about":"Type of records to delete: activities (changes and workflow runs), events, jobs. agent_images are not supported yet."},"cron_schedule":{"kind":"text","required":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"time_zone":{"kind":"text","about":"IANA time zone of that time; default UTC."},"node_paths":{"kind":"list","about":"Paths of nodes; default %, which matches all, and records without a node."},"filters":{"kind":"object","about":"Only records that match these list filters: {\"status_code_eq\": \"success\"}."},"older_than":{"kind":"text","required":true,"about":"Only what ended (events: was recorded) longer ago than this ISO 8601 duration: P90D."},"maximum_per_run":{"kind":"integer","nullable":true,"about":"Maximum number, oldest first."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."}}},
  {"id":"data_cleanup_definition.show","method":"GET","path":"/api/data_cleanup_definitions/{id}","about":"Retention rule: what to delete, after how long, on which schedule.","answers":"data_cleanup_definition"},
  {"id":"data_cleanup_definitions.update","method":"PATCH","path":"/api/data_cleanup_definitions/{id}","about":"Change what is deleted, or when; a run in progress that would delete other records is stopped","answers":"data_cleanup_definition","attributes":{"name":{"kind":"text","about":"Display name."},"kind":{"kind":"text","about":"Type of records to delete: activities (changes and workflow runs), events, jobs. agent_images are not supported yet."},"cron_schedule":{"kind":"text","about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"time_zone":{"kind":"text","about":"IANA time zone of that time; default UTC."},"node_paths":{"kind":"list","about":"Paths of nodes; default %, which matches all, and records without a node."},"filters":{"kind":"object","about":"Only records that match these list filters: {\"status_code_eq\": \"success\"}."},"older_than":{"kind":"text","about":"Only what ended (events: was recorded) longer ago than this ISO 8601 duration: P90D."},"maximum_per_run":{"kind":"integer","nullable":true,"about":"Maximum number, oldest first."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."}}},
  {"id":"data_cleanup_definitions.delete","method":"DELETE","path":"/api/data_cleanup_definitions/{id}","about":"Delete a retention rule; a run in progress is stopped"},
  {"id":"data_cleanup_definitions.preview","method":"POST","path":"/api/data_cleanup_definitions/{id}/preview","about":"Count what would be deleted now, without deleting it"},
  {"id":"environment.list","method":"GET","path":"/api/environments","about":"List: A place within a project that holds assets.","answers":"environment","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"environment.show_2","method":"GET","path":"/api/environments/{id}","about":"A place within a project that holds assets.","answers":"environment"},
  {"id":"environments.update_2","method":"PATCH","path":"/api/environments/{id}","about":"Changes, archives or restores an environment.","answers":"environment","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"environments.archive_2","method":"DELETE","path":"/api/environments/{id}","about":"Archives an environment; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"event_types.list","method":"GET","path":"/api/event_types","about":"Types of events that the service records. Users may record events of other types."},
  {"id":"event.list","method":"GET","path":"/api/events","about":"List: Audit event: what happened, by whom and to which record; written once and sealed into a hash chain.","answers":"event","lists":true,"named":{"for_change":"Those of a change and of its steps, by its id.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","for_workflow_run":"Those of a workflow run and of its steps, by its id."}},
  {"id":"events.create","method":"POST","path":"/api/events","about":"Records a custom event with any attributes, related to a record by the link attributes.","once":true,"attributes":{"type":{"kind":"text","required":true,"about":"Any JSON value."},"node_path":{"kind":"text","about":"The node that it relates to."},"node_id":{"kind":"text","about":"The record that it relates to."},"step_id":{"kind":"text","about":"The record that it relates to."},"change_id":{"kind":"text","about":"The record that it relates to."},"workflow_step_id":{"kind":"text","about":"The record that it relates to."},"workflow_run_id":{"kind":"text","about":"The record that it relates to."},"scheduled_change_id":{"kind":"text","about":"The record that it relates to."},"bookmark_id":{"kind":"text","about":"The record that it relates to."},"template_version_id":{"kind":"text","about":"The record that it relates to."},"template_id":{"kind":"text","about":"The record that it relates to."},"git_remote_id":{"kind":"text","about":"The record that it relates to."},"properties_version_id":{"kind":"text","about":"The record that it relates to."},"properties_id":{"kind":"text","about":"The record that it relates to."},"settings_version_id":{"kind":"text","about":"The record that it relates to."},"settings_id":{"kind":"text","about":"The record that it relates to."},"project_path":{"kind":"text","about":"The node that it relates to."},"project_id":{"kind":"text","about":"The record that it relates to."}}},
  {"id":"events.live","method":"GET","path":"/api/events/live","about":"Live stream of events, as they are sealed"},
  {"id":"event.show","method":"GET","path":"/api/events/{id}","about":"Audit event: what happened, by whom and to which record; written once and sealed into a hash chain.","answers":"event"},
  {"id":"group.list","method":"GET","path":"/api/groups","about":"List: A group of the directory, as of the last refresh.","answers":"group","lists":true},
  {"id":"group.show","method":"GET","path":"/api/groups/{id}","about":"A group of the directory, as of the last refresh.","answers":"group"},
  {"id":"healthcheck","method":"GET","path":"/api/healthcheck","about":"Returns 200 while this process serves requests"},
  {"id":"info.show","method":"GET","path":"/api/info","about":"Installation: version and maintenance mode"},
  {"id":"ldap_refresh.create","method":"POST","path":"/api/ldap_refresh","about":"Refreshes all users and groups from the directory; the event api:ldap_refresh:… reports the outcome.","once":true},
  {"id":"log_line.list","method":"GET","path":"/api/log_lines","about":"List: A log line of a step.","answers":"log_line","lists":true},
  {"id":"users.me","method":"GET","path":"/api/me","about":"The current user."},
  {"id":"preferences.show","method":"GET","path":"/api/me/preferences","about":"Preferences of the caller: an object whose members clients choose, such as stars or the theme.","answers":"preferences"},
  {"id":"preferences.update","method":"PATCH","path":"/api/me/preferences","about":"Merges members into the preferences of the caller (RFC 7396): null removes a member.","answers":"preferences","attributes":{"data":{"kind":"object","required":true,"about":"Merge patch; the preferences have at most 65536 bytes of JSON."}}},
  {"id":"node_background_task_log_line.list","method":"GET","path":"/api/node_background_task_log_lines","about":"List: A log line of a background task.","answers":"node_background_task_log_line","lists":true,"query":{"node_background_task_id":{"kind":"text","required":true,"about":"The background task whose lines are listed."}}},
  {"id":"node_background_tasks.waiting_reason","method":"GET","path":"/api/node_background_tasks/{id}/waiting_reason","about":"Reason why a background task has not started."},
  {"id":"node_summary.list","method":"GET","path":"/api/nodes","about":"List: A node of any type with its place in the tree and what happens on it.","answers":"node_summary","lists":true,"named":{"under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"node_summaries.live","method":"GET","path":"/api/nodes/live","about":"Live stream of the summaries of all nodes"},
  {"id":"openapi.show","method":"GET","path":"/api/openapi.json","about":"This document."},
  {"id":"policy_assignment.list","method":"GET","path":"/api/policy_assignments","about":"List: Assignment of a policy to a user, a group, a user while a member of a group, or (with neither) everyone.","answers":"policy_assignment","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"policy_assignments.create","method":"POST","path":"/api/policy_assignments","about":"Assigns a policy to a user, a group, a user while a member of a group, or everyone.","answers":"policy_assignment","once":true,"attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The id of a policy."},"username":{"kind":"text","nullable":true,"about":"null: any user."},"groupname":{"kind":"text","nullable":true,"about":"null: whatever the user’s groups."}}},
  {"id":"policy_assignment.show","method":"GET","path":"/api/policy_assignments/{id}","about":"Assignment of a policy to a user, a group, a user while a member of a group, or (with neither) everyone.","answers":"policy_assignment"},
  {"id":"policy_assignments.delete","method":"DELETE","path":"/api/policy_assignments/{id}","about":"Removes an assignment of a policy."},
  {"id":"policy_rule.list","method":"GET","path":"/api/policy_rules","about":"List: Membership of a rule in a policy.","answers":"policy_rule","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"policy_rules.create","method":"POST","path":"/api/policy_rules","about":"Adds a rule to a policy.","answers":"policy_rule","once":true,"attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The id of a policy."},"authorisation_rule_id":{"kind":"text","required":true,"about":"The id of a rule."}}},
  {"id":"policy_rule.show","method":"GET","path":"/api/policy_rules/{id}","about":"Membership of a rule in a policy.","answers":"policy_rule"},
  {"id":"policy_rules.delete","method":"DELETE","path":"/api/policy_rules/{id}","about":"Removes a rule from a policy."},
  {"id":"project.list","method":"GET","path":"/api/projects","about":"List: Root of a tree of nodes, isolated from other projects.","answers":"project","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"projects.create","method":"POST","path":"/api/projects","about":"Makes a project.","answers":"project","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path; unique among siblings, cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"project_type":{"kind":"text","about":"A Standard project contains environments only. Default Enterprise."}}},
  {"id":"project.show","method":"GET","path":"/api/projects/{project_code}","about":"Root of a tree of nodes, isolated from other projects.","answers":"project"},
  {"id":"projects.update","method":"PATCH","path":"/api/projects/{project_code}","about":"Changes, archives or restores a project.","answers":"project","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"projects.archive","method":"DELETE","path":"/api/projects/{project_code}","about":"Archives a project; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"agent.list_2","method":"GET","path":"/api/projects/{project_code}/agents","about":"List: A long-running container, created from a template version.","answers":"agent","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"agents.create","method":"POST","path":"/api/projects/{project_code}/agents","about":"Makes an agent.","answers":"agent","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path; unique among siblings, cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"agent.show","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}","about":"A long-running container, created from a template version.","answers":"agent"},
  {"id":"agents.update","method":"PATCH","path":"/api/projects/{project_code}/agents/{agent_code}","about":"Changes, archives or restores an agent.","answers":"agent","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."},"template_version_commit":{"kind":"text","about":"Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since."}}},
  {"id":"agents.archive","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}","about":"Archives an agent; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"bookmark.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks","about":"Creates a bookmark on a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmark.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"A link saved on a node.","answers":"bookmark"},
  {"id":"bookmarks.update_5","method":"PATCH","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"Updates a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmarks.delete_5","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the changes of all nodes below."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."}}},
  {"id":"converged_properties.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_properties.explain_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_properties/explain","about":"Every layer that sets or removes a value, with version, author and time, and the layer that wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_settings","about":"Settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.explain_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_settings/explain","about":"Every level that states a setting, with version, author and time, and the level in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"node_background_task.list_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks","about":"List: Background task on an asset or agent.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Includes those of template versions that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_task.show_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}","about":"Background task on an asset or agent.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel_3","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"properties_history.list_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/properties_history","about":"List: The versions of properties in each layer of a node, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the schedules of all nodes below."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create_on_node_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"settings_history.list_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/settings_history","about":"List: The versions of settings in each layer of a node.","answers":"settings_history","lists":true},
  {"id":"agent_status.show","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status","about":"Desired and actual state of an agent, and its images.","answers":"agent_status"},
  {"id":"agent_log_line.list","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status/log_lines","about":"List: A log line of an agent.","answers":"agent_log_line","lists":true},
  {"id":"agents.orchestrator_events","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status/orchestrator_events","about":"Container of an agent as reported by the orchestrator; 409 unless the agent is running."},
  {"id":"template_version_history.list_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/version_history","about":"List: A period in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/version_history/{id}","about":"A period in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"asset.list_3","method":"GET","path":"/api/projects/{project_code}/assets","about":"List: A target of changes, created from a template version.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"assets.create_2","method":"POST","path":"/api/projects/{project_code}/assets","about":"Makes an asset.","answers":"asset","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path; unique among siblings, cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"asset.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}","about":"A target of changes, created from a template version.","answers":"asset"},
  {"id":"assets.update_2","method":"PATCH","path":"/api/projects/{project_code}/assets/{asset_code}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."},"template_version_commit":{"kind":"text","about":"Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since."}}},
  {"id":"assets.archive_2","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}","about":"Archives an asset; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"actions.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/actions","about":"Actions that can be run on an asset: those of its template version and of its model that have a description."},
  {"id":"bookmark.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks","about":"Creates a bookmark on a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmark.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"A link saved on a node.","answers":"bookmark"},
  {"id":"bookmarks.update_4","method":"PATCH","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"Updates a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmarks.delete_4","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the changes of all nodes below."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."}}},
  {"id":"converged_properties.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_properties.explain_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_properties/explain","about":"Every layer that sets or removes a value, with version, author and time, and the layer that wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_settings","about":"Settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.explain_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_settings/explain","about":"Every level that states a setting, with version, author and time, and the level in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"model.list_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/model_history","about":"List: Rendered model of an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"model.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/model_history/{id}","about":"Rendered model of an asset.","answers":"model"},
  {"id":"model.list_3","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/models","about":"List: Rendered model of an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"models.generate_2","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/models/generate","about":"Generates the model of an asset.","answers":"node_background_task","once":true},
  {"id":"model.show_3","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/models/{id}","about":"Rendered model of an asset.","answers":"model"},
  {"id":"node_background_task.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks","about":"List: Background task on an asset or agent.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Includes those of template versions that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_tasks.refresh_actions_2","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks","about":"Refreshes the actions of an asset.","answers":"node_background_task","once":true},
  {"id":"node_background_task.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Background task on an asset or agent.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel_2","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"properties_history.list_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/properties_history","about":"List: The versions of properties in each layer of a node, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the schedules of all nodes below."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create_on_node_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"settings_history.list_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/settings_history","about":"List: The versions of settings in each layer of a node.","answers":"settings_history","lists":true},
  {"id":"template_version_history.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/version_history","about":"List: A period in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/version_history/{id}","about":"A period in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"bookmark.list_2","method":"GET","path":"/api/projects/{project_code}/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create","method":"POST","path":"/api/projects/{project_code}/bookmarks","about":"Creates a bookmark on a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmark.show","method":"GET","path":"/api/projects/{project_code}/bookmarks/{id}","about":"A link saved on a node.","answers":"bookmark"},
  {"id":"bookmarks.update","method":"PATCH","path":"/api/projects/{project_code}/bookmarks/{id}","about":"Updates a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmarks.delete","method":"DELETE","path":"/api/projects/{project_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_2","method":"GET","path":"/api/projects/{project_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the changes of all nodes below."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node","method":"POST","path":"/api/projects/{project_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."}}},
  {"id":"converged_properties.show","method":"GET","path":"/api/projects/{project_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_properties.explain","method":"GET","path":"/api/projects/{project_code}/converged_properties/explain","about":"Every layer that sets or removes a value, with version, author and time, and the layer that wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.show","method":"GET","path":"/api/projects/{project_code}/converged_settings","about":"Settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.explain","method":"GET","path":"/api/projects/{project_code}/converged_settings/explain","about":"Every level that states a setting, with version, author and time, and the level in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"environment.list_2","method":"GET","path":"/api/projects/{project_code}/environments","about":"List: A place within a project that holds assets.","answers":"environment","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"environments.create","method":"POST","path":"/api/projects/{project_code}/environments","about":"Makes an environment.","answers":"environment","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path; unique among siblings, cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."}}},
  {"id":"environment.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}","about":"A place within a project that holds assets.","answers":"environment"},
  {"id":"environments.update","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}","about":"Changes, archives or restores an environment.","answers":"environment","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"environments.archive","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}","about":"Archives an environment; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"asset.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets","about":"List: A target of changes, created from a template version.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"assets.create","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets","about":"Makes an asset.","answers":"asset","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code: its segment of the path; unique among siblings, cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"asset.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"A target of changes, created from a template version.","answers":"asset"},
  {"id":"assets.update","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."},"template_version_commit":{"kind":"text","about":"Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since."}}},
  {"id":"assets.archive","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"Archives an asset; by force, destroys it with everything below it.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it even if it is in use, with everything below it. Superusers only."}}},
  {"id":"actions.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/actions","about":"Actions that can be run on an asset: those of its template version and of its model that have a description."},
  {"id":"bookmark.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks","about":"Creates a bookmark on a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmark.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"A link saved on a node.","answers":"bookmark"},
  {"id":"bookmarks.update_3","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"Updates a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmarks.delete_3","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the changes of all nodes below."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."}}},
  {"id":"converged_properties.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_properties.explain_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties/explain","about":"Every layer that sets or removes a value, with version, author and time, and the layer that wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings","about":"Settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.explain_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings/explain","about":"Every level that states a setting, with version, author and time, and the level in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"model.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history","about":"List: Rendered model of an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"model.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history/{id}","about":"Rendered model of an asset.","answers":"model"},
  {"id":"model.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models","about":"List: Rendered model of an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"models.generate","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/generate","about":"Generates the model of an asset.","answers":"node_background_task","once":true},
  {"id":"model.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/{id}","about":"Rendered model of an asset.","answers":"model"},
  {"id":"node_background_task.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks","about":"List: Background task on an asset or agent.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Includes those of template versions that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_tasks.refresh_actions","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks","about":"Refreshes the actions of an asset.","answers":"node_background_task","once":true},
  {"id":"node_background_task.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Background task on an asset or agent.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"properties_history.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/properties_history","about":"List: The versions of properties in each layer of a node, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the schedules of all nodes below."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create_on_node_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"settings_history.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/settings_history","about":"List: The versions of settings in each layer of a node.","answers":"settings_history","lists":true},
  {"id":"template_version_history.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history","about":"List: A period in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history/{id}","about":"A period in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"bookmark.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks","about":"List: A link saved on a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks","about":"Creates a bookmark on a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmark.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"A link saved on a node.","answers":"bookmark"},
  {"id":"bookmarks.update_2","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"Updates a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"Message text."},"url":{"kind":"text","nullable":true,"about":"Target of the link: http, https or mailto."}}},
  {"id":"bookmarks.delete_2","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the changes of all nodes below."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"Action to run. Required, except for a retry."},"git_remote_name":{"kind":"text","about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change only."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"starting_step":{"kind":"text","about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Skips every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether its own image, if it has one, is rebuilt."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the steps of relationships.change that did not succeed."},"refresh_sha":{"kind":"boolean","about":"On a retry: uses the newest commit of the revision."}}},
  {"id":"converged_properties.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_properties.explain_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_properties/explain","about":"Every layer that sets or removes a value, with version, author and time, and the layer that wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_settings","about":"Settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"converged_settings.explain_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_settings/explain","about":"Every level that states a setting, with version, author and time, and the level in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then."}}},
  {"id":"properties_history.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/properties_history","about":"List: The versions of properties in each layer of a node, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the schedules of all nodes below."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create_on_node_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"settings_history.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/settings_history","about":"List: The versions of settings in each layer of a node.","answers":"settings_history","lists":true},
  {"id":"git_remote.list","method":"GET","path":"/api/projects/{project_code}/git_remotes","about":"List: Git repository that templates and changes of a project use.","answers":"git_remote","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"git_remotes.create","method":"POST","path":"/api/projects/{project_code}/git_remotes","about":"Creates a Git remote, whether or not it is reachable.","answers":"git_remote","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"Name, unique in its project."},"url":{"kind":"text","required":true,"about":"URL that it is fetched from: https://…, ssh://…, user@host:path."},"public_url":{"kind":"text","nullable":true,"about":"URL for people, such as a page of the repository."},"user":{"kind":"text","nullable":true,"about":"User name for the Git server."},"password":{"kind":"text","nullable":true,"about":"Password or token; write-only."},"ssh_key_data":{"kind":"text","nullable":true,"about":"Private key for SSH; write-only."},"passphrase":{"kind":"text","nullable":true,"about":"Passphrase of the private key; write-only."},"periodic_fetch_interval":{"kind":"integer","nullable":true},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"git_remote.show","method":"GET","path":"/api/projects/{project_code}/git_remotes/{id}","about":"Git repository that templates and changes of a project use.","answers":"git_remote"},
  {"id":"git_remotes.update","method":"PATCH","path":"/api/projects/{project_code}/git_remotes/{id}","about":"Updates, archives or restores a Git remote.","answers":"git_remote","attributes":{"name":{"kind":"text","about":"Name, unique in its project."},"url":{"kind":"text","about":"URL that it is fetched from: https://…, ssh://…, user@host:path."},"public_url":{"kind":"text","nullable":true,"about":"URL for people, such as a page of the repository."},"user":{"kind":"text","nullable":true,"about":"User name for the Git server."},"password":{"kind":"text","nullable":true,"about":"Password or token; write-only."},"ssh_key_data":{"kind":"text","nullable":true,"about":"Private key for SSH; write-only."},"passphrase":{"kind":"text","nullable":true,"about":"Passphrase of the private key; write-only."},"periodic_fetch_interval":{"kind":"integer","nullable":true},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"git_remotes.delete","method":"DELETE","path":"/api/projects/{project_code}/git_remotes/{id}","about":"Deletes an unused Git remote."},
  {"id":"properties_history.list","method":"GET","path":"/api/projects/{project_code}/properties_history","about":"List: The versions of properties in each layer of a node, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_2","method":"GET","path":"/api/projects/{project_code}/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether to include the schedules of all nodes below."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create_on_node","method":"POST","path":"/api/projects/{project_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"settings_history.list","method":"GET","path":"/api/projects/{project_code}/settings_history","about":"List: The versions of settings in each layer of a node.","answers":"settings_history","lists":true},
  {"id":"template.list_2","method":"GET","path":"/api/projects/{project_code}/templates","about":"List: Template of assets or agents: a folder of a repository, in versions.","answers":"template","lists":true,"query":{"exclude_archived_nodes":{"kind":"boolean","about":"Excludes archived nodes from `nodes`."}}},
  {"id":"templates.create","method":"POST","path":"/api/projects/{project_code}/templates","about":"Creates a template.","answers":"template","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Folder in the repository; cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description."},"template_type":{"kind":"text","required":true,"about":"Type of nodes created from it; cannot be changed."},"git_remote_name":{"kind":"text","required":true,"about":"Git remote of its versions."}}},
  {"id":"template.show","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}","about":"Template of assets or agents: a folder of a repository, in versions.","answers":"template","query":{"exclude_archived_nodes":{"kind":"boolean","about":"Excludes archived nodes from `nodes`."}}},
  {"id":"templates.update","method":"PATCH","path":"/api/projects/{project_code}/templates/{template_id}","about":"Updates, archives or restores a template.","answers":"template","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description."},"git_remote_name":{"kind":"text","about":"Git remote of its versions."},"archived":{"kind":"boolean","about":"true archives it, false restores it."},"disabled":{"kind":"boolean","about":"true: it accepts no new nodes and no new versions."}}},
  {"id":"templates.delete","method":"DELETE","path":"/api/projects/{project_code}/templates/{template_id}","about":"Deletes an unused template."},
  {"id":"template_version.list","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}/versions","about":"List: A version of a template: a revision of its repository and the commit that it resolves to.","answers":"template_version","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version.show","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"A version of a template: a revision of its repository and the commit that it resolves to.","answers":"template_version"},
  {"id":"template_versions.put","method":"PUT","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"Creates or updates a template version; its revision is fetched after the response.","answers":"template_version","attributes":{"description":{"kind":"text","nullable":true},"git_rev":{"kind":"text","about":"Branch, tag or commit."},"locked":{"kind":"boolean","about":"Whether its commit is fixed."},"float_git_rev":{"kind":"boolean","about":"Whether it follows its branch or tag."},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"template_versions.delete","method":"DELETE","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"Deletes an unused template version."},
  {"id":"template_versions.assign_to_assets","method":"POST","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}/assign_to_assets","about":"Assigns this version to assets of its template: to all given, or to none.","answers":"template_version","once":true,"attributes":{"asset_paths":{"kind":"list","required":true,"about":"Paths of assets, such as /projects/bank/environments/live/assets/web."},"from_versions":{"kind":"object","about":"Version that each asset is expected to have now, by its path: 409 if one has another, which is neither this one nor the expected one."}}},
  {"id":"template_versions.cancel_refresh","method":"POST","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}/cancel_refresh","about":"Cancels the fetch of a version and the refresh of its actions.","answers":"template_version","once":true},
  {"id":"template_versions.changes","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}/changes","about":"Commits and files in which a version differs from another version of the template.","query":{"since":{"kind":"text","required":true,"about":"Version that it is compared with: the one that a node has now."}}},
  {"id":"workflow_run.list_2","method":"GET","path":"/api/projects/{project_code}/workflow_runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow.list_2","method":"GET","path":"/api/projects/{project_code}/workflows","about":"List: A versioned sequence of changes on several nodes, waits and other workflows.","answers":"workflow","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"workflows.create","method":"POST","path":"/api/projects/{project_code}/workflows","about":"Creates a workflow; its first version is a draft or published.","answers":"workflow","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Code in paths; cannot be changed."},"name":{"kind":"text","required":true,"about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description."},"source_yaml":{"kind":"text","required":true,"about":"Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them."},"draft":{"kind":"boolean","about":"false publishes it at once, if it has no errors."}}},
  {"id":"workflows.validate","method":"POST","path":"/api/projects/{project_code}/workflows/validate","about":"Steps of a source with its properties filled in, or every error with line and column.","attributes":{"source_yaml":{"kind":"text","required":true,"about":"Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them."},"property_overrides":{"kind":"object","about":"As a run would have them."}}},
  {"id":"workflow.show","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"A versioned sequence of changes on several nodes, waits and other workflows.","answers":"workflow"},
  {"id":"workflows.update","method":"PATCH","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"Updates, archives or restores a workflow; a source is written to its newest draft, or to a new one.","answers":"workflow","attributes":{"name":{"kind":"text","about":"Display name."},"description":{"kind":"text","nullable":true,"about":"Description."},"source_yaml":{"kind":"text","about":"Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them."},"draft":{"kind":"boolean","about":"false publishes it at once, if it has no errors."},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"workflows.delete","method":"DELETE","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"Deletes a workflow that was never run; one that was run can be archived."},
  {"id":"workflow_run.list_3","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow_runs.create_of_workflow","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/runs","about":"Run this workflow","answers":"workflow_run","once":true,"attributes":{"version":{"kind":"integer","about":"A published version; default the latest."},"property_overrides":{"kind":"object","about":"Overrides of the project’s properties, for `{{path}}` in the workflow."},"metadata":{"kind":"object","about":"Metadata, for filters."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the run in relationships.workflow_run; no other attribute is needed."}}},
  {"id":"workflow_version.list","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions","about":"List: A version of a workflow: its source and the steps parsed from it.","answers":"workflow_version","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"workflow_versions.create","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions","about":"Creates a new draft of a workflow.","answers":"workflow_version","once":true,"attributes":{"source_yaml":{"kind":"text","required":true,"about":"Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them."}}},
  {"id":"workflow_version.show","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}","about":"A version of a workflow: its source and the steps parsed from it.","answers":"workflow_version"},
  {"id":"workflow_versions.update","method":"PATCH","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}","about":"Updates a draft; a published version never changes.","answers":"workflow_version","attributes":{"source_yaml":{"kind":"text","required":true,"about":"Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them."}}},
  {"id":"workflow_versions.publish","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}/publish","about":"Publishes a draft, which then never changes. Returns every error in it.","answers":"workflow_version","once":true},
  {"id":"properties.show","method":"GET","path":"/api/properties/{id}","about":"Properties stated by one owner.","answers":"properties"},
  {"id":"properties.update","method":"PATCH","path":"/api/properties/{id}","about":"Replaces the document, or updates it with a merge patch or a JSON Patch.","answers":"properties","patches":true,"attributes":{"data":{"kind":"object","required":true,"about":"The whole document."},"version":{"kind":"integer","about":"Version that this replaces; 409 if the newest version is another one."}}},
  {"id":"properties.impact","method":"POST","path":"/api/properties/{id}/impact","about":"Which nodes’ converged properties would change, and how, if the document were this. Writes nothing.","query":{"after":{"kind":"text","about":"Continues after the node with this path; taken from `links.next`."}},"attributes":{"data":{"kind":"object","required":true,"about":"The whole new document."},"version":{"kind":"integer","about":"Version that this replaces; 409 if the newest version is another one."}}},
  {"id":"properties_version.list_2","method":"GET","path":"/api/properties/{id}/versions","about":"List: A version of properties, as it was in force for a time.","answers":"properties_version","lists":true,"query":{"exclude_data":{"kind":"boolean","about":"Excludes the documents themselves: only author and time of each."}}},
  {"id":"properties_version.show_2","method":"GET","path":"/api/properties/{id}/versions/{version}","about":"A version of properties, as it was in force for a time.","answers":"properties_version","query":{"against":{"kind":"integer","about":"Number of the version that `meta.changed_pointers` compares with; 0 is the empty document. Default: the version before."}}},
  {"id":"properties.restore","method":"POST","path":"/api/properties/{id}/versions/{version}/restore","about":"Restores a version as the newest.","answers":"properties","once":true},
  {"id":"properties_version.list","method":"GET","path":"/api/properties_versions","about":"List: A version of properties, as it was in force for a time.","answers":"properties_version","lists":true,"query":{"properties_id":{"kind":"text","required":true,"about":"Whose versions are listed: the id of the properties record."},"exclude_data":{"kind":"boolean","about":"Excludes the documents themselves: only author and time of each."}}},
  {"id":"properties_version.show","method":"GET","path":"/api/properties_versions/{id}","about":"A version of properties, as it was in force for a time.","answers":"properties_version","query":{"against":{"kind":"integer","about":"Number of the version that `meta.changed_pointers` compares with; 0 is the empty document. Default: the version before."}}},
  {"id":"readiness","method":"GET","path":"/api/readiness","about":"Returns 200 when the database is reachable and its schema is current"},
  {"id":"saved_view.list","method":"GET","path":"/api/saved_views","about":"List: Query of a list, saved under a name.","answers":"saved_view","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"saved_views.create","method":"POST","path":"/api/saved_views","about":"Saves the query of a list under a name.","answers":"saved_view","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"Name of the view, unique among those of its owner for the list."},"list":{"kind":"text","required":true,"about":"List that the query is for, such as activities."},"query":{"kind":"text","required":true,"about":"Filters, sorting and columns, as a query string of the client that saved it."},"shared_with":{"kind":"text","about":"Users who see it: private (the owner) or everyone."}}},
  {"id":"saved_view.show","method":"GET","path":"/api/saved_views/{id}","about":"Query of a list, saved under a name.","answers":"saved_view"},
  {"id":"saved_views.update","method":"PATCH","path":"/api/saved_views/{id}","about":"Updates a saved view; only its owner can, and superusers.","answers":"saved_view","attributes":{"name":{"kind":"text","about":"Name of the view, unique among those of its owner for the list."},"list":{"kind":"text","about":"List that the query is for, such as activities."},"query":{"kind":"text","about":"Filters, sorting and columns, as a query string of the client that saved it."},"shared_with":{"kind":"text","about":"Users who see it: private (the owner) or everyone."}}},
  {"id":"saved_views.delete","method":"DELETE","path":"/api/saved_views/{id}","about":"Deletes a saved view; only its owner can, and superusers."},
  {"id":"scheduled_change.list","method":"GET","path":"/api/scheduled_activities","about":"List: Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"scheduled_activities.create","method":"POST","path":"/api/scheduled_activities","about":"Run an action, or a workflow, on the node in parent_path on a schedule","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."},"parent_path":{"kind":"text","required":true,"about":"Path of a node: /projects/bank/assets/web."}}},
  {"id":"scheduled_activities.preview","method":"POST","path":"/api/scheduled_activities/preview","about":"Preview the next ten due times of a schedule, in its own time zone","attributes":{"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."}}},
  {"id":"scheduled_activities.upcoming","method":"GET","path":"/api/scheduled_activities/upcoming","about":"Due times of the enabled schedules within a period, by schedule","query":{"from":{"kind":"time","about":"Start of the period; default now."},"to":{"kind":"time","about":"End of the period, exclusive, at most 366 days later; default 7 days later."}}},
  {"id":"scheduled_change.show","method":"GET","path":"/api/scheduled_activities/{id}","about":"Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.","answers":"scheduled_change"},
  {"id":"scheduled_activities.update","method":"PATCH","path":"/api/scheduled_activities/{id}","about":"Change a schedule, or enable it again","answers":"scheduled_change","attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"On projects, instead of an action: the workflow to run."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"Cron expression: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"Single due time, instead of cron_schedule."},"time_zone":{"kind":"text","about":"IANA time zone of the expression; default UTC."},"repeat":{"kind":"boolean","about":"Whether it is recurring; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"It is not due after this time."},"enabled":{"kind":"boolean","about":"Whether it is enabled; default true."},"new_commits_only":{"kind":"boolean","about":"Only when the commit of its revision is new to it."},"commit_file_patterns":{"kind":"list","about":"Only when that commit touches a file that matches these patterns."},"commit_file_pattern_match":{"kind":"text","about":"Whether any of the patterns must match, or all."},"allow_parallel_execution":{"kind":"boolean","about":"Starts even while an earlier one is still running; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"On projects and environments: the Git remote of the actions."},"git_rev":{"kind":"text","nullable":true,"about":"On projects and environments: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"On assets: a template version other than the current one."},"metadata":{"kind":"object","about":"Metadata of its changes, for filters."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes only."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the first step to run."},"auto_continue_wait_steps":{"kind":"boolean","about":"Its changes skip every wait step that has no approvers and no argument without a default."},"build_without_cache":{"kind":"boolean","about":"Whether the image of its changes, if they have one, is rebuilt."},"notify":{"kind":"object","nullable":true,"about":"Notifications about its progress."}}},
  {"id":"scheduled_activities.delete","method":"DELETE","path":"/api/scheduled_activities/{id}","about":"Delete a schedule; the changes that it created stay"},
  {"id":"search.list","method":"GET","path":"/api/search","about":"Records of several types that contain a text in their code, name, path, id or metadata, the best first","query":{"query":{"kind":"text","required":true,"about":"Text to search for, in any case. Of activities and schedules the newest 2,000 are searched; an activity is also found by at least the first 8 digits of its id, and a node by the beginning of its path."},"types":{"kind":"any","about":"Kinds of records: node, activity, workflow, template, scheduled_activity, user; default all. Several as types[]=node&types[]=user."}}},
  {"id":"secrets.encrypt","method":"POST","path":"/api/secrets/encrypt","about":"Stores a secret of a node in the vault and returns its reference, for use in properties.","attributes":{"node_path":{"kind":"text","required":true,"about":"The path of a node."},"path":{"kind":"text","required":true,"about":"Path below the node."},"key":{"kind":"text","required":true,"about":"Name in the directory."},"value":{"kind":"text","required":true,"about":"Secret. Write-only; never recorded."}}},
  {"id":"secrets.resolve","method":"POST","path":"/api/secrets/resolve","about":"Returns a stored secret. Each access is recorded.","attributes":{"node_path":{"kind":"text","required":true,"about":"The path of a node."},"reference":{"kind":"text","required":true,"about":"secret://…"}}},
  {"id":"settings.show","method":"GET","path":"/api/settings/{id}","about":"Settings stated by one owner.","answers":"settings"},
  {"id":"settings.update","method":"PATCH","path":"/api/settings/{id}","about":"Sets keys; null removes a key, so that its value is inherited.","answers":"settings","attributes":{"data":{"kind":"object","required":true,"about":"Names of settings (with dots) as keys."},"version":{"kind":"integer","about":"Version that this replaces; 409 if the newest version is another one."}}},
  {"id":"settings.replace","method":"PUT","path":"/api/settings/{id}","about":"Replaces all settings of the record.","answers":"settings","attributes":{"data":{"kind":"object","required":true,"about":"Names of settings (with dots) as keys."},"version":{"kind":"integer","about":"Version that this replaces; 409 if the newest version is another one."}}},
  {"id":"settings.impact","method":"POST","path":"/api/settings/{id}/impact","about":"Which nodes’ converged settings would change, and how, if the document were this. Writes nothing.","query":{"after":{"kind":"text","about":"Continues after the node with this path; taken from `links.next`."}},"attributes":{"data":{"kind":"object","required":true,"about":"The whole new document."},"version":{"kind":"integer","about":"Version that this replaces; 409 if the newest version is another one."}}},
  {"id":"settings_version.list_2","method":"GET","path":"/api/settings/{id}/versions","about":"List: A version of settings, as it was in force for a time.","answers":"settings_version","lists":true,"query":{"exclude_data":{"kind":"boolean","about":"Excludes the documents themselves: only author and time of each."}}},
  {"id":"settings_version.show_2","method":"GET","path":"/api/settings/{id}/versions/{version}","about":"A version of settings, as it was in force for a time.","answers":"settings_version","query":{"against":{"kind":"integer","about":"Number of the version that `meta.changed_pointers` compares with; 0 is the empty document. Default: the version before."}}},
  {"id":"settings.restore","method":"POST","path":"/api/settings/{id}/versions/{version}/restore","about":"Restores a version as the newest, including its secrets.","answers":"settings","once":true},
  {"id":"settings.schema","method":"GET","path":"/api/settings_schema","about":"The catalogue of settings as JSON Schema."},
  {"id":"settings_version.list","method":"GET","path":"/api/settings_versions","about":"List: A version of settings, as it was in force for a time.","answers":"settings_version","lists":true,"query":{"settings_id":{"kind":"text","required":true,"about":"Whose versions are listed: the id of the settings record."},"exclude_data":{"kind":"boolean","about":"Excludes the documents themselves: only author and time of each."}}},
  {"id":"settings_version.show","method":"GET","path":"/api/settings_versions/{id}","about":"A version of settings, as it was in force for a time.","answers":"settings_version","query":{"against":{"kind":"integer","about":"Number of the version that `meta.changed_pointers` compares with; 0 is the empty document. Default: the version before."}}},
  {"id":"step.list","method":"GET","path":"/api/steps","about":"List: One step of a change: an action, a stage, a wait or an input.","answers":"step","lists":true,"named":{"for_change":"The steps of this change.","with_input_arguments":"Steps that wait for input.","without_input_arguments":"Waiting steps that ask for nothing.","mine":"Steps of changes that the caller made.","waiting_for_user":"Steps that wait for a person to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may continue."}},
  {"id":"step.show","method":"GET","path":"/api/steps/{id}","about":"One step of a change: an action, a stage, a wait or an input.","answers":"step"},
  {"id":"steps.approve","method":"POST","path":"/api/steps/{id}/approve","about":"Approve a step that waits for approval; the last approval required by its rules continues it","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"artefact.list_2","method":"GET","path":"/api/steps/{id}/artefacts","about":"List: A file that a step kept as an artefact.","answers":"artefact","lists":true},
  {"id":"step_attempt.list","method":"GET","path":"/api/steps/{id}/attempts","about":"List: One attempt of a step: a runner took it on, and it ended or is running.","answers":"step_attempt","lists":true},
  {"id":"steps.bodies","method":"GET","path":"/api/steps/{id}/bodies","about":"Bodies of an action of the same commit and of its prerequisites, for a step that runs them itself.","query":{"action":{"kind":"text","required":true,"about":"Name of the action."}}},
  {"id":"steps.catalogue","method":"GET","path":"/api/steps/{id}/catalogue","about":"Actions of the model of the step's asset, for the step; empty without a valid model."},
  {"id":"steps.continue","method":"POST","path":"/api/steps/{id}/continue","about":"Continue a waiting step that needs no approval, with values for its input arguments","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."},"input_arguments":{"kind":"object","about":"Values for the arguments of an input step, by name."}}},
  {"id":"steps.converged_properties","method":"GET","path":"/api/steps/{id}/converged_properties","about":"Properties given to a step when it started."},
  {"id":"steps.converged_settings","method":"GET","path":"/api/steps/{id}/converged_settings","about":"Settings of the change of a step."},
  {"id":"steps.email","method":"POST","path":"/api/steps/{id}/email","about":"Sends an email for the step through the installation’s mail server, once per Idempotency-Key.","once":true,"attributes":{"to":{"kind":"list","required":true,"about":"Recipients."},"cc":{"kind":"list","about":"Recipients of a copy."},"bcc":{"kind":"list","about":"Recipients of a blind copy."},"reply_to":{"kind":"list","about":"Reply-to address."},"subject":{"kind":"text","required":true,"about":"one line of 1 to 500 characters, without line breaks and control characters"},"text":{"kind":"text","about":"Body as text; give this, `html`, or both."},"html":{"kind":"text","about":"The body as HTML."},"attachments":{"kind":"list","about":"Files of at most 5 MiB in total."}}},
  {"id":"steps.forget_secrets","method":"POST","path":"/api/steps/{id}/forget_secrets","about":"Deletes a secret of the step's node, or all secrets under a path, for the step.","once":true,"attributes":{"path":{"kind":"text","required":true,"about":"Path below the node of the change."},"key":{"kind":"text","about":"Name in the directory."}}},
  {"id":"steps.git_clone","method":"GET","path":"/api/steps/{id}/git_clone","about":"The files of a revision of a Git remote of the step's project, as tar; from the copy where it cannot be fetched.","query":{"git_remote_name":{"kind":"text","required":true,"about":"Name of the Git remote."},"git_rev":{"kind":"text","required":true,"about":"Branch, tag or commit of the remote."}}},
  {"id":"steps.log","method":"GET","path":"/api/steps/{id}/log","about":"Lines of the log of a step, by their index","query":{"from":{"kind":"integer","about":"Index of the first line, from 0."},"lines":{"kind":"integer","about":"Maximum number of lines from there."},"tail":{"kind":"integer","about":"Number of last lines, instead of `from` and `lines`."},"include_child_steps":{"kind":"boolean","about":"Whether to include the lines of all child steps, ordered by time."}}},
  {"id":"steps.log_live","method":"GET","path":"/api/steps/{id}/log/live","about":"Lines of the log of a step, as they are written","query":{"tail":{"kind":"integer","about":"Number of last lines with which the stream begins."},"include_child_steps":{"kind":"boolean","about":"Whether to include the lines of all child steps, ordered by time."}}},
  {"id":"steps.log_matches","method":"GET","path":"/api/steps/{id}/log/matches","about":"Lines that match, in the log of a step","query":{"query":{"kind":"text","about":"Text that the lines contain."},"regexp":{"kind":"text","about":"Regular expression that the lines match, instead of `query`, in the syntax of PostgreSQL."},"errors":{"kind":"boolean","about":"Whether only lines written to stderr are searched."},"include_child_steps":{"kind":"boolean","about":"Whether to include the lines of all child steps, ordered by time."}}},
  {"id":"log_line.list_3","method":"GET","path":"/api/steps/{id}/log_lines","about":"List: A log line of a step.","answers":"log_line","lists":true,"query":{"include_child_steps":{"kind":"boolean","about":"Whether to include the lines of all child steps."}}},
  {"id":"steps.reject","method":"POST","path":"/api/steps/{id}/reject","about":"Reject a step that waits for approval: steps running in parallel finish, all others are aborted","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"steps.secret","method":"POST","path":"/api/steps/{id}/secret","about":"Returns a secret of the step's node to the step; generated at random on the first request.","attributes":{"path":{"kind":"text","required":true,"about":"Path below the node of the change."},"key":{"kind":"text","required":true,"about":"Name in the directory."},"length":{"kind":"integer","about":"Number of characters; default 32."},"characters":{"kind":"text","about":"Alphabet; default letters and digits."},"make":{"kind":"boolean","about":"false: a missing secret is not created."}}},
  {"id":"steps.waiting_reason","method":"GET","path":"/api/steps/{id}/waiting_reason","about":"Reason why a step waits."},
  {"id":"summary.show","method":"GET","path":"/api/summary","about":"Numbers of running, waiting and failed activities, next schedules, and success ratio of the last week","query":{"time_zone":{"kind":"text","about":"IANA name of the time zone of the days, such as Europe/Berlin; default UTC."}}},
  {"id":"system_configuration.show","method":"GET","path":"/api/system_configuration","about":"The installation’s configuration, with its settings as a relationship."},
  {"id":"template.list","method":"GET","path":"/api/templates","about":"List: Template of assets or agents: a folder of a repository, in versions.","answers":"template","lists":true,"query":{"exclude_archived_nodes":{"kind":"boolean","about":"Excludes archived nodes from `nodes`."}}},
  {"id":"token.list","method":"GET","path":"/api/tokens","about":"List: Bearer token created by its owner. The secret is shown once, on creation. Superusers see all tokens.","answers":"token","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"tokens.create","method":"POST","path":"/api/tokens","about":"Creates a bearer token with the caller’s rights. The secret is in meta.token of this response only.","answers":"token","attributes":{"description":{"kind":"text","required":true,"about":"Description."},"expires_at":{"kind":"text","required":true,"about":"Expiry time (ISO 8601)."}}},
  {"id":"sessions.create","method":"POST","path":"/api/tokens/session","about":"Starts a session with HTTP Basic authentication and sets its cookie. Writing requests with the cookie send meta.csrf_token as X-CSRF-Token."},
  {"id":"sessions.delete","method":"DELETE","path":"/api/tokens/session","about":"Ends the current session; its cookie is invalid from the next request on."},
  {"id":"session.list","method":"GET","path":"/api/tokens/sessions","about":"List: Session of a browser that has not ended. meta.current is whether the request came with it. Superusers see all sessions.","answers":"session","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"session.show","method":"GET","path":"/api/tokens/sessions/{id}","about":"Session of a browser that has not ended. meta.current is whether the request came with it. Superusers see all sessions.","answers":"session"},
  {"id":"sessions.end","method":"DELETE","path":"/api/tokens/sessions/{id}","about":"Ends a session of the caller; superusers can end any. Its cookie is invalid from the next request on. To end the current one is to sign out."},
  {"id":"token.show","method":"GET","path":"/api/tokens/{id}","about":"Bearer token created by its owner. The secret is shown once, on creation. Superusers see all tokens.","answers":"token"},
  {"id":"tokens.delete","method":"DELETE","path":"/api/tokens/{id}","about":"Revokes a token; superusers can revoke any token. It stops working with the next request."},
  {"id":"user.list","method":"GET","path":"/api/users","about":"List: A local user, or a user of the directory.","answers":"user","lists":true},
  {"id":"users.create","method":"POST","path":"/api/users","about":"Creates a local user.","answers":"user","once":true,"attributes":{"username":{"kind":"text","required":true,"about":"The name to sign in with; never changes."},"password":{"kind":"text","required":true,"about":"Of at least 12 characters. Never answered."},"display_name":{"kind":"text","nullable":true,"about":"Display name."},"email_address":{"kind":"text","nullable":true,"about":"Email address."},"disabled":{"kind":"boolean","about":"Whether sign-in is refused."}}},
  {"id":"user.show","method":"GET","path":"/api/users/{username}","about":"A local user, or a user of the directory.","answers":"user"},
  {"id":"users.update","method":"PATCH","path":"/api/users/{username}","about":"Updates a user: superusers any user, others themselves. To change the own password, give the current one.","answers":"user","attributes":{"password":{"kind":"text","about":"Of at least 12 characters. Never answered."},"current_password":{"kind":"text","about":"Current password, required to change the own password."},"display_name":{"kind":"text","nullable":true,"about":"Display name."},"email_address":{"kind":"text","nullable":true,"about":"Email address."},"disabled":{"kind":"boolean","about":"Whether sign-in is refused."}}},
  {"id":"users.delete","method":"DELETE","path":"/api/users/{username}","about":"Deletes a user and revokes their tokens. The name cannot be used again."},
  {"id":"waiting_step.list","method":"GET","path":"/api/waiting_steps","about":"List: A step of a change or of a workflow run that waits: for approvals, for input, or to be continued.","answers":"waiting_step","lists":true,"named":{"waiting_for_user":"Steps that wait for a person to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may continue.","mine":"Steps of activities that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it."}},
  {"id":"workflow_run.list","method":"GET","path":"/api/workflow_runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those with a step that waits for the caller.","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything below it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow_runs.create","method":"POST","path":"/api/workflow_runs","about":"Run a workflow, or retry a run that did not succeed","answers":"workflow_run","once":true,"attributes":{"version":{"kind":"integer","about":"A published version; default the latest."},"property_overrides":{"kind":"object","about":"Overrides of the project’s properties, for `{{path}}` in the workflow."},"metadata":{"kind":"object","about":"Metadata, for filters."},"skip_steps":{"kind":"list","about":"Globs of the steps to skip."},"notify":{"kind":"object","about":"Notifications about its progress."},"run_at":{"kind":"time","about":"Earliest start."},"plan_sha":{"kind":"text","about":"Hash of the plan to carry out; refused if the plan has changed."},"retry":{"kind":"boolean","about":"Retries the run in relationships.workflow_run; no other attribute is needed."},"parent_path":{"kind":"text","about":"Path of the project: /projects/bank."},"workflow_code":{"kind":"text","about":"Code of the workflow."}}},
  {"id":"workflow_run.show","method":"GET","path":"/api/workflow_runs/{id}","about":"A run of a version of a workflow, as a tree of steps.","answers":"workflow_run"},
  {"id":"workflow_runs.cancel","method":"DELETE","path":"/api/workflow_runs/{id}","about":"Cancel a run and the changes and runs that it started: running steps are stopped, the others never start","query":{"purge":{"kind":"boolean","about":"Deletes a run that has ended and cannot be retried. The changes that it started stay."}}},
  {"id":"workflow_runs.live","method":"GET","path":"/api/workflow_runs/{id}/live","about":"A run as it progresses: its steps, log lines and events","query":{"log_lines":{"kind":"any","about":"Whether log lines are included; default true. With a number, the stream begins with as many of the last lines of the log instead of all."}}},
  {"id":"workflow_runs.log","method":"GET","path":"/api/workflow_runs/{id}/log","about":"Lines of the log of a workflow run and of the changes that it made, by their index","query":{"from":{"kind":"integer","about":"Index of the first line, from 0."},"lines":{"kind":"integer","about":"Maximum number of lines from there."},"tail":{"kind":"integer","about":"Number of last lines, instead of `from` and `lines`."}}},
  {"id":"workflow_runs.log_live","method":"GET","path":"/api/workflow_runs/{id}/log/live","about":"Lines of the log of a workflow run and of the changes that it made, as they are written","query":{"tail":{"kind":"integer","about":"Number of last lines with which the stream begins."}}},
  {"id":"workflow_runs.log_matches","method":"GET","path":"/api/workflow_runs/{id}/log/matches","about":"Lines that match, in the log of a workflow run and of the changes that it made","query":{"query":{"kind":"text","about":"Text that the lines contain."},"regexp":{"kind":"text","about":"Regular expression that the lines match, instead of `query`, in the syntax of PostgreSQL."},"errors":{"kind":"boolean","about":"Whether only lines written to stderr are searched."}}},
  {"id":"log_line.list_4","method":"GET","path":"/api/workflow_runs/{id}/log_lines","about":"List: A log line of a step.","answers":"log_line","lists":true},
  {"id":"workflow_runs.pause","method":"POST","path":"/api/workflow_runs/{id}/pause","about":"Pause a run and the changes and runs that it started: running steps finish, and nothing else starts until it is resumed","answers":"workflow_run","once":true,"attributes":{"reason":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"workflow_runs.resume","method":"POST","path":"/api/workflow_runs/{id}/resume","about":"Resume a paused run and the changes and runs that it started","answers":"workflow_run","once":true,"attributes":{"reason":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"workflow_step.list_2","method":"GET","path":"/api/workflow_runs/{id}/steps","about":"List: One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step","lists":true,"named":{"for_workflow_run":"The steps of this run.","mine":"Steps of runs that the caller made.","waiting_for_user":"Steps that wait for a person to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may continue."}},
  {"id":"workflow_runs.tree","method":"GET","path":"/api/workflow_runs/{id}/tree","about":"All steps of a workflow run, as rows"},
  {"id":"workflow_runs.waiting_reason","method":"GET","path":"/api/workflow_runs/{id}/waiting_reason","about":"Reason why a workflow run waits."},
  {"id":"workflows.schema","method":"GET","path":"/api/workflow_schema","about":"JSON Schema (2020-12) of workflow documents."},
  {"id":"workflow_step.list","method":"GET","path":"/api/workflow_steps","about":"List: One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step","lists":true,"named":{"for_workflow_run":"The steps of this run.","mine":"Steps of runs that the caller made.","waiting_for_user":"Steps that wait for a person to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may continue."}},
  {"id":"workflow_step.show","method":"GET","path":"/api/workflow_steps/{id}","about":"One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step"},
  {"id":"workflow_steps.approve","method":"POST","path":"/api/workflow_steps/{id}/approve","about":"Approve a step that waits for approval; the last approval required by its rules continues it","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"workflow_steps.continue","method":"POST","path":"/api/workflow_steps/{id}/continue","about":"Continue a waiting step that needs no approval","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"workflow_steps.log","method":"GET","path":"/api/workflow_steps/{id}/log","about":"Lines of the log of a step of a workflow run and of what it made, by their index","query":{"from":{"kind":"integer","about":"Index of the first line, from 0."},"lines":{"kind":"integer","about":"Maximum number of lines from there."},"tail":{"kind":"integer","about":"Number of last lines, instead of `from` and `lines`."}}},
  {"id":"workflow_steps.log_live","method":"GET","path":"/api/workflow_steps/{id}/log/live","about":"Lines of the log of a step of a workflow run and of what it made, as they are written","query":{"tail":{"kind":"integer","about":"Number of last lines with which the stream begins."}}},
  {"id":"workflow_steps.log_matches","method":"GET","path":"/api/workflow_steps/{id}/log/matches","about":"Lines that match, in the log of a step of a workflow run and of what it made","query":{"query":{"kind":"text","about":"Text that the lines contain."},"regexp":{"kind":"text","about":"Regular expression that the lines match, instead of `query`, in the syntax of PostgreSQL."},"errors":{"kind":"boolean","about":"Whether only lines written to stderr are searched."}}},
  {"id":"log_line.list_5","method":"GET","path":"/api/workflow_steps/{id}/log_lines","about":"List: A log line of a step.","answers":"log_line","lists":true},
  {"id":"workflow_steps.reject","method":"POST","path":"/api/workflow_steps/{id}/reject","about":"Reject a step that waits for approval: steps running in parallel finish, all others are aborted","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Reason, for the record."}}},
  {"id":"workflow.list","method":"GET","path":"/api/workflows","about":"List: A versioned sequence of changes on several nodes, waits and other workflows.","answers":"workflow","lists":true,"named":{"mine":"Those that the caller made."}},
]
