/* Made by bin/client from the interface's own description. Change that, and run it again. */
import type { Operation, RecordType } from '../operation.ts'

/** The root of a tree of nodes, and the wall between teams. */
export type Project = {
  /** Its part of the path. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; empty where nobody has said. */
  description: string
  /** Archived nodes are kept and take nothing new. */
  archived: boolean
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Standard or Enterprise. */
  project_type: "Standard" | "Enterprise"
}

/** A place within a project that holds assets. */
export type Environment = {
  /** Its part of the path. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; empty where nobody has said. */
  description: string
  /** Archived nodes are kept and take nothing new. */
  archived: boolean
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** Something that changes run on, made from a version of a template. */
export type Asset = {
  /** Its part of the path. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; empty where nobody has said. */
  description: string
  /** Archived nodes are kept and take nothing new. */
  archived: boolean
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Template that it is made from. */
  template_code: string | null
  /** Version of its template that it has now. */
  template_version: string | null
  /** A background task of it is under way. */
  task_active: boolean
  /** What can be run on it: actions of its template version and of its model that have a description. */
  actions: readonly (Record<string, unknown>)[]
  /** There is a model of the commit and the converged properties that are in force. */
  model_valid: boolean
  /** Why not; null where there is none to make. */
  model_invalid_reason: "not_generated" | "properties_changed" | "template_version_changed" | "generation_failed" | null | null
  /** The file that its model is rendered from; '' where its template has none. */
  erb_file_content: string
}

/** A long-running container, made from a version of a template. */
export type Agent = {
  /** Its part of the path. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; empty where nobody has said. */
  description: string
  /** Archived nodes are kept and take nothing new. */
  archived: boolean
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Template that it is made from. */
  template_code: string | null
  /** Version of its template that it has now. */
  template_version: string | null
  /** A background task of it is under way. */
  task_active: boolean
  /** What can be run on it: actions of its template version and of its model that have a description. */
  actions: readonly (Record<string, unknown>)[]
}

/** A link that people keep at a node. */
export type Bookmark = {
  /** What it says. */
  description: string
  /** Where it leads: http, https or mailto. */
  url: string | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** Someone who may sign in: a local user, or one of the directory. */
export type User = {
  /** The name to sign in with. */
  username: string
  /** How people call them. */
  display_name: string | null
  /** Where their mail goes. */
  email_address: string | null
  /** Who knows the password: local or ldap. */
  auth_provider: "local" | "ldap"
  /** Groups of the directory they are in. */
  groupnames: unknown
  /** Whether signing in is refused. */
  disabled: boolean
  /** When they were made. */
  created_at: string
  /** When they last changed. */
  updated_at: string
}

/** A bearer token that its owner made. Its secret is shown once, when it is made. Superusers see everyone’s. */
export type Token = {
  /** What it is for. */
  description: string
  /** When it stops working. */
  expires_at: string
  /** Whose it is. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** What happened, who did it and to what: written once, and sealed into a chain. */
export type Event = {
  /** Who did it; `system` where nobody asked. */
  username: string
  /** Recorded by the service, not by a user. */
  system: boolean
  /** level:subject:action. */
  type: string
  /** When it was recorded. */
  created_at: string
  /** The node that it belongs to. */
  node_path: string | null
  /** What it is about. */
  source_type: string | null
  /** Id of what it is about. */
  source_id: string | null
  /** What the record is called. */
  name: unknown
  /** Code of the node that the record hangs under. */
  parent_code: unknown
  /** Type of that node. */
  parent_node_type: unknown
  /** The hash of the chain up to it; null until it is sealed, within seconds. */
  hash: string | null
  [name: string]: unknown
}

/** Rules that are assigned together. */
export type AuthorisationPolicy = {
  /** Unique in any case. */
  name: string
  /** What it is for. */
  description: string | null
  /** Belongs to the system: superuser, blocked. */
  system: boolean
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** What is allowed or denied on a path and beneath it. */
export type AuthorisationRule = {
  /** What it is about; * is one segment. */
  path: string
  /** What people call it. */
  name: string | null
  /** Reading: true allows, false denies, null says nothing. */
  read: boolean | null
  /** Changing: true allows, false denies, null says nothing. */
  update: boolean | null
  /** Running: true allows, false denies, null says nothing. */
  execute: boolean | null
  /** Deleting: true allows, false denies, null says nothing. */
  delete: boolean | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** That a policy holds a rule. */
export type PolicyRule = {
  /** The policy. */
  authorisation_policy_id: string
  /** The rule. */
  authorisation_rule_id: string
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
}

/** To whom a policy is assigned: a user, a group, a user while in a group, or, with neither, everyone. */
export type PolicyAssignment = {
  /** The policy. */
  authorisation_policy_id: string
  /** Null: anyone. */
  username: string | null
  /** Null: in any group or none. */
  groupname: string | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
}

/** A group of the directory, as it was last read. */
export type Group = {
  /** Its name, which policies are assigned to. */
  groupname: string
  /** When it was first read. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A Git repository that templates and changes of a project come from. */
export type GitRemote = {
  /** What it is called in its project. */
  name: string
  /** Where it is fetched from. */
  url: string
  /** Where people look at it. */
  public_url: string | null
  /** Who Sluice signs in as. */
  user: string | null
  /** Password or token. Write-only: answered as "{{hidden}}" when set. */
  password: unknown
  /** Private key for ssh. Write-only: answered as "{{hidden}}" when set. */
  ssh_key_data: unknown
  /** Passphrase of the private key. Write-only: answered as "{{hidden}}" when set. */
  passphrase: unknown
  /** Seconds between two fetches; null takes the setting git_remote.periodic_fetch_interval. */
  periodic_fetch_interval: number | null
  /** Archived ones are kept, and fetched no more. */
  archived: boolean
  /** When it was last fetched. */
  fetched_at: string | null
  /** Why the latest fetch failed. */
  fetch_error: string | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** The settings that one owner states itself. */
export type Settings = {
  /** The document. */
  data: Record<string, unknown>
  /** Number of the newest version, from 1. */
  version: number
  /** Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Who wrote the newest version. */
  created_by: string
  /** When the record was made. */
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
  /** Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Who wrote it. */
  created_by: string
  /** When it was written. */
  created_at: string
  /** From when on it was in force. */
  active_from: string
  /** Until when, exclusive; null: it still is. */
  active_to: string | null
}

/** The properties that one owner states itself. */
export type Properties = {
  /** The document. */
  data: Record<string, unknown>
  /** Number of the newest version, from 1. */
  version: number
  /** Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Who wrote the newest version. */
  created_by: string
  /** When the record was made. */
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
  /** Global, Project, Environment, Template, Template version, Agent or Asset. */
  owner_type: string
  /** Who wrote it. */
  created_by: string
  /** When it was written. */
  created_at: string
  /** From when on it was in force. */
  active_from: string
  /** Until when, exclusive; null: it still is. */
  active_to: string | null
}

/** The versions of properties in each layer of an asset, and the template versions that it had. */
export type PropertiesHistory = {
  /** Its place among the layers, 0 for that of the project. */
  level: number
  /** Code of the owner; of a template version its name. */
  code: string
  /** Name of the owner. */
  name: string
  /** Versions of its properties, each with the time from when on it was in force. */
  properties_versions: unknown
  /** Template versions that the asset had, and when; of other entries absent. */
  template_versions: unknown
}

/** What assets or agents are made from: a folder of a repository, in versions. */
export type Template = {
  /** Its folder in the repository. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for. */
  description: string | null
  /** Archived ones are kept and take nothing new. */
  archived: boolean
  /** No new node and no new version of it. */
  disabled: boolean
  /** What is made from it: asset or agent. */
  template_type: "asset" | "agent"
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A version of a template: a revision of its repository, and the commit that this stands for. */
export type TemplateVersion = {
  /** What it is called. */
  version: string
  /** What it brings. */
  description: string
  /** initializing, ready or broken. */
  state: "initializing" | "ready" | "broken"
  /** Who made it. */
  created_by: string
  /** Archived ones are kept, and given to no node. */
  archived: boolean
  /** Why it is broken: a line for each fault, with its place. */
  initialization_error: string | null
  /** Its commit never moves. */
  locked: boolean
  /** It follows its branch or tag. */
  float_git_rev: boolean
  /** Why it could not follow; it keeps its commit. */
  float_refresh_error: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Its folder holds a model. */
  has_model: boolean | null
  /** Branch, tag or commit. */
  git_rev: string
  /** The commit that it stands for; null until it was first fetched. */
  commit_sha: string | null
  /** Git remote that it is fetched from. */
  git_remote_name: string
}

/** A time in which an asset or agent had one version of its template. */
export type TemplateVersionHistory = {
  /** Who gave it this version. */
  created_by: string
  /** From when on it had it. */
  active_from: string
  /** Until when; null: it has it now. */
  active_to: string | null
}

/** Work on an asset or agent that goes on by itself. */
export type NodeBackgroundTask = {
  /** In the order in which they were asked for. */
  request_number: number
  /** What it does. */
  task_type: "GenerateActionsRequest" | "BuildAgentImageTask" | "GenerateModelTask" | "StartAgentTask" | "StopAgentTask"
  /** initializing, running, success, error or cancelled. */
  status_code: "initializing" | "running" | "success" | "error" | "cancelled"
  /** Why it failed. */
  error_message: string | null
  /** Who asked for it. */
  created_by: string
  /** The actions that it came to; none before it has succeeded. */
  actions: readonly (Record<string, unknown>)[]
  /** When it was asked for. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** The image that it built; null before it has. */
  image_sha: string | null
  /** The image is gone from the registry. */
  image_purged: boolean | null
  /** Its agent runs on the image. */
  image_in_use: boolean | null
}

/** A line that a background task has written. */
export type NodeBackgroundTaskLogLine = {
  /** The line. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** The time of its node in which the task was asked for. */
  template_version_history_id: string | null
  /** The task that wrote it. */
  node_background_task_id: string
  /** The attempt of the task that wrote it; 0: before the first. */
  attempt: number
  /** Its number within the attempt, from 1. */
  sequence: number
  /** When it was written. */
  logged_at: string
}

/** What the model of its template came to for an asset. */
export type Model = {
  /** What was rendered. */
  data: Record<string, unknown>
  /** SHA-256 of its data as JSON without blanks. */
  sha256: string
  /** The commit of its template. */
  commit_sha: string
  /** What the template logged: objects of category and message. */
  render_logs: readonly ({
  category: string
  message: string
})[]
  /** Who asked for it. */
  created_by: string
  /** When it was made. */
  created_at: string
}

/** A run of one action on a node, as a tree of steps. */
export type Change = {
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** Who made it. */
  created_by: string
  /** Why it failed: the first step that did, with its reason, or why it could not run. */
  error_message: string | null
  /** Rules of approval that it began with. */
  requires_approval_from: unknown
  /** Who approved it, and when. */
  approved_by: unknown
  /** Who rejected it, and when. */
  rejected_by: unknown
  /** Who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** Who paused it. */
  paused_by: string | null
  /** When it was made. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it last changed. */
  updated_at: string
  /** Seconds from creation to start and from start to end; null while that lasts. */
  state_timing: unknown
  /** Name of the action that it runs. */
  action: string
  /** Name of its root step. */
  step_name: string
  /** Whatever its creator attached. */
  metadata: unknown
  /** True when a schedule made it. */
  scheduled: boolean
  /** Git remote that its actions come from. */
  git_remote_name: string | null
  /** Revision that was asked for. */
  git_rev: string | null
  /** Commit that the revision stood for when it was made. */
  commit_sha: string | null
  /** Version of the template that its actions come from. */
  template_version: string | null
  /** Globs of step paths that are skipped. */
  skip_steps: unknown
  /** Full path of the step that it begins with. */
  starting_step: string | null
  /** Whether wait steps without approvers continue by themselves. */
  auto_continue_wait_steps: boolean
  /** Whether its image is built anew. */
  build_without_cache: boolean
  /** The layer "change" of its converged properties. */
  property_overrides: unknown
  /** Settings given for this change alone. */
  settings_overrides: unknown
  /** Hash of the plan that it is bound to. */
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
  /** What its author says of it. */
  description: string | null
  /** standard, wait, input or stage. */
  step_type: "standard" | "wait" | "input" | "stage"
  /** Its place among its siblings, from 0. */
  step_sequence: number
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** How its children run: sequential or parallel. */
  child_execution_strategy: "sequential" | "parallel"
  /** Whether its failure is no failure. */
  ignore_failure: boolean
  /** What an input step asks for. */
  input_arguments: unknown
  /** Who may approve it. */
  requires_approval_from: unknown
  /** Who approved it, and when. */
  approved_by: unknown
  /** Who rejected it, and when. */
  rejected_by: unknown
  /** Who continued it. */
  continued_by: string | null
  /** Whether the skip mask names it. */
  skip_requested: boolean
  /** How often it was begun. */
  attempt: number
  /** Why it ended as it did, where its own action does not say: what failed, or who rejected or cancelled it. */
  outcome_reason: string | null
  /** Exit code of its action. */
  exit_code: number | null
  /** What its action told of itself when it succeeded; null: nothing. */
  outputs: unknown
  /** What went wrong. */
  error_message: string | null
  /** When it was made. */
  created_at: string
  /** When its newest attempt began. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it last changed. */
  updated_at: string
  /** Seconds in each state; null while it lasts. */
  state_timing: unknown
  /** The change that it belongs to. */
  change_id: string
  /** Sorts the steps of one change as they are read. */
  tree_order: string
}

/** A line that a step has written. */
export type LogLine = {
  /** The line, secrets masked. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** info, or error for what went to stderr. */
  level: "info" | "error"
  /** Its number within the attempt, from 1. */
  sequence: number
  /** The attempt of the step that wrote it. */
  attempt: number
  /** When the runner read it. */
  logged_at: string
  /** The step of a change that wrote it. Absent where it is none of a change. */
  step_id: string | null
  /** The change that it belongs to. Absent where it is none of a change. */
  change_id: string | null
  /** The step of a workflow run that says so itself; what its changes say has their steps. Absent where it is none of a workflow run. */
  workflow_step_id: string | null
  /** The workflow run that it belongs to. Absent where it is none of a workflow run. */
  workflow_run_id: string | null
}

/** A file that a step left to be kept. */
export type Artefact = {
  /** Its file name. */
  name: string
  /** Its media type. */
  content_type: string
  /** Its size in bytes. */
  byte_size: number
  /** Hash of its bytes. */
  sha256: string
  /** What the step said of it, to find it by: texts under names (`filter[labels.kind_eq]`). */
  labels: unknown
  /** The attempt of the step that left it. */
  attempt: number
  /** When it was kept. */
  created_at: string
  [name: string]: unknown
}

/** What is wanted of an agent, what has become of it, and its images. */
export type AgentStatus = {
  /** What is wanted: running or absent. */
  desired_status: string
  /** What it is: absent, initializing, running, stopping or error. */
  status: string
  /** What has become of its latest image: none, building, ready or error. */
  image_build_status: string
  /** The image that it runs on; null while it does not run. */
  active_image_sha: string | null
  /** The image that was built last; null while there is none. */
  newest_image_sha: string | null
}

/** A line that an agent has written. */
export type AgentLogLine = {
  /** The line. */
  message: string
  /** stdout, stderr, action, or runner for what Sluice says. */
  category: "stdout" | "stderr" | "action" | "runner"
  /** The agent that wrote it. */
  agent_path: string
  /** The start of the agent in which it was written. */
  attempt: number
  /** Its number within that start, from 1. */
  sequence: number
  /** When it was written. */
  logged_at: string
}

/** Changes on several nodes, waits and other workflows in an order, in versions. */
export type Workflow = {
  /** What it is called in paths; never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for. */
  description: string | null
  /** Its newest version is not published. */
  draft: boolean
  /** Archived ones are kept, and run no more. */
  archived: boolean
  /** Number of its newest version, from 1. */
  latest_version: number
  /** Number of the version that runs, unless another one is asked for. */
  latest_published_version: number | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A version of a workflow: its source, and the steps that were read from it. */
export type WorkflowVersion = {
  /** Its number, from 1. */
  version: number
  /** It can be changed, and not run. */
  draft: boolean
  /** Its source as it was written. Kept encrypted. */
  source_yaml: string
  /** Its steps: types told, names made, targets absolute; null of a draft with faults, see meta.errors. */
  steps: readonly (Record<string, unknown>)[] | null | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** When it was published; null of a draft. */
  published_at: string | null
}

/** A run of a version of a workflow, as a tree of steps. */
export type WorkflowRun = {
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** Who made it. */
  created_by: string
  /** Why it failed: the first step that did, with its reason, or why it could not run. */
  error_message: string | null
  /** Rules of approval that it began with. */
  requires_approval_from: unknown
  /** Who approved it, and when. */
  approved_by: unknown
  /** Who rejected it, and when. */
  rejected_by: unknown
  /** Who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** Who paused it. */
  paused_by: string | null
  /** When it was made. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it last changed. */
  updated_at: string
  /** Seconds from creation to start and from start to end; null while that lasts. */
  state_timing: unknown
  /** Code of the workflow that it runs. */
  workflow_code: string
  /** The version of the workflow. */
  version: number
  /** Name of the workflow when it was made. */
  name: string
  /** Whatever its creator attached. */
  metadata: unknown
  /** True when a schedule made it. */
  scheduled: boolean
  /** Globs of names of steps that are skipped. */
  skip_steps: unknown
  /** What it puts over the properties of its project. */
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
  /** When what it makes begins at the earliest, as the workflow says it. */
  start_time: string | null
  /** Its place among its siblings, from 0. */
  step_sequence: number
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** How its children run: sequential or parallel. */
  child_execution_strategy: "sequential" | "parallel"
  /** Whether its failure is no failure. */
  ignore_failure: boolean
  /** Who may approve it. */
  requires_approval_from: unknown
  /** Who approved it, and when. */
  approved_by: unknown
  /** Who rejected it, and when. */
  rejected_by: unknown
  /** Who continued it. */
  continued_by: string | null
  /** Whether the skip mask names it. */
  skip_requested: boolean
  /** Whether a retry of the run asks it again. */
  reset_on_retry: boolean
  /** What went wrong. */
  error_message: string | null
  /** When it was made. */
  created_at: string
  /** When its newest attempt began. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it last changed. */
  updated_at: string
  /** Seconds in each state; null while it lasts. */
  state_timing: unknown
  /** The run that it belongs to. */
  workflow_run_id: string
  /** Sorts the steps of one run as they are read. */
  tree_order: string
}

/** A change or a workflow run, as one of all that runs, ran or is to run. */
export type Activity = {
  /** change or workflow_run. */
  type: "change" | "workflow_run"
  /** Path of the node that it runs on. */
  path: string
  /** Of a change: name of the action that it runs. */
  action: string | null
  /** Of a workflow run: code of its workflow. */
  workflow_code: string | null
  /** Of a change: the revision that was asked for; of a run: the version. */
  revision: string | null
  /** Its reported status. */
  status_code: "initializing" | "pending" | "queued" | "running" | "waiting" | "success" | "skipped" | "error" | "cancelled" | "aborted" | "system_error" | "waiting_for_approval" | "rejected"
  /** Path of the node that it runs on. */
  node_path: string
  /** Who made it. */
  created_by: string
  /** Why it failed: the first step that did, with its reason, or why it could not run. */
  error_message: string | null
  /** Rules of approval that it began with. */
  requires_approval_from: unknown
  /** Who approved it, and when. */
  approved_by: unknown
  /** Who rejected it, and when. */
  rejected_by: unknown
  /** Who cancelled it. */
  cancelled_by: string | null
  /** none, pausing or paused. */
  pause_state: "none" | "pausing" | "paused"
  /** Who paused it. */
  paused_by: string | null
  /** When it was made. */
  created_at: string
  /** When it was admitted. */
  started_at: string | null
  /** When it ended. */
  finished_at: string | null
  /** When it last changed. */
  updated_at: string
  /** Whatever its creator attached. */
  metadata: unknown
  /** True when a schedule made it. */
  scheduled: boolean
  /** Globs of what is skipped. */
  skip_steps: unknown
  /** What it puts over the properties of its node. */
  property_overrides: unknown
  [name: string]: unknown
}

/** What makes a change of a node, or a run of a workflow of a project, whenever it comes due. */
export type ScheduledChange = {
  /** The action that its changes run. */
  action: string | null
  /** The workflow that its runs are of. */
  workflow_code: string | null
  /** The published version of that; null: the latest. */
  version: number | null
  /** When it is due: five fields, six with seconds, or @daily. */
  cron_schedule: string | null
  /** When it is due, where that is once. */
  run_at: string | null
  /** Whose clock the cron expression speaks of. */
  time_zone: string
  /** Whether it comes due again after the first time. */
  repeat: boolean
  /** So many changes it makes at most. */
  maximum_run_count: number | null
  /** After this time it is not due any more. */
  end_at: string | null
  /** Whether it makes anything. */
  enabled: boolean
  /** Why the service has disabled it. */
  disabled_reason: string | null
  /** Whether it waits for commits that it has not used. */
  new_commits_only: boolean
  /** Files that such a commit has to touch. */
  commit_file_patterns: unknown
  /** Whether a file is meant by any of the patterns or by all. */
  commit_file_pattern_match: "any" | "all"
  /** Whether it makes one while an earlier one is at work. */
  allow_parallel_execution: boolean
  /** Of a project or environment: where its actions are. */
  git_remote_name: string | null
  /** Of a project or environment: the revision. */
  git_rev: string | null
  /** Of an asset: another version of its template. */
  template_version: string | null
  /** What its changes carry to be found by. */
  metadata: unknown
  /** Globs of step paths that its changes leave out. */
  skip_steps: unknown
  /** Full path of the step that they begin with. */
  starting_step: string | null
  /** Whether wait steps of its changes without approvers continue by themselves. */
  auto_continue_wait_steps: boolean
  /** Whether the image of its changes is built anew. */
  build_without_cache: boolean
  /** Whom to tell of what becomes of what it makes. */
  notify: {
  /** Types of events, as they are recorded of it. */
  events: readonly string[]
  /** Users. */
  user_names: readonly string[]
  /** Groups of the directory. */
  ldap_groups: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses: readonly string[]
} | null | null
  /** The most specific layer of the properties of its changes. */
  property_overrides: unknown
  /** Settings of its changes alone. */
  settings_overrides: unknown
  /** When it is due next; null when never again. */
  next_run_at: string | null
  /** The next five times at which it is due, in its own time zone. */
  next_due_times: readonly string[]
  /** So many changes it has made. */
  run_count: number
  /** Who made it, and in whose name its changes are made. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A replacement of the keys that everything secret is sealed under. */
export type KeyRotation = {
  /** announced until every process knows the new key, switching until every process seals with it, resealing until nothing is sealed under an earlier one, then success. */
  status: "announced" | "switching" | "resealing" | "success"
  /** What holds it up, if anything does. */
  waiting_for: string | null
  /** The number of the new data key. */
  data_key: number
  /** Whether the root key is replaced as well. */
  root_key: boolean
  /** Records that were sealed anew so far. */
  resealed: number
  /** Who began it. */
  created_by: string
  /** When it was begun. */
  created_at: string
  /** When it last got on. */
  updated_at: string
  /** When it ended. */
  finished_at: string | null
}

/** How many of a kind of work may go on at once on a site, and what does. */
export type ResourceSlotPool = {
  /** The kind of work: runner, actions_refresh, model, agent, image_build. */
  pool: string
  /** Where it is done. */
  site: string
  /** So many at once. */
  configured_limit: number
  /** So many go on now; more than the limit while a lowered one runs out. */
  claimed_count: number
  /** So many stand in line, for whatever reason. */
  waiting_count: number
  /** What holds each claimed slot; of what the caller may not read only since when. */
  slots: readonly (Record<string, unknown>)[]
  /** When its limit or what it holds last changed. */
  updated_at: string
}

/** Work that the service does in the background. */
export type Job = {
  /** What is to be done: changes.prepare. */
  job_class: string
  /** Jobs of one queue run one after another; those of "default" as they come. */
  queue: string
  /** pending until it is run, running, success, or error once it has been tried as often as it may. */
  status: "pending" | "running" | "success" | "error"
  /** How often it was begun. */
  attempts: number
  /** So often it is begun before it is given up. */
  maximum_attempts: number
  /** Why it failed the last time. */
  last_error: string | null
  /** It is not run before; of one that failed, when it is tried again. */
  run_at: string
  /** When it was begun, of what runs and of what has gone well. */
  started_at: string | null
  /** When it ended, or was given up. */
  finished_at: string | null
  /** The node that it is about, if it is about one. */
  node_path: string | null
  /** When it was put into the queue. */
  created_at: string
}

/** Where work is done, and what there is for it. */
export type Site = {
  /** Its name, as processes and pools give it. */
  code: string
  /** Processes of the service that serve it now. */
  processes: number
  /** Runners that are there now. */
  runners: number
  /** Its pools of slots; resource slots tell who holds them. */
  pools: readonly ({
  pool: string
  configured_limit: number
  claimed_count: number
})[]
  /** When it was first there. */
  created_at: string
}

/** What is removed once it is old, and when. */
export type DataCleanupDefinition = {
  /** What people call it. */
  name: string
  /** What it removes: activities (changes and workflow runs), events, jobs. */
  kind: "activities" | "events" | "jobs"
  /** When it is due. */
  cron_schedule: string
  /** The zone whose clock that speaks of. */
  time_zone: string
  /** Of which nodes: paths, or with % at their end what they begin with. */
  node_paths: readonly string[]
  /** Of these only what the list of that kind shows with such filters. */
  filters: unknown
  /** And only what ended (of events: was recorded) longer ago than this. */
  older_than: string
  /** So many at once at most, the oldest first. */
  maximum_per_run: number | null
  /** Whether it ever comes due. */
  enabled: boolean
  /** When it was last due and began. */
  last_run_at: string | null
  /** When it is due next; null when never. */
  next_run_at: string | null
  /** The next five times at which it is due, in its own time zone. */
  next_due_times: readonly string[]
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
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
  event: Event
  authorisation_policy: AuthorisationPolicy
  authorisation_rule: AuthorisationRule
  policy_rule: PolicyRule
  policy_assignment: PolicyAssignment
  group: Group
  git_remote: GitRemote
  settings: Settings
  settings_version: SettingsVersion
  properties: Properties
  properties_version: PropertiesVersion
  properties_history: PropertiesHistory
  template: Template
  template_version: TemplateVersion
  template_version_history: TemplateVersionHistory
  node_background_task: NodeBackgroundTask
  node_background_task_log_line: NodeBackgroundTaskLogLine
  model: Model
  change: Change
  step: Step
  log_line: LogLine
  artefact: Artefact
  agent_status: AgentStatus
  agent_log_line: AgentLogLine
  workflow: Workflow
  workflow_version: WorkflowVersion
  workflow_run: WorkflowRun
  workflow_step: WorkflowStep
  activity: Activity
  scheduled_change: ScheduledChange
  key_rotation: KeyRotation
  resource_slot_pool: ResourceSlotPool
  job: Job
  site: Site
  data_cleanup_definition: DataCleanupDefinition
}

export type ToKeyRotationsCreate = {
  /** Wrap all keys under the next root key, which every process has been given. */
  root_key?: boolean
}

export type ToAgentsUpdate = {
  /** What people call it. */
  name?: string
  /** What it is for; null is the empty text. */
  description?: string | null
  /** false restores it, true archives it. */
  archived?: boolean
  /** Another ready version of its template. */
  template_version?: string
}

export type ToAuthorisationPoliciesCreate = {
  /** Unique in any case. */
  name: string
  description?: string | null
  authorisation_rules?: readonly ({
  /** What it is about, with * for one segment. */
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
  /** Null: anyone. */
  username?: string | null
  /** Null: in any group or none. */
  groupname?: string | null
})[]
}

export type ToAuthorisationPoliciesUpdate = {
  /** Unique in any case. */
  name?: string
  description?: string | null
}

export type ToAuthorisationPoliciesPutAssignments = {
  assignments: readonly ({
  /** Null: anyone. */
  username?: string | null
  /** Null: in any group or none. */
  groupname?: string | null
})[]
}

export type ToAuthorisationPoliciesPutRules = {
  authorisation_rules: readonly ({
  /** What it is about, with * for one segment. */
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
  /** What it is about, with * for one segment. */
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
  /** What it is about, with * for one segment. */
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
  /** The action to run. Required, but of a retry, which runs that of its original. */
  action?: string
  /** Of a project or environment: where its actions come from. */
  git_remote_name?: string
  /** Of a project or environment: branch, tag or commit. */
  git_rev?: string
  /** Of an asset: another version of its template than the one it has. */
  template_version?: string
  /** Whatever helps to find it again. */
  metadata?: Record<string, unknown>
  /** The most specific layer of its converged properties. */
  property_overrides?: Record<string, unknown>
  /** Settings for this change alone. */
  settings_overrides?: Record<string, unknown>
  /** What to leave out. */
  skip_steps?: readonly string[]
  /** Full path of the step that it begins with. */
  starting_step?: string
  /** Waits at which nobody has to be asked anything are over at once. */
  auto_continue_wait_steps?: boolean
  /** Where it runs in an image of its own, that is built anew. */
  build_without_cache?: boolean
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
}
  /** It does not start before this time. */
  run_at?: string
  /** The plan that it is to carry out: refused when that has moved. */
  plan_sha?: string
  /** Runs again what did not succeed of relationships.change. */
  retry?: boolean
  /** Of a retry: takes the newest commit, where its actions are. */
  refresh_sha?: boolean
  /** Path of a node: /projects/bank/assets/web. */
  parent_path?: string
}

export type ToChangesPause = {
  /** Why, for whoever reads it later. */
  reason?: string
}

export type ToNodesCompare = {
  /** Path of the one node: /projects/bank/assets/web. */
  node_path_a: string
  /** Path of the other node: /projects/bank/assets/web. */
  node_path_b: string
}

export type ToDataCleanupDefinitionsCreate = {
  /** What people call it. */
  name: string
  /** What it removes: activities (changes and workflow runs), events, jobs. The service has no agent_images yet. */
  kind: "activities" | "events" | "jobs" | "agent_images"
  /** When it is due: five fields, six with seconds first, or @daily and the like. */
  cron_schedule: string
  /** IANA name of the zone whose clock that speaks of; default UTC. */
  time_zone?: string
  /** Of which nodes; default %: of all, and of none. */
  node_paths?: readonly string[]
  /** Only what the list of that kind shows with such filters: {"status_code_eq": "success"}. */
  filters?: Record<string, unknown>
  /** Only what ended, of events what was recorded, longer ago than this duration (ISO 8601): P90D. */
  older_than: string
  /** So many at once at most, the oldest first. */
  maximum_per_run?: number | null
  /** Whether it comes due; default true. */
  enabled?: boolean
}

export type ToDataCleanupDefinitionsUpdate = {
  /** What people call it. */
  name?: string
  /** What it removes: activities (changes and workflow runs), events, jobs. The service has no agent_images yet. */
  kind?: "activities" | "events" | "jobs" | "agent_images"
  /** When it is due: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string
  /** IANA name of the zone whose clock that speaks of; default UTC. */
  time_zone?: string
  /** Of which nodes; default %: of all, and of none. */
  node_paths?: readonly string[]
  /** Only what the list of that kind shows with such filters: {"status_code_eq": "success"}. */
  filters?: Record<string, unknown>
  /** Only what ended, of events what was recorded, longer ago than this duration (ISO 8601): P90D. */
  older_than?: string
  /** So many at once at most, the oldest first. */
  maximum_per_run?: number | null
  /** Whether it comes due; default true. */
  enabled?: boolean
}

export type ToEnvironmentsUpdate = {
  /** What people call it. */
  name?: string
  /** What it is for; null is the empty text. */
  description?: string | null
  /** false restores it, true archives it. */
  archived?: boolean
}

export type ToEventsCreate = {
  /** Of any form. */
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

export type ToPolicyAssignmentsCreate = {
  /** The id of a policy. */
  authorisation_policy_id: string
  /** Null: anyone. */
  username?: string | null
  /** Null: in any group or none. */
  groupname?: string | null
}

export type ToPolicyRulesCreate = {
  /** The id of a policy. */
  authorisation_policy_id: string
  /** The id of a rule. */
  authorisation_rule_id: string
}

export type ToProjectsCreate = {
  /** Its part of the path; unique among its siblings, never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; null is the empty text. */
  description?: string | null
  /** Standard holds environments only. Default Enterprise. */
  project_type?: "Standard" | "Enterprise"
}

export type ToAgentsCreate = {
  /** Its part of the path; unique among its siblings, never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; null is the empty text. */
  description?: string | null
  /** Template of the same project. */
  template_code: string
  /** A ready version of that template. */
  template_version: string
}

export type ToBookmarksCreate = {
  /** What it says. */
  description: string
  /** Where it leads: http, https or mailto. */
  url?: string | null
}

export type ToBookmarksUpdate = {
  /** What it says. */
  description?: string
  /** Where it leads: http, https or mailto. */
  url?: string | null
}

export type ToChangesCreateOnNode = {
  /** The action to run. Required, but of a retry, which runs that of its original. */
  action?: string
  /** Of a project or environment: where its actions come from. */
  git_remote_name?: string
  /** Of a project or environment: branch, tag or commit. */
  git_rev?: string
  /** Of an asset: another version of its template than the one it has. */
  template_version?: string
  /** Whatever helps to find it again. */
  metadata?: Record<string, unknown>
  /** The most specific layer of its converged properties. */
  property_overrides?: Record<string, unknown>
  /** Settings for this change alone. */
  settings_overrides?: Record<string, unknown>
  /** What to leave out. */
  skip_steps?: readonly string[]
  /** Full path of the step that it begins with. */
  starting_step?: string
  /** Waits at which nobody has to be asked anything are over at once. */
  auto_continue_wait_steps?: boolean
  /** Where it runs in an image of its own, that is built anew. */
  build_without_cache?: boolean
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
}
  /** It does not start before this time. */
  run_at?: string
  /** The plan that it is to carry out: refused when that has moved. */
  plan_sha?: string
  /** Runs again what did not succeed of relationships.change. */
  retry?: boolean
  /** Of a retry: takes the newest commit, where its actions are. */
  refresh_sha?: boolean
}

export type ToScheduledActivitiesCreateOnNode = {
  /** The action that its changes run. */
  action?: string
  /** Of a project, in the place of action: the workflow that its runs are of. */
  workflow_code?: string
  /** Published version of the workflow; default the latest. */
  version?: number | null
  /** When it is due: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** When it is due, in the place of cron_schedule: once. */
  run_at?: string | null
  /** IANA name of the zone whose clock the expression speaks of; default UTC. */
  time_zone?: string
  /** Whether it comes due again; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** After this time it is not due any more. */
  end_at?: string | null
  /** Whether it makes anything; default true. */
  enabled?: boolean
  /** Only when it has not used the commit of its revision. */
  new_commits_only?: boolean
  /** And only when that commit touches a file that is meant by these. */
  commit_file_patterns?: readonly ({
  /** A glob over paths in the repository. */
  match: string
  negate?: boolean
})[]
  /** By any of the patterns, or by all. */
  commit_file_pattern_match?: "any" | "all"
  /** Also while an earlier one is at work; default false. */
  allow_parallel_execution?: boolean
  /** Of a project or environment: where its actions come from. */
  git_remote_name?: string | null
  /** Of a project or environment: branch, tag or commit. */
  git_rev?: string | null
  /** Of an asset: another version of its template than the one it has. */
  template_version?: string | null
  /** Whatever helps to find its changes again. */
  metadata?: Record<string, unknown>
  /** The most specific layer of the properties of its changes. */
  property_overrides?: Record<string, unknown>
  /** Settings for its changes alone. */
  settings_overrides?: Record<string, unknown>
  skip_steps?: readonly string[]
  /** Full path of the step to begin with. */
  starting_step?: string | null
  /** Waits of its changes at which nobody has to be asked anything are over at once. */
  auto_continue_wait_steps?: boolean
  /** Where its changes run in an image of their own, that is built anew. */
  build_without_cache?: boolean
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
} | null
}

export type ToEnvironmentsCreate = {
  /** Its part of the path; unique among its siblings, never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for; null is the empty text. */
  description?: string | null
}

export type ToGitRemotesCreate = {
  /** What it is called in its project. */
  name: string
  /** Where it is fetched from: https://…, ssh://…, user@host:path. */
  url: string
  /** Where people look at it. */
  public_url?: string | null
  /** Who Sluice signs in as. */
  user?: string | null
  /** Password or token; write-only. */
  password?: string | null
  /** Private key for ssh; write-only. */
  ssh_key_data?: string | null
  /** Passphrase of the private key; write-only. */
  passphrase?: string | null
  periodic_fetch_interval?: number | null
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToGitRemotesUpdate = {
  /** What it is called in its project. */
  name?: string
  /** Where it is fetched from: https://…, ssh://…, user@host:path. */
  url?: string
  /** Where people look at it. */
  public_url?: string | null
  /** Who Sluice signs in as. */
  user?: string | null
  /** Password or token; write-only. */
  password?: string | null
  /** Private key for ssh; write-only. */
  ssh_key_data?: string | null
  /** Passphrase of the private key; write-only. */
  passphrase?: string | null
  periodic_fetch_interval?: number | null
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToTemplatesCreate = {
  /** Its folder in the repository; never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for. */
  description?: string | null
  /** What is made from it; never changes. */
  template_type: "asset" | "agent"
  /** Git remote of its versions. */
  git_remote_name: string
}

export type ToTemplatesUpdate = {
  /** What people call it. */
  name?: string
  /** What it is for. */
  description?: string | null
  /** Git remote of its versions. */
  git_remote_name?: string
  /** true archives it, false restores it. */
  archived?: boolean
  /** true: no new node and no new version of it. */
  disabled?: boolean
}

export type ToTemplateVersionsPut = {
  description?: string | null
  /** Branch, tag or commit. */
  git_rev?: string
  /** Its commit never moves. */
  locked?: boolean
  /** It follows its branch or tag. */
  float_git_rev?: boolean
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToTemplateVersionsAssignToAssets = {
  /** Paths of assets, such as /projects/bank/environments/live/assets/web. */
  asset_paths: readonly string[]
}

export type ToWorkflowsCreate = {
  /** What it is called in paths; never changes. */
  code: string
  /** What people call it. */
  name: string
  /** What it is for. */
  description?: string | null
  /** The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is. */
  source_yaml: string
  /** false publishes it at once, if nothing is wrong with it. */
  draft?: boolean
}

export type ToWorkflowsValidate = {
  /** The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is. */
  source_yaml: string
  /** As a run of it would have. */
  property_overrides?: Record<string, unknown>
}

export type ToWorkflowsUpdate = {
  /** What people call it. */
  name?: string
  /** What it is for. */
  description?: string | null
  /** The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is. */
  source_yaml?: string
  /** false publishes it at once, if nothing is wrong with it. */
  draft?: boolean
  /** true archives it, false restores it. */
  archived?: boolean
}

export type ToWorkflowRunsCreateOfWorkflow = {
  /** A published version; without it the latest. */
  version?: number
  /** What is put over the properties of the project, for `{{path}}` in the workflow. */
  property_overrides?: Record<string, unknown>
  /** Whatever helps to find it again. */
  metadata?: Record<string, unknown>
  /** What to leave out. */
  skip_steps?: readonly string[]
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
}
  /** It does not start before this time. */
  run_at?: string
  /** A retry of the run that relationships.workflow_run names: nothing else is needed. */
  retry?: boolean
}

export type ToWorkflowVersionsCreate = {
  /** The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is. */
  source_yaml: string
}

export type ToPropertiesUpdate = {
  /** The whole document. */
  data: Record<string, unknown>
  /** The version that this is meant to replace; another newest one is 409. */
  version?: number
}

export type ToPropertiesImpact = {
  /** The whole document as it would be. */
  data: Record<string, unknown>
}

export type ToScheduledActivitiesCreate = {
  /** The action that its changes run. */
  action?: string
  /** Of a project, in the place of action: the workflow that its runs are of. */
  workflow_code?: string
  /** Published version of the workflow; default the latest. */
  version?: number | null
  /** When it is due: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** When it is due, in the place of cron_schedule: once. */
  run_at?: string | null
  /** IANA name of the zone whose clock the expression speaks of; default UTC. */
  time_zone?: string
  /** Whether it comes due again; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** After this time it is not due any more. */
  end_at?: string | null
  /** Whether it makes anything; default true. */
  enabled?: boolean
  /** Only when it has not used the commit of its revision. */
  new_commits_only?: boolean
  /** And only when that commit touches a file that is meant by these. */
  commit_file_patterns?: readonly ({
  /** A glob over paths in the repository. */
  match: string
  negate?: boolean
})[]
  /** By any of the patterns, or by all. */
  commit_file_pattern_match?: "any" | "all"
  /** Also while an earlier one is at work; default false. */
  allow_parallel_execution?: boolean
  /** Of a project or environment: where its actions come from. */
  git_remote_name?: string | null
  /** Of a project or environment: branch, tag or commit. */
  git_rev?: string | null
  /** Of an asset: another version of its template than the one it has. */
  template_version?: string | null
  /** Whatever helps to find its changes again. */
  metadata?: Record<string, unknown>
  /** The most specific layer of the properties of its changes. */
  property_overrides?: Record<string, unknown>
  /** Settings for its changes alone. */
  settings_overrides?: Record<string, unknown>
  skip_steps?: readonly string[]
  /** Full path of the step to begin with. */
  starting_step?: string | null
  /** Waits of its changes at which nobody has to be asked anything are over at once. */
  auto_continue_wait_steps?: boolean
  /** Where its changes run in an image of their own, that is built anew. */
  build_without_cache?: boolean
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
} | null
  /** Path of a node: /projects/bank/assets/web. */
  parent_path: string
}

export type ToScheduledActivitiesPreview = {
  /** When it is due: five fields, six with seconds first, or @daily and the like. */
  cron_schedule?: string | null
  /** When it is due, in the place of cron_schedule: once. */
  run_at?: string | null
  /** IANA name of the zone whose clock the expression speaks of; default UTC. */
  time_zone?: string
  /** Whether it comes due again; default true with cron_schedule. */
  repeat?: boolean
  maximum_run_count?: number | null
  /** After this time it is not due any more. */
  end_at?: string | null
}

export type ToSecretsEncrypt = {
  /** The path of a node. */
  node_path: string
  /** Where it lies beneath the node. */
  path: string
  /** Its name there. */
  key: string
  /** The secret. Never answered nor recorded. */
  value: string
}

export type ToSecretsResolve = {
  /** The path of a node. */
  node_path: string
  /** secret://… */
  reference: string
}

export type ToSettingsUpdate = {
  /** Setting names with dots as keys. */
  data: Record<string, unknown>
  /** The version that this is meant to replace; another newest one is 409. */
  version?: number
}

export type ToStepsApprove = {
  /** Why, for whoever reads it later. */
  message?: string
}

export type ToStepsContinue = {
  /** Why, for whoever reads it later. */
  message?: string
  /** Values for what an input step asks for, by the names of its arguments. */
  input_arguments?: Record<string, unknown>
}

export type ToStepsEmail = {
  /** Whom it is for. */
  to: readonly string[]
  /** Who gets a copy. */
  cc?: readonly string[]
  /** Who gets a copy, unseen by the others. */
  bcc?: readonly string[]
  /** Where answers go. */
  reply_to?: readonly string[]
  /** one line of 1 to 500 characters, without line breaks and control characters */
  subject: string
  /** What it says; this or `html`, or both. */
  text?: string
  /** The same as HTML. */
  html?: string
  /** Files of 5 MiB together at most. */
  attachments?: readonly ({
  /** the name of a file, of 1 to 255 characters, without a folder */
  name: string
  /** Its bytes, in base64. */
  content: string
})[]
}

export type ToStepsForgetSecrets = {
  /** Where it lies beneath the node of the change. */
  path: string
  /** Its name there. */
  key?: string
}

export type ToStepsSecret = {
  /** Where it lies beneath the node of the change. */
  path: string
  /** Its name there. */
  key: string
  /** Characters; 32 unless said. */
  length?: number
  /** Of which it is made; letters and digits unless said. */
  characters?: string
  /** False: one that there is not is not made. */
  make?: boolean
}

export type ToTokensCreate = {
  /** What it is for. */
  description: string
  /** When it stops working (ISO 8601). */
  expires_at: string
}

export type ToUsersCreate = {
  /** The name to sign in with; never changes. */
  username: string
  /** Of at least 12 characters. Never answered. */
  password: string
  /** How people call them. */
  display_name?: string | null
  /** Where their mail goes. */
  email_address?: string | null
  /** Whether signing in is refused. */
  disabled?: boolean
}

export type ToUsersUpdate = {
  /** Of at least 12 characters. Never answered. */
  password?: string
  /** With a new password of one’s own. */
  current_password?: string
  /** How people call them. */
  display_name?: string | null
  /** Where their mail goes. */
  email_address?: string | null
  /** Whether signing in is refused. */
  disabled?: boolean
}

export type ToWorkflowRunsCreate = {
  /** A published version; without it the latest. */
  version?: number
  /** What is put over the properties of the project, for `{{path}}` in the workflow. */
  property_overrides?: Record<string, unknown>
  /** Whatever helps to find it again. */
  metadata?: Record<string, unknown>
  /** What to leave out. */
  skip_steps?: readonly string[]
  /** Whom to tell of what becomes of it. */
  notify?: {
  /** Types of events, as they are recorded of it. */
  events?: readonly string[]
  /** Users. */
  user_names?: readonly string[]
  /** Groups of the directory. */
  ldap_groups?: readonly string[]
  /** Addresses of whoever is no user. */
  email_addresses?: readonly string[]
}
  /** It does not start before this time. */
  run_at?: string
  /** A retry of the run that relationships.workflow_run names: nothing else is needed. */
  retry?: boolean
  /** Path of the project: /projects/bank. */
  parent_path?: string
  /** Code of the workflow. */
  workflow_code?: string
}

/** What every method on every path takes and answers. */
export interface Operations {
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
  'GET /api/bookmarks': { answers: 'bookmark'; lists: true }
  'GET /api/changes': { answers: 'change'; lists: true }
  'POST /api/changes': { answers: 'change'; attributes: ToChangesCreate }
  'GET /api/changes/{id}': { answers: 'change' }
  'DELETE /api/changes/{id}': {}
  'GET /api/changes/{id}/artefacts': { answers: 'artefact'; lists: true }
  'GET /api/changes/{id}/converged_properties': {}
  'GET /api/changes/{id}/converged_settings': {}
  'GET /api/changes/{id}/live': {}
  'GET /api/changes/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/changes/{id}/pause': { answers: 'change'; attributes: ToChangesPause }
  'POST /api/changes/{id}/resume': { answers: 'change'; attributes: ToChangesPause }
  'GET /api/changes/{id}/steps': { answers: 'step'; lists: true }
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
  'GET /api/node_background_task_log_lines': { answers: 'node_background_task_log_line'; lists: true }
  'GET /api/node_background_tasks/{id}/waiting_reason': {}
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
  'GET /api/projects/{project_code}/agents/{agent_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/agents/{agent_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
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
  'GET /api/projects/{project_code}/environments/{environment_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/environments/{environment_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'GET /api/projects/{project_code}/git_remotes': { answers: 'git_remote'; lists: true }
  'POST /api/projects/{project_code}/git_remotes': { answers: 'git_remote'; attributes: ToGitRemotesCreate }
  'GET /api/projects/{project_code}/git_remotes/{id}': { answers: 'git_remote' }
  'PATCH /api/projects/{project_code}/git_remotes/{id}': { answers: 'git_remote'; attributes: ToGitRemotesUpdate }
  'DELETE /api/projects/{project_code}/git_remotes/{id}': {}
  'GET /api/projects/{project_code}/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/projects/{project_code}/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
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
  'GET /api/scheduled_activities': { answers: 'scheduled_change'; lists: true }
  'POST /api/scheduled_activities': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreate }
  'POST /api/scheduled_activities/preview': { attributes: ToScheduledActivitiesPreview }
  'GET /api/scheduled_activities/{id}': { answers: 'scheduled_change' }
  'PATCH /api/scheduled_activities/{id}': { answers: 'scheduled_change'; attributes: ToScheduledActivitiesCreateOnNode }
  'DELETE /api/scheduled_activities/{id}': {}
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
  'GET /api/steps/{id}/bodies': {}
  'GET /api/steps/{id}/catalogue': {}
  'POST /api/steps/{id}/continue': { answers: 'step'; attributes: ToStepsContinue }
  'GET /api/steps/{id}/converged_properties': {}
  'GET /api/steps/{id}/converged_settings': {}
  'POST /api/steps/{id}/email': { attributes: ToStepsEmail }
  'POST /api/steps/{id}/forget_secrets': { attributes: ToStepsForgetSecrets }
  'GET /api/steps/{id}/git_clone': {}
  'GET /api/steps/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/steps/{id}/reject': { answers: 'step'; attributes: ToStepsApprove }
  'POST /api/steps/{id}/secret': { attributes: ToStepsSecret }
  'GET /api/steps/{id}/waiting_reason': {}
  'GET /api/system_configuration': {}
  'GET /api/tokens': { answers: 'token'; lists: true }
  'POST /api/tokens': { answers: 'token'; attributes: ToTokensCreate }
  'POST /api/tokens/session': {}
  'DELETE /api/tokens/session': {}
  'GET /api/tokens/{id}': { answers: 'token' }
  'DELETE /api/tokens/{id}': {}
  'GET /api/users': { answers: 'user'; lists: true }
  'POST /api/users': { answers: 'user'; attributes: ToUsersCreate }
  'GET /api/users/{username}': { answers: 'user' }
  'PATCH /api/users/{username}': { answers: 'user'; attributes: ToUsersUpdate }
  'DELETE /api/users/{username}': {}
  'GET /api/workflow_runs': { answers: 'workflow_run'; lists: true }
  'POST /api/workflow_runs': { answers: 'workflow_run'; attributes: ToWorkflowRunsCreate }
  'GET /api/workflow_runs/{id}': { answers: 'workflow_run' }
  'DELETE /api/workflow_runs/{id}': {}
  'GET /api/workflow_runs/{id}/live': {}
  'GET /api/workflow_runs/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/workflow_runs/{id}/pause': { answers: 'workflow_run'; attributes: ToChangesPause }
  'POST /api/workflow_runs/{id}/resume': { answers: 'workflow_run'; attributes: ToChangesPause }
  'GET /api/workflow_runs/{id}/steps': { answers: 'workflow_step'; lists: true }
  'GET /api/workflow_runs/{id}/waiting_reason': {}
  'GET /api/workflow_steps': { answers: 'workflow_step'; lists: true }
  'GET /api/workflow_steps/{id}': { answers: 'workflow_step' }
  'POST /api/workflow_steps/{id}/approve': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'POST /api/workflow_steps/{id}/continue': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'GET /api/workflow_steps/{id}/log_lines': { answers: 'log_line'; lists: true }
  'POST /api/workflow_steps/{id}/reject': { answers: 'workflow_step'; attributes: ToStepsApprove }
  'GET /api/workflows': { answers: 'workflow'; lists: true }
}

export const recordTypes: Readonly<Record<string, RecordType>> = {
  project: {"about":"The root of a tree of nodes, and the wall between teams.","attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"about":"What it is for; empty where nobody has said."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are kept and take nothing new."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"project_type":{"kind":"text","required":true,"about":"Standard or Enterprise."}}},
  environment: {"about":"A place within a project that holds assets.","attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"about":"What it is for; empty where nobody has said."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are kept and take nothing new."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  asset: {"about":"Something that changes run on, made from a version of a template.","attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"about":"What it is for; empty where nobody has said."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are kept and take nothing new."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"template_code":{"kind":"text","required":true,"nullable":true,"about":"Template that it is made from."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Version of its template that it has now."},"task_active":{"kind":"boolean","required":true,"about":"A background task of it is under way."},"actions":{"kind":"list","required":true,"about":"What can be run on it: actions of its template version and of its model that have a description."},"model_valid":{"kind":"boolean","required":true,"about":"There is a model of the commit and the converged properties that are in force."},"model_invalid_reason":{"kind":"any","required":true,"nullable":true,"about":"Why not; null where there is none to make."},"erb_file_content":{"kind":"text","required":true,"about":"The file that its model is rendered from; '' where its template has none."}}},
  agent: {"about":"A long-running container, made from a version of a template.","attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"about":"What it is for; empty where nobody has said."},"archived":{"kind":"boolean","required":true,"about":"Archived nodes are kept and take nothing new."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"template_code":{"kind":"text","required":true,"nullable":true,"about":"Template that it is made from."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Version of its template that it has now."},"task_active":{"kind":"boolean","required":true,"about":"A background task of it is under way."},"actions":{"kind":"list","required":true,"about":"What can be run on it: actions of its template version and of its model that have a description."}}},
  bookmark: {"about":"A link that people keep at a node.","attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","required":true,"nullable":true,"about":"Where it leads: http, https or mailto."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  user: {"about":"Someone who may sign in: a local user, or one of the directory.","attributes":{"username":{"kind":"text","required":true,"about":"The name to sign in with."},"display_name":{"kind":"text","required":true,"nullable":true,"about":"How people call them."},"email_address":{"kind":"text","required":true,"nullable":true,"about":"Where their mail goes."},"auth_provider":{"kind":"text","required":true,"about":"Who knows the password: local or ldap."},"groupnames":{"kind":"any","required":true,"about":"Groups of the directory they are in."},"disabled":{"kind":"boolean","required":true,"about":"Whether signing in is refused."},"created_at":{"kind":"time","required":true,"about":"When they were made."},"updated_at":{"kind":"time","required":true,"about":"When they last changed."}}},
  token: {"about":"A bearer token that its owner made. Its secret is shown once, when it is made. Superusers see everyone’s.","attributes":{"description":{"kind":"text","required":true,"about":"What it is for."},"expires_at":{"kind":"time","required":true,"about":"When it stops working."},"created_by":{"kind":"text","required":true,"about":"Whose it is."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  event: {"about":"What happened, who did it and to what: written once, and sealed into a chain.","attributes":{"username":{"kind":"text","required":true,"about":"Who did it; `system` where nobody asked."},"system":{"kind":"boolean","required":true,"about":"Recorded by the service, not by a user."},"type":{"kind":"text","required":true,"about":"level:subject:action."},"created_at":{"kind":"time","required":true,"about":"When it was recorded."},"node_path":{"kind":"text","nullable":true,"about":"The node that it belongs to."},"source_type":{"kind":"text","nullable":true,"about":"What it is about."},"source_id":{"kind":"text","nullable":true,"about":"Id of what it is about."},"name":{"kind":"any","about":"What the record is called."},"parent_code":{"kind":"any","about":"Code of the node that the record hangs under."},"parent_node_type":{"kind":"any","about":"Type of that node."},"hash":{"kind":"text","required":true,"nullable":true,"about":"The hash of the chain up to it; null until it is sealed, within seconds."}}},
  authorisation_policy: {"about":"Rules that are assigned together.","attributes":{"name":{"kind":"text","required":true,"about":"Unique in any case."},"description":{"kind":"text","required":true,"nullable":true,"about":"What it is for."},"system":{"kind":"boolean","required":true,"about":"Belongs to the system: superuser, blocked."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  authorisation_rule: {"about":"What is allowed or denied on a path and beneath it.","attributes":{"path":{"kind":"text","required":true,"about":"What it is about; * is one segment."},"name":{"kind":"text","required":true,"nullable":true,"about":"What people call it."},"read":{"kind":"boolean","required":true,"nullable":true,"about":"Reading: true allows, false denies, null says nothing."},"update":{"kind":"boolean","required":true,"nullable":true,"about":"Changing: true allows, false denies, null says nothing."},"execute":{"kind":"boolean","required":true,"nullable":true,"about":"Running: true allows, false denies, null says nothing."},"delete":{"kind":"boolean","required":true,"nullable":true,"about":"Deleting: true allows, false denies, null says nothing."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  policy_rule: {"about":"That a policy holds a rule.","attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The policy."},"authorisation_rule_id":{"kind":"text","required":true,"about":"The rule."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."}}},
  policy_assignment: {"about":"To whom a policy is assigned: a user, a group, a user while in a group, or, with neither, everyone.","attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The policy."},"username":{"kind":"text","required":true,"nullable":true,"about":"Null: anyone."},"groupname":{"kind":"text","required":true,"nullable":true,"about":"Null: in any group or none."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."}}},
  group: {"about":"A group of the directory, as it was last read.","attributes":{"groupname":{"kind":"text","required":true,"about":"Its name, which policies are assigned to."},"created_at":{"kind":"time","required":true,"about":"When it was first read."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  git_remote: {"about":"A Git repository that templates and changes of a project come from.","attributes":{"name":{"kind":"text","required":true,"about":"What it is called in its project."},"url":{"kind":"text","required":true,"about":"Where it is fetched from."},"public_url":{"kind":"text","required":true,"nullable":true,"about":"Where people look at it."},"user":{"kind":"text","required":true,"nullable":true,"about":"Who Sluice signs in as."},"password":{"kind":"any","required":true,"about":"Password or token. Write-only: answered as \"{{hidden}}\" when set."},"ssh_key_data":{"kind":"any","required":true,"about":"Private key for ssh. Write-only: answered as \"{{hidden}}\" when set."},"passphrase":{"kind":"any","required":true,"about":"Passphrase of the private key. Write-only: answered as \"{{hidden}}\" when set."},"periodic_fetch_interval":{"kind":"integer","required":true,"nullable":true,"about":"Seconds between two fetches; null takes the setting git_remote.periodic_fetch_interval."},"archived":{"kind":"boolean","required":true,"about":"Archived ones are kept, and fetched no more."},"fetched_at":{"kind":"time","required":true,"nullable":true,"about":"When it was last fetched."},"fetch_error":{"kind":"text","required":true,"nullable":true,"about":"Why the latest fetch failed."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  settings: {"about":"The settings that one owner states itself.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Number of the newest version, from 1."},"owner_type":{"kind":"text","required":true,"about":"Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Who wrote the newest version."},"created_at":{"kind":"time","required":true,"about":"When the record was made."},"updated_at":{"kind":"time","required":true,"about":"When the newest version was written."}}},
  settings_version: {"about":"A version of settings, as it was in force for a time.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"owner_type":{"kind":"text","required":true,"about":"Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Who wrote it."},"created_at":{"kind":"time","required":true,"about":"When it was written."},"active_from":{"kind":"time","required":true,"about":"From when on it was in force."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"Until when, exclusive; null: it still is."}}},
  properties: {"about":"The properties that one owner states itself.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Number of the newest version, from 1."},"owner_type":{"kind":"text","required":true,"about":"Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Who wrote the newest version."},"created_at":{"kind":"time","required":true,"about":"When the record was made."},"updated_at":{"kind":"time","required":true,"about":"When the newest version was written."}}},
  properties_version: {"about":"A version of properties, as it was in force for a time.","attributes":{"data":{"kind":"object","required":true,"about":"The document."},"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"owner_type":{"kind":"text","required":true,"about":"Global, Project, Environment, Template, Template version, Agent or Asset."},"created_by":{"kind":"text","required":true,"about":"Who wrote it."},"created_at":{"kind":"time","required":true,"about":"When it was written."},"active_from":{"kind":"time","required":true,"about":"From when on it was in force."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"Until when, exclusive; null: it still is."}}},
  properties_history: {"about":"The versions of properties in each layer of an asset, and the template versions that it had.","attributes":{"level":{"kind":"integer","required":true,"about":"Its place among the layers, 0 for that of the project."},"code":{"kind":"text","required":true,"about":"Code of the owner; of a template version its name."},"name":{"kind":"text","required":true,"about":"Name of the owner."},"properties_versions":{"kind":"any","required":true,"about":"Versions of its properties, each with the time from when on it was in force."},"template_versions":{"kind":"any","about":"Template versions that the asset had, and when; of other entries absent."}}},
  template: {"about":"What assets or agents are made from: a folder of a repository, in versions.","attributes":{"code":{"kind":"text","required":true,"about":"Its folder in the repository."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"nullable":true,"about":"What it is for."},"archived":{"kind":"boolean","required":true,"about":"Archived ones are kept and take nothing new."},"disabled":{"kind":"boolean","required":true,"about":"No new node and no new version of it."},"template_type":{"kind":"text","required":true,"about":"What is made from it: asset or agent."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  template_version: {"about":"A version of a template: a revision of its repository, and the commit that this stands for.","attributes":{"version":{"kind":"text","required":true,"about":"What it is called."},"description":{"kind":"text","required":true,"about":"What it brings."},"state":{"kind":"text","required":true,"about":"initializing, ready or broken."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"archived":{"kind":"boolean","required":true,"about":"Archived ones are kept, and given to no node."},"initialization_error":{"kind":"text","required":true,"nullable":true,"about":"Why it is broken: a line for each fault, with its place."},"locked":{"kind":"boolean","required":true,"about":"Its commit never moves."},"float_git_rev":{"kind":"boolean","required":true,"about":"It follows its branch or tag."},"float_refresh_error":{"kind":"text","required":true,"nullable":true,"about":"Why it could not follow; it keeps its commit."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"has_model":{"kind":"boolean","nullable":true,"about":"Its folder holds a model."},"git_rev":{"kind":"text","required":true,"about":"Branch, tag or commit."},"commit_sha":{"kind":"text","required":true,"nullable":true,"about":"The commit that it stands for; null until it was first fetched."},"git_remote_name":{"kind":"text","required":true,"about":"Git remote that it is fetched from."}}},
  template_version_history: {"about":"A time in which an asset or agent had one version of its template.","attributes":{"created_by":{"kind":"text","required":true,"about":"Who gave it this version."},"active_from":{"kind":"time","required":true,"about":"From when on it had it."},"active_to":{"kind":"time","required":true,"nullable":true,"about":"Until when; null: it has it now."}}},
  node_background_task: {"about":"Work on an asset or agent that goes on by itself.","attributes":{"request_number":{"kind":"integer","required":true,"about":"In the order in which they were asked for."},"task_type":{"kind":"text","required":true,"about":"What it does."},"status_code":{"kind":"text","required":true,"about":"initializing, running, success, error or cancelled."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed."},"created_by":{"kind":"text","required":true,"about":"Who asked for it."},"actions":{"kind":"list","about":"The actions that it came to; none before it has succeeded."},"created_at":{"kind":"time","required":true,"about":"When it was asked for."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"image_sha":{"kind":"text","nullable":true,"about":"The image that it built; null before it has."},"image_purged":{"kind":"boolean","nullable":true,"about":"The image is gone from the registry."},"image_in_use":{"kind":"boolean","nullable":true,"about":"Its agent runs on the image."}}},
  node_background_task_log_line: {"about":"A line that a background task has written.","attributes":{"message":{"kind":"text","required":true,"about":"The line."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"template_version_history_id":{"kind":"text","required":true,"nullable":true,"about":"The time of its node in which the task was asked for."},"node_background_task_id":{"kind":"text","required":true,"about":"The task that wrote it."},"attempt":{"kind":"integer","required":true,"about":"The attempt of the task that wrote it; 0: before the first."},"sequence":{"kind":"integer","required":true,"about":"Its number within the attempt, from 1."},"logged_at":{"kind":"time","required":true,"about":"When it was written."}}},
  model: {"about":"What the model of its template came to for an asset.","attributes":{"data":{"kind":"object","required":true,"about":"What was rendered."},"sha256":{"kind":"text","required":true,"about":"SHA-256 of its data as JSON without blanks."},"commit_sha":{"kind":"text","required":true,"about":"The commit of its template."},"render_logs":{"kind":"list","required":true,"about":"What the template logged: objects of category and message."},"created_by":{"kind":"text","required":true,"about":"Who asked for it."},"created_at":{"kind":"time","required":true,"about":"When it was made."}}},
  change: {"about":"A run of one action on a node, as a tree of steps.","attributes":{"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first step that did, with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Rules of approval that it began with."},"approved_by":{"kind":"any","required":true,"about":"Who approved it, and when."},"rejected_by":{"kind":"any","required":true,"about":"Who rejected it, and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"Who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"Who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"state_timing":{"kind":"any","required":true,"about":"Seconds from creation to start and from start to end; null while that lasts."},"action":{"kind":"text","required":true,"about":"Name of the action that it runs."},"step_name":{"kind":"text","required":true,"about":"Name of its root step."},"metadata":{"kind":"any","required":true,"about":"Whatever its creator attached."},"scheduled":{"kind":"boolean","required":true,"about":"True when a schedule made it."},"git_remote_name":{"kind":"text","required":true,"nullable":true,"about":"Git remote that its actions come from."},"git_rev":{"kind":"text","required":true,"nullable":true,"about":"Revision that was asked for."},"commit_sha":{"kind":"text","required":true,"nullable":true,"about":"Commit that the revision stood for when it was made."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Version of the template that its actions come from."},"skip_steps":{"kind":"any","required":true,"about":"Globs of step paths that are skipped."},"starting_step":{"kind":"text","required":true,"nullable":true,"about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","required":true,"about":"Whether wait steps without approvers continue by themselves."},"build_without_cache":{"kind":"boolean","required":true,"about":"Whether its image is built anew."},"property_overrides":{"kind":"any","required":true,"about":"The layer \"change\" of its converged properties."},"settings_overrides":{"kind":"any","required":true,"about":"Settings given for this change alone."},"plan_sha":{"kind":"text","required":true,"nullable":true,"about":"Hash of the plan that it is bound to."}}},
  step: {"about":"One step of a change: an action, a stage, a wait or an input.","attributes":{"action":{"kind":"text","required":true,"nullable":true,"about":"Name of the action that it runs; null for waits and inputs."},"step_name":{"kind":"text","required":true,"about":"Its name."},"full_path":{"kind":"text","required":true,"about":"The names from the root down, joined by \"/\"."},"description":{"kind":"text","required":true,"nullable":true,"about":"What its author says of it."},"step_type":{"kind":"text","required":true,"about":"standard, wait, input or stage."},"step_sequence":{"kind":"integer","required":true,"about":"Its place among its siblings, from 0."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"child_execution_strategy":{"kind":"text","required":true,"about":"How its children run: sequential or parallel."},"ignore_failure":{"kind":"boolean","required":true,"about":"Whether its failure is no failure."},"input_arguments":{"kind":"any","required":true,"about":"What an input step asks for."},"requires_approval_from":{"kind":"any","required":true,"about":"Who may approve it."},"approved_by":{"kind":"any","required":true,"about":"Who approved it, and when."},"rejected_by":{"kind":"any","required":true,"about":"Who rejected it, and when."},"continued_by":{"kind":"text","required":true,"nullable":true,"about":"Who continued it."},"skip_requested":{"kind":"boolean","required":true,"about":"Whether the skip mask names it."},"attempt":{"kind":"integer","required":true,"about":"How often it was begun."},"outcome_reason":{"kind":"text","required":true,"nullable":true,"about":"Why it ended as it did, where its own action does not say: what failed, or who rejected or cancelled it."},"exit_code":{"kind":"integer","required":true,"nullable":true,"about":"Exit code of its action."},"outputs":{"kind":"any","required":true,"about":"What its action told of itself when it succeeded; null: nothing."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"What went wrong."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When its newest attempt began."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"state_timing":{"kind":"any","required":true,"about":"Seconds in each state; null while it lasts."},"change_id":{"kind":"text","required":true,"about":"The change that it belongs to."},"tree_order":{"kind":"text","required":true,"about":"Sorts the steps of one change as they are read."}}},
  log_line: {"about":"A line that a step has written.","attributes":{"message":{"kind":"text","required":true,"about":"The line, secrets masked."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"level":{"kind":"text","required":true,"about":"info, or error for what went to stderr."},"sequence":{"kind":"integer","required":true,"about":"Its number within the attempt, from 1."},"attempt":{"kind":"integer","required":true,"about":"The attempt of the step that wrote it."},"logged_at":{"kind":"time","required":true,"about":"When the runner read it."},"step_id":{"kind":"text","nullable":true,"about":"The step of a change that wrote it. Absent where it is none of a change."},"change_id":{"kind":"text","nullable":true,"about":"The change that it belongs to. Absent where it is none of a change."},"workflow_step_id":{"kind":"text","nullable":true,"about":"The step of a workflow run that says so itself; what its changes say has their steps. Absent where it is none of a workflow run."},"workflow_run_id":{"kind":"text","nullable":true,"about":"The workflow run that it belongs to. Absent where it is none of a workflow run."}}},
  artefact: {"about":"A file that a step left to be kept.","attributes":{"name":{"kind":"text","required":true,"about":"Its file name."},"content_type":{"kind":"text","required":true,"about":"Its media type."},"byte_size":{"kind":"integer","required":true,"about":"Its size in bytes."},"sha256":{"kind":"text","required":true,"about":"Hash of its bytes."},"labels":{"kind":"any","required":true,"about":"What the step said of it, to find it by: texts under names (`filter[labels.kind_eq]`)."},"attempt":{"kind":"integer","required":true,"about":"The attempt of the step that left it."},"created_at":{"kind":"time","required":true,"about":"When it was kept."}}},
  agent_status: {"about":"What is wanted of an agent, what has become of it, and its images.","attributes":{"desired_status":{"kind":"text","required":true,"about":"What is wanted: running or absent."},"status":{"kind":"text","required":true,"about":"What it is: absent, initializing, running, stopping or error."},"image_build_status":{"kind":"text","required":true,"about":"What has become of its latest image: none, building, ready or error."},"active_image_sha":{"kind":"text","required":true,"nullable":true,"about":"The image that it runs on; null while it does not run."},"newest_image_sha":{"kind":"text","required":true,"nullable":true,"about":"The image that was built last; null while there is none."}}},
  agent_log_line: {"about":"A line that an agent has written.","attributes":{"message":{"kind":"text","required":true,"about":"The line."},"category":{"kind":"text","required":true,"about":"stdout, stderr, action, or runner for what Sluice says."},"agent_path":{"kind":"text","required":true,"about":"The agent that wrote it."},"attempt":{"kind":"integer","required":true,"about":"The start of the agent in which it was written."},"sequence":{"kind":"integer","required":true,"about":"Its number within that start, from 1."},"logged_at":{"kind":"time","required":true,"about":"When it was written."}}},
  workflow: {"about":"Changes on several nodes, waits and other workflows in an order, in versions.","attributes":{"code":{"kind":"text","required":true,"about":"What it is called in paths; never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","required":true,"nullable":true,"about":"What it is for."},"draft":{"kind":"boolean","required":true,"about":"Its newest version is not published."},"archived":{"kind":"boolean","required":true,"about":"Archived ones are kept, and run no more."},"latest_version":{"kind":"integer","required":true,"about":"Number of its newest version, from 1."},"latest_published_version":{"kind":"integer","required":true,"nullable":true,"about":"Number of the version that runs, unless another one is asked for."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  workflow_version: {"about":"A version of a workflow: its source, and the steps that were read from it.","attributes":{"version":{"kind":"integer","required":true,"about":"Its number, from 1."},"draft":{"kind":"boolean","required":true,"about":"It can be changed, and not run."},"source_yaml":{"kind":"text","required":true,"about":"Its source as it was written. Kept encrypted."},"steps":{"kind":"any","required":true,"nullable":true,"about":"Its steps: types told, names made, targets absolute; null of a draft with faults, see meta.errors."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"published_at":{"kind":"time","required":true,"nullable":true,"about":"When it was published; null of a draft."}}},
  workflow_run: {"about":"A run of a version of a workflow, as a tree of steps.","attributes":{"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first step that did, with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Rules of approval that it began with."},"approved_by":{"kind":"any","required":true,"about":"Who approved it, and when."},"rejected_by":{"kind":"any","required":true,"about":"Who rejected it, and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"Who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"Who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"state_timing":{"kind":"any","required":true,"about":"Seconds from creation to start and from start to end; null while that lasts."},"workflow_code":{"kind":"text","required":true,"about":"Code of the workflow that it runs."},"version":{"kind":"integer","required":true,"about":"The version of the workflow."},"name":{"kind":"text","required":true,"about":"Name of the workflow when it was made."},"metadata":{"kind":"any","required":true,"about":"Whatever its creator attached."},"scheduled":{"kind":"boolean","required":true,"about":"True when a schedule made it."},"skip_steps":{"kind":"any","required":true,"about":"Globs of names of steps that are skipped."},"property_overrides":{"kind":"any","required":true,"about":"What it puts over the properties of its project."}}},
  workflow_step: {"about":"One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","attributes":{"name":{"kind":"text","required":true,"about":"Its name."},"full_path":{"kind":"text","required":true,"about":"The names from the root down, joined by \"/\"."},"step_type":{"kind":"text","required":true,"about":"change, wait, workflow or stage."},"targets":{"kind":"any","required":true,"about":"Paths of the nodes that its changes run on."},"action":{"kind":"text","required":true,"nullable":true,"about":"The action that its changes run."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"The template version that its changes take their actions from."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"Code of the workflow that it runs."},"start_time":{"kind":"text","required":true,"nullable":true,"about":"When what it makes begins at the earliest, as the workflow says it."},"step_sequence":{"kind":"integer","required":true,"about":"Its place among its siblings, from 0."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"child_execution_strategy":{"kind":"text","required":true,"about":"How its children run: sequential or parallel."},"ignore_failure":{"kind":"boolean","required":true,"about":"Whether its failure is no failure."},"requires_approval_from":{"kind":"any","required":true,"about":"Who may approve it."},"approved_by":{"kind":"any","required":true,"about":"Who approved it, and when."},"rejected_by":{"kind":"any","required":true,"about":"Who rejected it, and when."},"continued_by":{"kind":"text","required":true,"nullable":true,"about":"Who continued it."},"skip_requested":{"kind":"boolean","required":true,"about":"Whether the skip mask names it."},"reset_on_retry":{"kind":"boolean","required":true,"about":"Whether a retry of the run asks it again."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"What went wrong."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When its newest attempt began."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"state_timing":{"kind":"any","required":true,"about":"Seconds in each state; null while it lasts."},"workflow_run_id":{"kind":"text","required":true,"about":"The run that it belongs to."},"tree_order":{"kind":"text","required":true,"about":"Sorts the steps of one run as they are read."}}},
  activity: {"about":"A change or a workflow run, as one of all that runs, ran or is to run.","attributes":{"type":{"kind":"text","required":true,"about":"change or workflow_run."},"path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"action":{"kind":"text","required":true,"nullable":true,"about":"Of a change: name of the action that it runs."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"Of a workflow run: code of its workflow."},"revision":{"kind":"text","required":true,"nullable":true,"about":"Of a change: the revision that was asked for; of a run: the version."},"status_code":{"kind":"text","required":true,"about":"Its reported status."},"node_path":{"kind":"text","required":true,"about":"Path of the node that it runs on."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"error_message":{"kind":"text","required":true,"nullable":true,"about":"Why it failed: the first step that did, with its reason, or why it could not run."},"requires_approval_from":{"kind":"any","required":true,"about":"Rules of approval that it began with."},"approved_by":{"kind":"any","required":true,"about":"Who approved it, and when."},"rejected_by":{"kind":"any","required":true,"about":"Who rejected it, and when."},"cancelled_by":{"kind":"text","required":true,"nullable":true,"about":"Who cancelled it."},"pause_state":{"kind":"text","required":true,"about":"none, pausing or paused."},"paused_by":{"kind":"text","required":true,"nullable":true,"about":"Who paused it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was admitted."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."},"metadata":{"kind":"any","required":true,"about":"Whatever its creator attached."},"scheduled":{"kind":"boolean","required":true,"about":"True when a schedule made it."},"skip_steps":{"kind":"any","required":true,"about":"Globs of what is skipped."},"property_overrides":{"kind":"any","required":true,"about":"What it puts over the properties of its node."}}},
  scheduled_change: {"about":"What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","attributes":{"action":{"kind":"text","required":true,"nullable":true,"about":"The action that its changes run."},"workflow_code":{"kind":"text","required":true,"nullable":true,"about":"The workflow that its runs are of."},"version":{"kind":"integer","required":true,"nullable":true,"about":"The published version of that; null: the latest."},"cron_schedule":{"kind":"text","required":true,"nullable":true,"about":"When it is due: five fields, six with seconds, or @daily."},"run_at":{"kind":"time","required":true,"nullable":true,"about":"When it is due, where that is once."},"time_zone":{"kind":"text","required":true,"about":"Whose clock the cron expression speaks of."},"repeat":{"kind":"boolean","required":true,"about":"Whether it comes due again after the first time."},"maximum_run_count":{"kind":"integer","required":true,"nullable":true,"about":"So many changes it makes at most."},"end_at":{"kind":"time","required":true,"nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","required":true,"about":"Whether it makes anything."},"disabled_reason":{"kind":"text","required":true,"nullable":true,"about":"Why the service has disabled it."},"new_commits_only":{"kind":"boolean","required":true,"about":"Whether it waits for commits that it has not used."},"commit_file_patterns":{"kind":"any","required":true,"about":"Files that such a commit has to touch."},"commit_file_pattern_match":{"kind":"text","required":true,"about":"Whether a file is meant by any of the patterns or by all."},"allow_parallel_execution":{"kind":"boolean","required":true,"about":"Whether it makes one while an earlier one is at work."},"git_remote_name":{"kind":"text","required":true,"nullable":true,"about":"Of a project or environment: where its actions are."},"git_rev":{"kind":"text","required":true,"nullable":true,"about":"Of a project or environment: the revision."},"template_version":{"kind":"text","required":true,"nullable":true,"about":"Of an asset: another version of its template."},"metadata":{"kind":"any","required":true,"about":"What its changes carry to be found by."},"skip_steps":{"kind":"any","required":true,"about":"Globs of step paths that its changes leave out."},"starting_step":{"kind":"text","required":true,"nullable":true,"about":"Full path of the step that they begin with."},"auto_continue_wait_steps":{"kind":"boolean","required":true,"about":"Whether wait steps of its changes without approvers continue by themselves."},"build_without_cache":{"kind":"boolean","required":true,"about":"Whether the image of its changes is built anew."},"notify":{"kind":"any","required":true,"nullable":true,"about":"Whom to tell of what becomes of what it makes."},"property_overrides":{"kind":"any","required":true,"about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"any","required":true,"about":"Settings of its changes alone."},"next_run_at":{"kind":"time","required":true,"nullable":true,"about":"When it is due next; null when never again."},"next_due_times":{"kind":"list","required":true,"about":"The next five times at which it is due, in its own time zone."},"run_count":{"kind":"integer","required":true,"about":"So many changes it has made."},"created_by":{"kind":"text","required":true,"about":"Who made it, and in whose name its changes are made."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
  key_rotation: {"about":"A replacement of the keys that everything secret is sealed under.","attributes":{"status":{"kind":"text","required":true,"about":"announced until every process knows the new key, switching until every process seals with it, resealing until nothing is sealed under an earlier one, then success."},"waiting_for":{"kind":"text","required":true,"nullable":true,"about":"What holds it up, if anything does."},"data_key":{"kind":"integer","required":true,"about":"The number of the new data key."},"root_key":{"kind":"boolean","required":true,"about":"Whether the root key is replaced as well."},"resealed":{"kind":"integer","required":true,"about":"Records that were sealed anew so far."},"created_by":{"kind":"text","required":true,"about":"Who began it."},"created_at":{"kind":"time","required":true,"about":"When it was begun."},"updated_at":{"kind":"time","required":true,"about":"When it last got on."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended."}}},
  resource_slot_pool: {"about":"How many of a kind of work may go on at once on a site, and what does.","attributes":{"pool":{"kind":"text","required":true,"about":"The kind of work: runner, actions_refresh, model, agent, image_build."},"site":{"kind":"text","required":true,"about":"Where it is done."},"configured_limit":{"kind":"integer","required":true,"about":"So many at once."},"claimed_count":{"kind":"integer","required":true,"about":"So many go on now; more than the limit while a lowered one runs out."},"waiting_count":{"kind":"integer","required":true,"about":"So many stand in line, for whatever reason."},"slots":{"kind":"list","required":true,"about":"What holds each claimed slot; of what the caller may not read only since when."},"updated_at":{"kind":"time","required":true,"about":"When its limit or what it holds last changed."}}},
  job: {"about":"Work that the service does in the background.","attributes":{"job_class":{"kind":"text","required":true,"about":"What is to be done: changes.prepare."},"queue":{"kind":"text","required":true,"about":"Jobs of one queue run one after another; those of \"default\" as they come."},"status":{"kind":"text","required":true,"about":"pending until it is run, running, success, or error once it has been tried as often as it may."},"attempts":{"kind":"integer","required":true,"about":"How often it was begun."},"maximum_attempts":{"kind":"integer","required":true,"about":"So often it is begun before it is given up."},"last_error":{"kind":"text","required":true,"nullable":true,"about":"Why it failed the last time."},"run_at":{"kind":"time","required":true,"about":"It is not run before; of one that failed, when it is tried again."},"started_at":{"kind":"time","required":true,"nullable":true,"about":"When it was begun, of what runs and of what has gone well."},"finished_at":{"kind":"time","required":true,"nullable":true,"about":"When it ended, or was given up."},"node_path":{"kind":"text","required":true,"nullable":true,"about":"The node that it is about, if it is about one."},"created_at":{"kind":"time","required":true,"about":"When it was put into the queue."}}},
  site: {"about":"Where work is done, and what there is for it.","attributes":{"code":{"kind":"text","required":true,"about":"Its name, as processes and pools give it."},"processes":{"kind":"integer","required":true,"about":"Processes of the service that serve it now."},"runners":{"kind":"integer","required":true,"about":"Runners that are there now."},"pools":{"kind":"list","required":true,"about":"Its pools of slots; resource slots tell who holds them."},"created_at":{"kind":"time","required":true,"about":"When it was first there."}}},
  data_cleanup_definition: {"about":"What is removed once it is old, and when.","attributes":{"name":{"kind":"text","required":true,"about":"What people call it."},"kind":{"kind":"text","required":true,"about":"What it removes: activities (changes and workflow runs), events, jobs."},"cron_schedule":{"kind":"text","required":true,"about":"When it is due."},"time_zone":{"kind":"text","required":true,"about":"The zone whose clock that speaks of."},"node_paths":{"kind":"list","required":true,"about":"Of which nodes: paths, or with % at their end what they begin with."},"filters":{"kind":"any","required":true,"about":"Of these only what the list of that kind shows with such filters."},"older_than":{"kind":"text","required":true,"about":"And only what ended (of events: was recorded) longer ago than this."},"maximum_per_run":{"kind":"integer","required":true,"nullable":true,"about":"So many at once at most, the oldest first."},"enabled":{"kind":"boolean","required":true,"about":"Whether it ever comes due."},"last_run_at":{"kind":"time","required":true,"nullable":true,"about":"When it was last due and began."},"next_run_at":{"kind":"time","required":true,"nullable":true,"about":"When it is due next; null when never."},"next_due_times":{"kind":"list","required":true,"about":"The next five times at which it is due, in its own time zone."},"created_by":{"kind":"text","required":true,"about":"Who made it."},"created_at":{"kind":"time","required":true,"about":"When it was made."},"updated_at":{"kind":"time","required":true,"about":"When it last changed."}}},
}

export const operations: readonly Operation[] = [
  {"id":"activity.list","method":"GET","path":"/api/activities","about":"List: A change or a workflow run, as one of all that runs, ran or is to run.","answers":"activity","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"activities.live","method":"GET","path":"/api/activities/live","about":"All activities as they go on"},
  {"id":"audit_trail.show","method":"GET","path":"/api/admin/audit_trail","about":"The sealed audit trail: every event, and the hash chain through them","query":{"after":{"kind":"integer","about":"The number of the seal to go on behind. Without it, from the first."}}},
  {"id":"audit_trail.unsealed","method":"GET","path":"/api/admin/audit_trail/unsealed","about":"Events that were put in behind the back of the service: older than what is sealed, and without a seal","query":{"after":{"kind":"text","about":"The id of the event to go on behind. Without it, from the first."}}},
  {"id":"database.show","method":"GET","path":"/api/admin/database","about":"The database: its version and size, connections, and how old its oldest transaction is"},
  {"id":"drain_status.show","method":"GET","path":"/api/admin/drain_status","about":"What is still in progress: counts, whether the installation is drained, and what holds that up"},
  {"id":"job.list","method":"GET","path":"/api/admin/jobs","about":"List: Work that the service does in the background.","answers":"job","lists":true},
  {"id":"job.show","method":"GET","path":"/api/admin/jobs/{id}","about":"Work that the service does in the background.","answers":"job"},
  {"id":"key_rotation.list","method":"GET","path":"/api/admin/key_rotations","about":"List: A replacement of the keys that everything secret is sealed under.","answers":"key_rotation","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"key_rotations.create","method":"POST","path":"/api/admin/key_rotations","about":"Begins to replace the data key, and the root key where that is asked for, while everything goes on.","answers":"key_rotation","once":true,"attributes":{"root_key":{"kind":"boolean","about":"Wrap all keys under the next root key, which every process has been given."}}},
  {"id":"key_rotation.show","method":"GET","path":"/api/admin/key_rotations/{id}","about":"A replacement of the keys that everything secret is sealed under.","answers":"key_rotation"},
  {"id":"load.list","method":"GET","path":"/api/admin/load","about":"Who takes most of the database: of each process ten users, and whether they are served last"},
  {"id":"resource_slot_pool.list","method":"GET","path":"/api/admin/resource_slots","about":"List: How many of a kind of work may go on at once on a site, and what does.","answers":"resource_slot_pool","lists":true},
  {"id":"resource_slot_pool.show","method":"GET","path":"/api/admin/resource_slots/{id}","about":"How many of a kind of work may go on at once on a site, and what does.","answers":"resource_slot_pool"},
  {"id":"site.list","method":"GET","path":"/api/admin/sites","about":"List: Where work is done, and what there is for it.","answers":"site","lists":true},
  {"id":"site.show","method":"GET","path":"/api/admin/sites/{id}","about":"Where work is done, and what there is for it.","answers":"site"},
  {"id":"workers.list","method":"GET","path":"/api/admin/workers","about":"The processes of the service: when each last said that it lives, and which of its loops fail"},
  {"id":"agent.list","method":"GET","path":"/api/agents","about":"List: A long-running container, made from a version of a template.","answers":"agent","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"agent.show_2","method":"GET","path":"/api/agents/{id}","about":"A long-running container, made from a version of a template.","answers":"agent"},
  {"id":"agents.update_2","method":"PATCH","path":"/api/agents/{id}","about":"Changes, archives or restores an agent.","answers":"agent","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."}}},
  {"id":"agents.archive_2","method":"DELETE","path":"/api/agents/{id}","about":"Archives an agent; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"artefact.show","method":"GET","path":"/api/artefacts/{id}","about":"A file that a step left to be kept.","answers":"artefact"},
  {"id":"artefacts.content","method":"GET","path":"/api/artefacts/{id}/content","about":"The bytes of an artefact"},
  {"id":"asset.list","method":"GET","path":"/api/assets","about":"List: Something that changes run on, made from a version of a template.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"asset.show_3","method":"GET","path":"/api/assets/{id}","about":"Something that changes run on, made from a version of a template.","answers":"asset"},
  {"id":"assets.update_3","method":"PATCH","path":"/api/assets/{id}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."}}},
  {"id":"assets.archive_3","method":"DELETE","path":"/api/assets/{id}","about":"Archives an asset; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"authorisation_check.show","method":"GET","path":"/api/authorisation_check","about":"Whether somebody has a right on a path, and the rule and policy that decide it.","query":{"path":{"kind":"text","required":true,"about":"The path that the right is asked on, such as /projects/bank/environments/live."},"right":{"kind":"text","required":true,"about":"read, update, execute or delete."},"username":{"kind":"text","about":"Whose right; without it the caller’s own. Of others it needs read on the policies of the path."}}},
  {"id":"authorisation_policy.list","method":"GET","path":"/api/authorisation_policies","about":"List: Rules that are assigned together.","answers":"authorisation_policy","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"authorisation_policies.create","method":"POST","path":"/api/authorisation_policies","about":"Makes a policy, with rules and assignments at once where they are given.","answers":"authorisation_policy","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"Unique in any case."},"description":{"kind":"text","nullable":true},"authorisation_rules":{"kind":"list"},"assignments":{"kind":"list"}}},
  {"id":"authorisation_policy.show","method":"GET","path":"/api/authorisation_policies/{id}","about":"Rules that are assigned together.","answers":"authorisation_policy"},
  {"id":"authorisation_policies.update","method":"PATCH","path":"/api/authorisation_policies/{id}","about":"Changes the name or the description of a policy.","answers":"authorisation_policy","attributes":{"name":{"kind":"text","about":"Unique in any case."},"description":{"kind":"text","nullable":true}}},
  {"id":"authorisation_policies.delete","method":"DELETE","path":"/api/authorisation_policies/{id}","about":"Deletes a policy and its assignments; its rules stay."},
  {"id":"authorisation_policies.put_assignments","method":"PUT","path":"/api/authorisation_policies/{id}/assignments","about":"Assigns a policy to exactly these.","answers":"authorisation_policy","attributes":{"assignments":{"kind":"list","required":true}}},
  {"id":"authorisation_policies.put_rules","method":"PUT","path":"/api/authorisation_policies/{id}/rules","about":"Gives a policy exactly these rules. A rule that no policy holds any more is deleted.","answers":"authorisation_policy","attributes":{"authorisation_rules":{"kind":"list","required":true}}},
  {"id":"authorisation_rule.list","method":"GET","path":"/api/authorisation_rules","about":"List: What is allowed or denied on a path and beneath it.","answers":"authorisation_rule","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"authorisation_rules.create","method":"POST","path":"/api/authorisation_rules","about":"Makes a rule, in force once a policy holds it.","answers":"authorisation_rule","once":true,"attributes":{"path":{"kind":"text","required":true,"about":"What it is about, with * for one segment."},"name":{"kind":"text","nullable":true,"about":"a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction"},"read":{"kind":"boolean","nullable":true,"about":"Reading: true allows, false denies."},"update":{"kind":"boolean","nullable":true,"about":"Changing: true allows, false denies."},"execute":{"kind":"boolean","nullable":true,"about":"Running: true allows, false denies."},"delete":{"kind":"boolean","nullable":true,"about":"Deleting: true allows, false denies."}}},
  {"id":"authorisation_rule.show","method":"GET","path":"/api/authorisation_rules/{id}","about":"What is allowed or denied on a path and beneath it.","answers":"authorisation_rule"},
  {"id":"authorisation_rules.update","method":"PATCH","path":"/api/authorisation_rules/{id}","about":"Changes a rule, at once for everyone who has a policy that holds it.","answers":"authorisation_rule","attributes":{"path":{"kind":"text","about":"What it is about, with * for one segment."},"name":{"kind":"text","nullable":true,"about":"a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction"},"read":{"kind":"boolean","nullable":true,"about":"Reading: true allows, false denies."},"update":{"kind":"boolean","nullable":true,"about":"Changing: true allows, false denies."},"execute":{"kind":"boolean","nullable":true,"about":"Running: true allows, false denies."},"delete":{"kind":"boolean","nullable":true,"about":"Deleting: true allows, false denies."}}},
  {"id":"authorisation_rules.delete","method":"DELETE","path":"/api/authorisation_rules/{id}","about":"Deletes a rule, and takes it out of every policy."},
  {"id":"bookmark.list","method":"GET","path":"/api/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"change.list","method":"GET","path":"/api/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create","method":"POST","path":"/api/changes","about":"Run an action on the node that parent_path names","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."},"parent_path":{"kind":"text","about":"Path of a node: /projects/bank/assets/web."}}},
  {"id":"change.show","method":"GET","path":"/api/changes/{id}","about":"A run of one action on a node, as a tree of steps.","answers":"change"},
  {"id":"changes.cancel","method":"DELETE","path":"/api/changes/{id}","about":"Cancel a change: what runs is stopped, what has not begun never does","query":{"purge":{"kind":"boolean","about":"Deletes a change that has ended for good, with its log and all else."}}},
  {"id":"artefact.list","method":"GET","path":"/api/changes/{id}/artefacts","about":"List: A file that a step left to be kept.","answers":"artefact","lists":true},
  {"id":"changes.converged_properties","method":"GET","path":"/api/changes/{id}/converged_properties","about":"The properties that a change uses, its own overrides on top."},
  {"id":"changes.converged_settings","method":"GET","path":"/api/changes/{id}/converged_settings","about":"The settings that a change was made with, and where each is from."},
  {"id":"changes.live","method":"GET","path":"/api/changes/{id}/live","about":"A change as it goes on: its steps, log lines and events","query":{"log_lines":{"kind":"boolean","about":"Whether log lines are sent too. They are, unless this is false."}}},
  {"id":"log_line.list_2","method":"GET","path":"/api/changes/{id}/log_lines","about":"List: A line that a step has written.","answers":"log_line","lists":true},
  {"id":"changes.pause","method":"POST","path":"/api/changes/{id}/pause","about":"Pause a change: the steps that run end, and no other begins until it is resumed","answers":"change","once":true,"attributes":{"reason":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"changes.resume","method":"POST","path":"/api/changes/{id}/resume","about":"Let a paused change go on","answers":"change","once":true,"attributes":{"reason":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"step.list_2","method":"GET","path":"/api/changes/{id}/steps","about":"List: One step of a change: an action, a stage, a wait or an input.","answers":"step","lists":true,"named":{"for_change":"The steps of this change.","with_input_arguments":"Steps that wait for input.","without_input_arguments":"Waiting steps that ask for nothing.","mine":"Steps of changes that the caller made.","waiting_for_user":"Steps that wait for somebody to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may let go on."}},
  {"id":"changes.waiting_reason","method":"GET","path":"/api/changes/{id}/waiting_reason","about":"Why a change does not go on."},
  {"id":"nodes.compare","method":"POST","path":"/api/compare_nodes","about":"The converged properties and settings of two nodes, and their difference as JSON Patch, from a to b.","attributes":{"node_path_a":{"kind":"text","required":true,"about":"Path of the one node: /projects/bank/assets/web."},"node_path_b":{"kind":"text","required":true,"about":"Path of the other node: /projects/bank/assets/web."}}},
  {"id":"data_cleanup_definition.list","method":"GET","path":"/api/data_cleanup_definitions","about":"List: What is removed once it is old, and when.","answers":"data_cleanup_definition","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"data_cleanup_definitions.create","method":"POST","path":"/api/data_cleanup_definitions","about":"Have what is old removed whenever this is due","answers":"data_cleanup_definition","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"What people call it."},"kind":{"kind":"text","required":true,"about":"What it removes: activities (changes and workflow runs), events, jobs. The service has no agent_images yet."},"cron_schedule":{"kind":"text","required":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock that speaks of; default UTC."},"node_paths":{"kind":"list","about":"Of which nodes; default %: of all, and of none."},"filters":{"kind":"object","about":"Only what the list of that kind shows with such filters: {\"status_code_eq\": \"success\"}."},"older_than":{"kind":"text","required":true,"about":"Only what ended, of events what was recorded, longer ago than this duration (ISO 8601): P90D."},"maximum_per_run":{"kind":"integer","nullable":true,"about":"So many at once at most, the oldest first."},"enabled":{"kind":"boolean","about":"Whether it comes due; default true."}}},
  {"id":"data_cleanup_definition.show","method":"GET","path":"/api/data_cleanup_definitions/{id}","about":"What is removed once it is old, and when.","answers":"data_cleanup_definition"},
  {"id":"data_cleanup_definitions.update","method":"PATCH","path":"/api/data_cleanup_definitions/{id}","about":"Change what is removed, or when; a run of it that is under way and would remove other things ends","answers":"data_cleanup_definition","attributes":{"name":{"kind":"text","about":"What people call it."},"kind":{"kind":"text","about":"What it removes: activities (changes and workflow runs), events, jobs. The service has no agent_images yet."},"cron_schedule":{"kind":"text","about":"When it is due: five fields, six with seconds first, or @daily and the like."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock that speaks of; default UTC."},"node_paths":{"kind":"list","about":"Of which nodes; default %: of all, and of none."},"filters":{"kind":"object","about":"Only what the list of that kind shows with such filters: {\"status_code_eq\": \"success\"}."},"older_than":{"kind":"text","about":"Only what ended, of events what was recorded, longer ago than this duration (ISO 8601): P90D."},"maximum_per_run":{"kind":"integer","nullable":true,"about":"So many at once at most, the oldest first."},"enabled":{"kind":"boolean","about":"Whether it comes due; default true."}}},
  {"id":"data_cleanup_definitions.delete","method":"DELETE","path":"/api/data_cleanup_definitions/{id}","about":"Delete a definition; a run of it that is under way ends"},
  {"id":"data_cleanup_definitions.preview","method":"POST","path":"/api/data_cleanup_definitions/{id}/preview","about":"Count what would be removed now; nothing is"},
  {"id":"environment.list","method":"GET","path":"/api/environments","about":"List: A place within a project that holds assets.","answers":"environment","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"environment.show_2","method":"GET","path":"/api/environments/{id}","about":"A place within a project that holds assets.","answers":"environment"},
  {"id":"environments.update_2","method":"PATCH","path":"/api/environments/{id}","about":"Changes, archives or restores an environment.","answers":"environment","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"environments.archive_2","method":"DELETE","path":"/api/environments/{id}","about":"Archives an environment; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"event.list","method":"GET","path":"/api/events","about":"List: What happened, who did it and to what: written once, and sealed into a chain.","answers":"event","lists":true,"named":{"for_change":"Those of a change and of its steps, by its id.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","for_workflow_run":"Those of a workflow run and of its steps, by its id."}},
  {"id":"events.create","method":"POST","path":"/api/events","about":"Records an event of one’s own, with any attributes, related to a record by the link attributes.","once":true,"attributes":{"type":{"kind":"text","required":true,"about":"Of any form."},"node_path":{"kind":"text","about":"The node that it relates to."},"node_id":{"kind":"text","about":"The record that it relates to."},"step_id":{"kind":"text","about":"The record that it relates to."},"change_id":{"kind":"text","about":"The record that it relates to."},"workflow_step_id":{"kind":"text","about":"The record that it relates to."},"workflow_run_id":{"kind":"text","about":"The record that it relates to."},"scheduled_change_id":{"kind":"text","about":"The record that it relates to."},"bookmark_id":{"kind":"text","about":"The record that it relates to."},"template_version_id":{"kind":"text","about":"The record that it relates to."},"template_id":{"kind":"text","about":"The record that it relates to."},"git_remote_id":{"kind":"text","about":"The record that it relates to."},"properties_version_id":{"kind":"text","about":"The record that it relates to."},"properties_id":{"kind":"text","about":"The record that it relates to."},"settings_version_id":{"kind":"text","about":"The record that it relates to."},"settings_id":{"kind":"text","about":"The record that it relates to."},"project_path":{"kind":"text","about":"The node that it relates to."},"project_id":{"kind":"text","about":"The record that it relates to."}}},
  {"id":"events.live","method":"GET","path":"/api/events/live","about":"New events as they are sealed"},
  {"id":"event.show","method":"GET","path":"/api/events/{id}","about":"What happened, who did it and to what: written once, and sealed into a chain.","answers":"event"},
  {"id":"group.list","method":"GET","path":"/api/groups","about":"List: A group of the directory, as it was last read.","answers":"group","lists":true},
  {"id":"group.show","method":"GET","path":"/api/groups/{id}","about":"A group of the directory, as it was last read.","answers":"group"},
  {"id":"healthcheck","method":"GET","path":"/api/healthcheck","about":"Answers while this process serves"},
  {"id":"info.show","method":"GET","path":"/api/info","about":"The installation: its version, and whether maintenance mode holds work back"},
  {"id":"ldap_refresh.create","method":"POST","path":"/api/ldap_refresh","about":"Has all users and groups read from the directory again; how it ends is told by an event api:ldap_refresh:….","once":true},
  {"id":"log_line.list","method":"GET","path":"/api/log_lines","about":"List: A line that a step has written.","answers":"log_line","lists":true},
  {"id":"users.me","method":"GET","path":"/api/me","about":"The user who asks."},
  {"id":"node_background_task_log_line.list","method":"GET","path":"/api/node_background_task_log_lines","about":"List: A line that a background task has written.","answers":"node_background_task_log_line","lists":true,"query":{"node_background_task_id":{"kind":"text","required":true,"about":"The background task whose lines are listed."}}},
  {"id":"node_background_tasks.waiting_reason","method":"GET","path":"/api/node_background_tasks/{id}/waiting_reason","about":"Why a background task has not begun."},
  {"id":"openapi.show","method":"GET","path":"/api/openapi.json","about":"This document."},
  {"id":"policy_assignment.list","method":"GET","path":"/api/policy_assignments","about":"List: To whom a policy is assigned: a user, a group, a user while in a group, or, with neither, everyone.","answers":"policy_assignment","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"policy_assignments.create","method":"POST","path":"/api/policy_assignments","about":"Assigns a policy to a user, a group, a user while in a group, or everyone.","answers":"policy_assignment","once":true,"attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The id of a policy."},"username":{"kind":"text","nullable":true,"about":"Null: anyone."},"groupname":{"kind":"text","nullable":true,"about":"Null: in any group or none."}}},
  {"id":"policy_assignment.show","method":"GET","path":"/api/policy_assignments/{id}","about":"To whom a policy is assigned: a user, a group, a user while in a group, or, with neither, everyone.","answers":"policy_assignment"},
  {"id":"policy_assignments.delete","method":"DELETE","path":"/api/policy_assignments/{id}","about":"Takes a policy back from whom it was assigned to."},
  {"id":"policy_rule.list","method":"GET","path":"/api/policy_rules","about":"List: That a policy holds a rule.","answers":"policy_rule","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"policy_rules.create","method":"POST","path":"/api/policy_rules","about":"Puts a rule into a policy.","answers":"policy_rule","once":true,"attributes":{"authorisation_policy_id":{"kind":"text","required":true,"about":"The id of a policy."},"authorisation_rule_id":{"kind":"text","required":true,"about":"The id of a rule."}}},
  {"id":"policy_rule.show","method":"GET","path":"/api/policy_rules/{id}","about":"That a policy holds a rule.","answers":"policy_rule"},
  {"id":"policy_rules.delete","method":"DELETE","path":"/api/policy_rules/{id}","about":"Takes a rule out of a policy."},
  {"id":"project.list","method":"GET","path":"/api/projects","about":"List: The root of a tree of nodes, and the wall between teams.","answers":"project","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"projects.create","method":"POST","path":"/api/projects","about":"Makes a project.","answers":"project","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path; unique among its siblings, never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"project_type":{"kind":"text","about":"Standard holds environments only. Default Enterprise."}}},
  {"id":"project.show","method":"GET","path":"/api/projects/{project_code}","about":"The root of a tree of nodes, and the wall between teams.","answers":"project"},
  {"id":"projects.update","method":"PATCH","path":"/api/projects/{project_code}","about":"Changes, archives or restores a project.","answers":"project","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"projects.archive","method":"DELETE","path":"/api/projects/{project_code}","about":"Archives a project; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"agent.list_2","method":"GET","path":"/api/projects/{project_code}/agents","about":"List: A long-running container, made from a version of a template.","answers":"agent","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"agents.create","method":"POST","path":"/api/projects/{project_code}/agents","about":"Makes an agent.","answers":"agent","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path; unique among its siblings, never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"agent.show","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}","about":"A long-running container, made from a version of a template.","answers":"agent"},
  {"id":"agents.update","method":"PATCH","path":"/api/projects/{project_code}/agents/{agent_code}","about":"Changes, archives or restores an agent.","answers":"agent","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."}}},
  {"id":"agents.archive","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}","about":"Archives an agent; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"bookmark.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks","about":"Keeps a bookmark at a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmark.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"A link that people keep at a node.","answers":"bookmark"},
  {"id":"bookmarks.update_5","method":"PATCH","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"Changes a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmarks.delete_5","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the changes of all nodes beneath are listed too."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."}}},
  {"id":"converged_properties.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_properties.explain_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_properties/explain","about":"Every layer that sets a value or takes it away, its version, author and time, and which one wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.show_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_settings","about":"The settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.explain_5","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/converged_settings/explain","about":"Every level that states a setting, its version, author and time, and which one is in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"node_background_task.list_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks","about":"List: Work on an asset or agent that goes on by itself.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Also those of versions of its template that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_task.show_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}","about":"Work on an asset or agent that goes on by itself.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel_3","method":"DELETE","path":"/api/projects/{project_code}/agents/{agent_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"scheduled_change.list_6","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the schedules of all nodes beneath are listed too."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create_on_node_5","method":"POST","path":"/api/projects/{project_code}/agents/{agent_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"agent_status.show","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status","about":"What is wanted of an agent, what has become of it, and its images.","answers":"agent_status"},
  {"id":"agent_log_line.list","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status/log_lines","about":"List: A line that an agent has written.","answers":"agent_log_line","lists":true},
  {"id":"agents.orchestrator_events","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/status/orchestrator_events","about":"What the orchestrator says of the container of an agent; 409 unless the agent is running."},
  {"id":"template_version_history.list_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/version_history","about":"List: A time in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show_3","method":"GET","path":"/api/projects/{project_code}/agents/{agent_code}/version_history/{id}","about":"A time in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"asset.list_3","method":"GET","path":"/api/projects/{project_code}/assets","about":"List: Something that changes run on, made from a version of a template.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"assets.create_2","method":"POST","path":"/api/projects/{project_code}/assets","about":"Makes an asset.","answers":"asset","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path; unique among its siblings, never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"asset.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}","about":"Something that changes run on, made from a version of a template.","answers":"asset"},
  {"id":"assets.update_2","method":"PATCH","path":"/api/projects/{project_code}/assets/{asset_code}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."}}},
  {"id":"assets.archive_2","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}","about":"Archives an asset; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"actions.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/actions","about":"What can be run on an asset: actions of its template version and of its model that have a description."},
  {"id":"bookmark.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks","about":"Keeps a bookmark at a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmark.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"A link that people keep at a node.","answers":"bookmark"},
  {"id":"bookmarks.update_4","method":"PATCH","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"Changes a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmarks.delete_4","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the changes of all nodes beneath are listed too."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."}}},
  {"id":"converged_properties.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_properties.explain_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_properties/explain","about":"Every layer that sets a value or takes it away, its version, author and time, and which one wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_settings","about":"The settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.explain_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/converged_settings/explain","about":"Every level that states a setting, its version, author and time, and which one is in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"model.list_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/model_history","about":"List: What the model of its template came to for an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"model.show_4","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/model_history/{id}","about":"What the model of its template came to for an asset.","answers":"model"},
  {"id":"model.list_3","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/models","about":"List: What the model of its template came to for an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"models.generate_2","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/models/generate","about":"Generates the model of an asset.","answers":"node_background_task","once":true},
  {"id":"model.show_3","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/models/{id}","about":"What the model of its template came to for an asset.","answers":"model"},
  {"id":"node_background_task.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks","about":"List: Work on an asset or agent that goes on by itself.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Also those of versions of its template that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_tasks.refresh_actions_2","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks","about":"Refreshes the actions of an asset.","answers":"node_background_task","once":true},
  {"id":"node_background_task.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Work on an asset or agent that goes on by itself.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel_2","method":"DELETE","path":"/api/projects/{project_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"properties_history.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/properties_history","about":"List: The versions of properties in each layer of an asset, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_5","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the schedules of all nodes beneath are listed too."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create_on_node_4","method":"POST","path":"/api/projects/{project_code}/assets/{asset_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"template_version_history.list_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/version_history","about":"List: A time in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show_2","method":"GET","path":"/api/projects/{project_code}/assets/{asset_code}/version_history/{id}","about":"A time in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"bookmark.list_2","method":"GET","path":"/api/projects/{project_code}/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create","method":"POST","path":"/api/projects/{project_code}/bookmarks","about":"Keeps a bookmark at a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmark.show","method":"GET","path":"/api/projects/{project_code}/bookmarks/{id}","about":"A link that people keep at a node.","answers":"bookmark"},
  {"id":"bookmarks.update","method":"PATCH","path":"/api/projects/{project_code}/bookmarks/{id}","about":"Changes a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmarks.delete","method":"DELETE","path":"/api/projects/{project_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_2","method":"GET","path":"/api/projects/{project_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the changes of all nodes beneath are listed too."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node","method":"POST","path":"/api/projects/{project_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."}}},
  {"id":"converged_properties.show","method":"GET","path":"/api/projects/{project_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_properties.explain","method":"GET","path":"/api/projects/{project_code}/converged_properties/explain","about":"Every layer that sets a value or takes it away, its version, author and time, and which one wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.show","method":"GET","path":"/api/projects/{project_code}/converged_settings","about":"The settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.explain","method":"GET","path":"/api/projects/{project_code}/converged_settings/explain","about":"Every level that states a setting, its version, author and time, and which one is in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"environment.list_2","method":"GET","path":"/api/projects/{project_code}/environments","about":"List: A place within a project that holds assets.","answers":"environment","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"environments.create","method":"POST","path":"/api/projects/{project_code}/environments","about":"Makes an environment.","answers":"environment","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path; unique among its siblings, never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."}}},
  {"id":"environment.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}","about":"A place within a project that holds assets.","answers":"environment"},
  {"id":"environments.update","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}","about":"Changes, archives or restores an environment.","answers":"environment","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."}}},
  {"id":"environments.archive","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}","about":"Archives an environment; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"asset.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets","about":"List: Something that changes run on, made from a version of a template.","answers":"asset","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"assets.create","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets","about":"Makes an asset.","answers":"asset","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its part of the path; unique among its siblings, never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"template_code":{"kind":"text","required":true,"about":"Template of the same project."},"template_version":{"kind":"text","required":true,"about":"A ready version of that template."}}},
  {"id":"asset.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"Something that changes run on, made from a version of a template.","answers":"asset"},
  {"id":"assets.update","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"Changes, archives or restores an asset.","answers":"asset","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for; null is the empty text."},"archived":{"kind":"boolean","about":"false restores it, true archives it."},"template_version":{"kind":"text","about":"Another ready version of its template."}}},
  {"id":"assets.archive","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}","about":"Archives an asset; by force, destroys it with everything beneath.","query":{"ignore_in_use":{"kind":"boolean","about":"Destroys it although it is in use, with everything beneath it. For superusers."}}},
  {"id":"actions.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/actions","about":"What can be run on an asset: actions of its template version and of its model that have a description."},
  {"id":"bookmark.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks","about":"Keeps a bookmark at a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmark.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"A link that people keep at a node.","answers":"bookmark"},
  {"id":"bookmarks.update_3","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"Changes a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmarks.delete_3","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the changes of all nodes beneath are listed too."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."}}},
  {"id":"converged_properties.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_properties.explain_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_properties/explain","about":"Every layer that sets a value or takes it away, its version, author and time, and which one wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.show_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings","about":"The settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.explain_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/converged_settings/explain","about":"Every level that states a setting, its version, author and time, and which one is in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"model.list_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history","about":"List: What the model of its template came to for an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"model.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/model_history/{id}","about":"What the model of its template came to for an asset.","answers":"model"},
  {"id":"model.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models","about":"List: What the model of its template came to for an asset.","answers":"model","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"models.generate","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/generate","about":"Generates the model of an asset.","answers":"node_background_task","once":true},
  {"id":"model.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/models/{id}","about":"What the model of its template came to for an asset.","answers":"model"},
  {"id":"node_background_task.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks","about":"List: Work on an asset or agent that goes on by itself.","answers":"node_background_task","lists":true,"query":{"all_versions":{"kind":"boolean","about":"Also those of versions of its template that the node had before."}},"named":{"mine":"Those that the caller made."}},
  {"id":"node_background_tasks.refresh_actions","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks","about":"Refreshes the actions of an asset.","answers":"node_background_task","once":true},
  {"id":"node_background_task.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Work on an asset or agent that goes on by itself.","answers":"node_background_task"},
  {"id":"node_background_tasks.cancel","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/node_background_tasks/{id}","about":"Cancels a background task."},
  {"id":"properties_history.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/properties_history","about":"List: The versions of properties in each layer of an asset, and the template versions that it had.","answers":"properties_history","lists":true},
  {"id":"scheduled_change.list_4","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the schedules of all nodes beneath are listed too."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create_on_node_3","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"template_version_history.list","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history","about":"List: A time in which an asset or agent had one version of its template.","answers":"template_version_history","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version_history.show","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/assets/{asset_code}/version_history/{id}","about":"A time in which an asset or agent had one version of its template.","answers":"template_version_history"},
  {"id":"bookmark.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks","about":"List: A link that people keep at a node.","answers":"bookmark","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"bookmarks.create_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks","about":"Keeps a bookmark at a node.","answers":"bookmark","once":true,"attributes":{"description":{"kind":"text","required":true,"about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmark.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"A link that people keep at a node.","answers":"bookmark"},
  {"id":"bookmarks.update_2","method":"PATCH","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"Changes a bookmark.","answers":"bookmark","attributes":{"description":{"kind":"text","about":"What it says."},"url":{"kind":"text","nullable":true,"about":"Where it leads: http, https or mailto."}}},
  {"id":"bookmarks.delete_2","method":"DELETE","path":"/api/projects/{project_code}/environments/{environment_code}/bookmarks/{id}","about":"Deletes a bookmark."},
  {"id":"change.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/changes","about":"List: A run of one action on a node, as a tree of steps.","answers":"change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the changes of all nodes beneath are listed too."}},"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"changes.create_on_node_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/changes","about":"Run an action on this node","answers":"change","once":true,"attributes":{"action":{"kind":"text","about":"The action to run. Required, but of a retry, which runs that of its original."},"git_remote_name":{"kind":"text","about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"property_overrides":{"kind":"object","about":"The most specific layer of its converged properties."},"settings_overrides":{"kind":"object","about":"Settings for this change alone."},"skip_steps":{"kind":"list","about":"What to leave out."},"starting_step":{"kind":"text","about":"Full path of the step that it begins with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where it runs in an image of its own, that is built anew."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"plan_sha":{"kind":"text","about":"The plan that it is to carry out: refused when that has moved."},"retry":{"kind":"boolean","about":"Runs again what did not succeed of relationships.change."},"refresh_sha":{"kind":"boolean","about":"Of a retry: takes the newest commit, where its actions are."}}},
  {"id":"converged_properties.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_properties","about":"The properties in force on a node, merged from all their layers, with the source of each value.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_properties.explain_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_properties/explain","about":"Every layer that sets a value or takes it away, its version, author and time, and which one wins.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.show_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_settings","about":"The settings in force on a node, each with the level that it comes from.","query":{"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"converged_settings.explain_2","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/converged_settings/explain","about":"Every level that states a setting, its version, author and time, and which one is in force.","query":{"pointer":{"kind":"text","required":true,"about":"A JSON pointer into the converged document: `/a/b`."},"converge_date":{"kind":"text","about":"An ISO 8601 date (its end in UTC) or date-time (in UTC without an offset): everything as it then was."}}},
  {"id":"scheduled_change.list_3","method":"GET","path":"/api/projects/{project_code}/environments/{environment_code}/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the schedules of all nodes beneath are listed too."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create_on_node_2","method":"POST","path":"/api/projects/{project_code}/environments/{environment_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"git_remote.list","method":"GET","path":"/api/projects/{project_code}/git_remotes","about":"List: A Git repository that templates and changes of a project come from.","answers":"git_remote","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"git_remotes.create","method":"POST","path":"/api/projects/{project_code}/git_remotes","about":"Makes a Git remote, reachable or not.","answers":"git_remote","once":true,"attributes":{"name":{"kind":"text","required":true,"about":"What it is called in its project."},"url":{"kind":"text","required":true,"about":"Where it is fetched from: https://…, ssh://…, user@host:path."},"public_url":{"kind":"text","nullable":true,"about":"Where people look at it."},"user":{"kind":"text","nullable":true,"about":"Who Sluice signs in as."},"password":{"kind":"text","nullable":true,"about":"Password or token; write-only."},"ssh_key_data":{"kind":"text","nullable":true,"about":"Private key for ssh; write-only."},"passphrase":{"kind":"text","nullable":true,"about":"Passphrase of the private key; write-only."},"periodic_fetch_interval":{"kind":"integer","nullable":true},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"git_remote.show","method":"GET","path":"/api/projects/{project_code}/git_remotes/{id}","about":"A Git repository that templates and changes of a project come from.","answers":"git_remote"},
  {"id":"git_remotes.update","method":"PATCH","path":"/api/projects/{project_code}/git_remotes/{id}","about":"Changes, archives or restores a Git remote.","answers":"git_remote","attributes":{"name":{"kind":"text","about":"What it is called in its project."},"url":{"kind":"text","about":"Where it is fetched from: https://…, ssh://…, user@host:path."},"public_url":{"kind":"text","nullable":true,"about":"Where people look at it."},"user":{"kind":"text","nullable":true,"about":"Who Sluice signs in as."},"password":{"kind":"text","nullable":true,"about":"Password or token; write-only."},"ssh_key_data":{"kind":"text","nullable":true,"about":"Private key for ssh; write-only."},"passphrase":{"kind":"text","nullable":true,"about":"Passphrase of the private key; write-only."},"periodic_fetch_interval":{"kind":"integer","nullable":true},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"git_remotes.delete","method":"DELETE","path":"/api/projects/{project_code}/git_remotes/{id}","about":"Deletes a Git remote that nothing uses."},
  {"id":"scheduled_change.list_2","method":"GET","path":"/api/projects/{project_code}/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"query":{"include_children":{"kind":"boolean","about":"Whether the schedules of all nodes beneath are listed too."}},"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create_on_node","method":"POST","path":"/api/projects/{project_code}/scheduled_activities","about":"Run an action on this node, or a workflow of this project, whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"template.list","method":"GET","path":"/api/projects/{project_code}/templates","about":"List: What assets or agents are made from: a folder of a repository, in versions.","answers":"template","lists":true,"query":{"exclude_archived_nodes":{"kind":"boolean","about":"Leaves archived nodes out of `nodes`."}}},
  {"id":"templates.create","method":"POST","path":"/api/projects/{project_code}/templates","about":"Makes a template.","answers":"template","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"Its folder in the repository; never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for."},"template_type":{"kind":"text","required":true,"about":"What is made from it; never changes."},"git_remote_name":{"kind":"text","required":true,"about":"Git remote of its versions."}}},
  {"id":"template.show","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}","about":"What assets or agents are made from: a folder of a repository, in versions.","answers":"template","query":{"exclude_archived_nodes":{"kind":"boolean","about":"Leaves archived nodes out of `nodes`."}}},
  {"id":"templates.update","method":"PATCH","path":"/api/projects/{project_code}/templates/{template_id}","about":"Changes, archives or restores a template.","answers":"template","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for."},"git_remote_name":{"kind":"text","about":"Git remote of its versions."},"archived":{"kind":"boolean","about":"true archives it, false restores it."},"disabled":{"kind":"boolean","about":"true: no new node and no new version of it."}}},
  {"id":"templates.delete","method":"DELETE","path":"/api/projects/{project_code}/templates/{template_id}","about":"Deletes a template that nothing has used."},
  {"id":"template_version.list","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}/versions","about":"List: A version of a template: a revision of its repository, and the commit that this stands for.","answers":"template_version","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"template_version.show","method":"GET","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"A version of a template: a revision of its repository, and the commit that this stands for.","answers":"template_version"},
  {"id":"template_versions.put","method":"PUT","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"Makes or changes a version of a template; its revision is fetched after the answer.","answers":"template_version","attributes":{"description":{"kind":"text","nullable":true},"git_rev":{"kind":"text","about":"Branch, tag or commit."},"locked":{"kind":"boolean","about":"Its commit never moves."},"float_git_rev":{"kind":"boolean","about":"It follows its branch or tag."},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"template_versions.delete","method":"DELETE","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}","about":"Deletes a version of a template that nothing has used."},
  {"id":"template_versions.assign_to_assets","method":"POST","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}/assign_to_assets","about":"Gives this version to assets of its template: to all that are named, or to none.","answers":"template_version","once":true,"attributes":{"asset_paths":{"kind":"list","required":true,"about":"Paths of assets, such as /projects/bank/environments/live/assets/web."}}},
  {"id":"template_versions.cancel_refresh","method":"POST","path":"/api/projects/{project_code}/templates/{template_id}/versions/{version}/cancel_refresh","about":"Cancels the fetching of a version, and the refresh of its actions.","answers":"template_version","once":true},
  {"id":"workflow_run.list_2","method":"GET","path":"/api/projects/{project_code}/workflow_runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow.list_2","method":"GET","path":"/api/projects/{project_code}/workflows","about":"List: Changes on several nodes, waits and other workflows in an order, in versions.","answers":"workflow","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"workflows.create","method":"POST","path":"/api/projects/{project_code}/workflows","about":"Makes a workflow, its first version a draft or published.","answers":"workflow","once":true,"attributes":{"code":{"kind":"text","required":true,"about":"What it is called in paths; never changes."},"name":{"kind":"text","required":true,"about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for."},"source_yaml":{"kind":"text","required":true,"about":"The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is."},"draft":{"kind":"boolean","about":"false publishes it at once, if nothing is wrong with it."}}},
  {"id":"workflows.validate","method":"POST","path":"/api/projects/{project_code}/workflows/validate","about":"The steps that a source comes to, its properties put in, or every fault with its line and column.","attributes":{"source_yaml":{"kind":"text","required":true,"about":"The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is."},"property_overrides":{"kind":"object","about":"As a run of it would have."}}},
  {"id":"workflow.show","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"Changes on several nodes, waits and other workflows in an order, in versions.","answers":"workflow"},
  {"id":"workflows.update","method":"PATCH","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"Changes, archives or restores a workflow; a source goes into its newest draft, or a new one.","answers":"workflow","attributes":{"name":{"kind":"text","about":"What people call it."},"description":{"kind":"text","nullable":true,"about":"What it is for."},"source_yaml":{"kind":"text","about":"The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is."},"draft":{"kind":"boolean","about":"false publishes it at once, if nothing is wrong with it."},"archived":{"kind":"boolean","about":"true archives it, false restores it."}}},
  {"id":"workflows.delete","method":"DELETE","path":"/api/projects/{project_code}/workflows/{workflow_code}","about":"Deletes a workflow that was never run; one that was is archived."},
  {"id":"workflow_run.list_3","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow_runs.create_of_workflow","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/runs","about":"Run this workflow","answers":"workflow_run","once":true,"attributes":{"version":{"kind":"integer","about":"A published version; without it the latest."},"property_overrides":{"kind":"object","about":"What is put over the properties of the project, for `{{path}}` in the workflow."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"skip_steps":{"kind":"list","about":"What to leave out."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"retry":{"kind":"boolean","about":"A retry of the run that relationships.workflow_run names: nothing else is needed."}}},
  {"id":"workflow_version.list","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions","about":"List: A version of a workflow: its source, and the steps that were read from it.","answers":"workflow_version","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"workflow_versions.create","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions","about":"Makes a new draft of a workflow.","answers":"workflow_version","once":true,"attributes":{"source_yaml":{"kind":"text","required":true,"about":"The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is."}}},
  {"id":"workflow_version.show","method":"GET","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}","about":"A version of a workflow: its source, and the steps that were read from it.","answers":"workflow_version"},
  {"id":"workflow_versions.update","method":"PATCH","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}","about":"Changes a draft; a published version never changes.","answers":"workflow_version","attributes":{"source_yaml":{"kind":"text","required":true,"about":"The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is."}}},
  {"id":"workflow_versions.publish","method":"POST","path":"/api/projects/{project_code}/workflows/{workflow_code}/versions/{version}/publish","about":"Publishes a draft: from here on it runs and never changes. Everything that is wrong with it is answered.","answers":"workflow_version","once":true},
  {"id":"properties.show","method":"GET","path":"/api/properties/{id}","about":"The properties that one owner states itself.","answers":"properties"},
  {"id":"properties.update","method":"PATCH","path":"/api/properties/{id}","about":"Replaces the document, or changes parts of it by a merge patch or a JSON Patch.","answers":"properties","patches":true,"attributes":{"data":{"kind":"object","required":true,"about":"The whole document."},"version":{"kind":"integer","about":"The version that this is meant to replace; another newest one is 409."}}},
  {"id":"properties.impact","method":"POST","path":"/api/properties/{id}/impact","about":"Which nodes’ converged properties would change, and how, if the document were this. Writes nothing.","query":{"after":{"kind":"text","about":"Looks at nodes behind this path, as `links.next` says."}},"attributes":{"data":{"kind":"object","required":true,"about":"The whole document as it would be."}}},
  {"id":"properties_version.list_2","method":"GET","path":"/api/properties/{id}/versions","about":"List: A version of properties, as it was in force for a time.","answers":"properties_version","lists":true,"query":{"exclude_data":{"kind":"boolean","about":"Without the documents themselves: only who wrote which, and when."}}},
  {"id":"properties_version.show_2","method":"GET","path":"/api/properties/{id}/versions/{version}","about":"A version of properties, as it was in force for a time.","answers":"properties_version"},
  {"id":"properties.restore","method":"POST","path":"/api/properties/{id}/versions/{version}/restore","about":"Makes a version the newest again.","answers":"properties","once":true},
  {"id":"properties_version.list","method":"GET","path":"/api/properties_versions","about":"List: A version of properties, as it was in force for a time.","answers":"properties_version","lists":true,"query":{"properties_id":{"kind":"text","required":true,"about":"Whose versions are listed: the id of the properties record."},"exclude_data":{"kind":"boolean","about":"Without the documents themselves: only who wrote which, and when."}}},
  {"id":"properties_version.show","method":"GET","path":"/api/properties_versions/{id}","about":"A version of properties, as it was in force for a time.","answers":"properties_version"},
  {"id":"readiness","method":"GET","path":"/api/readiness","about":"Answers 200 when the database is reachable and has its schema"},
  {"id":"scheduled_change.list","method":"GET","path":"/api/scheduled_activities","about":"List: What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change","lists":true,"named":{"mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it."}},
  {"id":"scheduled_activities.create","method":"POST","path":"/api/scheduled_activities","about":"Run an action, or a workflow, on the node that parent_path names whenever it is due","answers":"scheduled_change","once":true,"attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."},"parent_path":{"kind":"text","required":true,"about":"Path of a node: /projects/bank/assets/web."}}},
  {"id":"scheduled_activities.preview","method":"POST","path":"/api/scheduled_activities/preview","about":"When a schedule of these times would be due: the next five times, in its own time zone","attributes":{"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."}}},
  {"id":"scheduled_change.show","method":"GET","path":"/api/scheduled_activities/{id}","about":"What makes a change of a node, or a run of a workflow of a project, whenever it comes due.","answers":"scheduled_change"},
  {"id":"scheduled_activities.update","method":"PATCH","path":"/api/scheduled_activities/{id}","about":"Change a schedule, or enable it again","answers":"scheduled_change","attributes":{"action":{"kind":"text","about":"The action that its changes run."},"workflow_code":{"kind":"text","about":"Of a project, in the place of action: the workflow that its runs are of."},"version":{"kind":"integer","nullable":true,"about":"Published version of the workflow; default the latest."},"cron_schedule":{"kind":"text","nullable":true,"about":"When it is due: five fields, six with seconds first, or @daily and the like."},"run_at":{"kind":"time","nullable":true,"about":"When it is due, in the place of cron_schedule: once."},"time_zone":{"kind":"text","about":"IANA name of the zone whose clock the expression speaks of; default UTC."},"repeat":{"kind":"boolean","about":"Whether it comes due again; default true with cron_schedule."},"maximum_run_count":{"kind":"integer","nullable":true},"end_at":{"kind":"time","nullable":true,"about":"After this time it is not due any more."},"enabled":{"kind":"boolean","about":"Whether it makes anything; default true."},"new_commits_only":{"kind":"boolean","about":"Only when it has not used the commit of its revision."},"commit_file_patterns":{"kind":"list","about":"And only when that commit touches a file that is meant by these."},"commit_file_pattern_match":{"kind":"text","about":"By any of the patterns, or by all."},"allow_parallel_execution":{"kind":"boolean","about":"Also while an earlier one is at work; default false."},"git_remote_name":{"kind":"text","nullable":true,"about":"Of a project or environment: where its actions come from."},"git_rev":{"kind":"text","nullable":true,"about":"Of a project or environment: branch, tag or commit."},"template_version":{"kind":"text","nullable":true,"about":"Of an asset: another version of its template than the one it has."},"metadata":{"kind":"object","about":"Whatever helps to find its changes again."},"property_overrides":{"kind":"object","about":"The most specific layer of the properties of its changes."},"settings_overrides":{"kind":"object","about":"Settings for its changes alone."},"skip_steps":{"kind":"list"},"starting_step":{"kind":"text","nullable":true,"about":"Full path of the step to begin with."},"auto_continue_wait_steps":{"kind":"boolean","about":"Waits of its changes at which nobody has to be asked anything are over at once."},"build_without_cache":{"kind":"boolean","about":"Where its changes run in an image of their own, that is built anew."},"notify":{"kind":"object","nullable":true,"about":"Whom to tell of what becomes of it."}}},
  {"id":"scheduled_activities.delete","method":"DELETE","path":"/api/scheduled_activities/{id}","about":"Delete a schedule; the changes that it made stay"},
  {"id":"secrets.encrypt","method":"POST","path":"/api/secrets/encrypt","about":"Stores a secret of a node in the vault and answers the reference to write into properties.","attributes":{"node_path":{"kind":"text","required":true,"about":"The path of a node."},"path":{"kind":"text","required":true,"about":"Where it lies beneath the node."},"key":{"kind":"text","required":true,"about":"Its name there."},"value":{"kind":"text","required":true,"about":"The secret. Never answered nor recorded."}}},
  {"id":"secrets.resolve","method":"POST","path":"/api/secrets/resolve","about":"Answers a stored secret. Who did is recorded.","attributes":{"node_path":{"kind":"text","required":true,"about":"The path of a node."},"reference":{"kind":"text","required":true,"about":"secret://…"}}},
  {"id":"settings.show","method":"GET","path":"/api/settings/{id}","about":"The settings that one owner states itself.","answers":"settings"},
  {"id":"settings.update","method":"PATCH","path":"/api/settings/{id}","about":"Sets keys; null takes one away, so that it is inherited again.","answers":"settings","attributes":{"data":{"kind":"object","required":true,"about":"Setting names with dots as keys."},"version":{"kind":"integer","about":"The version that this is meant to replace; another newest one is 409."}}},
  {"id":"settings.replace","method":"PUT","path":"/api/settings/{id}","about":"Replaces all settings of the record.","answers":"settings","attributes":{"data":{"kind":"object","required":true,"about":"Setting names with dots as keys."},"version":{"kind":"integer","about":"The version that this is meant to replace; another newest one is 409."}}},
  {"id":"settings.impact","method":"POST","path":"/api/settings/{id}/impact","about":"Which nodes’ converged settings would change, and how, if the document were this. Writes nothing.","query":{"after":{"kind":"text","about":"Looks at nodes behind this path, as `links.next` says."}},"attributes":{"data":{"kind":"object","required":true,"about":"The whole document as it would be."}}},
  {"id":"settings_version.list_2","method":"GET","path":"/api/settings/{id}/versions","about":"List: A version of settings, as it was in force for a time.","answers":"settings_version","lists":true,"query":{"exclude_data":{"kind":"boolean","about":"Without the documents themselves: only who wrote which, and when."}}},
  {"id":"settings_version.show_2","method":"GET","path":"/api/settings/{id}/versions/{version}","about":"A version of settings, as it was in force for a time.","answers":"settings_version"},
  {"id":"settings.restore","method":"POST","path":"/api/settings/{id}/versions/{version}/restore","about":"Makes a version the newest again, its secrets included.","answers":"settings","once":true},
  {"id":"settings.schema","method":"GET","path":"/api/settings_schema","about":"The catalogue of settings as JSON Schema."},
  {"id":"settings_version.list","method":"GET","path":"/api/settings_versions","about":"List: A version of settings, as it was in force for a time.","answers":"settings_version","lists":true,"query":{"settings_id":{"kind":"text","required":true,"about":"Whose versions are listed: the id of the settings record."},"exclude_data":{"kind":"boolean","about":"Without the documents themselves: only who wrote which, and when."}}},
  {"id":"settings_version.show","method":"GET","path":"/api/settings_versions/{id}","about":"A version of settings, as it was in force for a time.","answers":"settings_version"},
  {"id":"step.list","method":"GET","path":"/api/steps","about":"List: One step of a change: an action, a stage, a wait or an input.","answers":"step","lists":true,"named":{"for_change":"The steps of this change.","with_input_arguments":"Steps that wait for input.","without_input_arguments":"Waiting steps that ask for nothing.","mine":"Steps of changes that the caller made.","waiting_for_user":"Steps that wait for somebody to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may let go on."}},
  {"id":"step.show","method":"GET","path":"/api/steps/{id}","about":"One step of a change: an action, a stage, a wait or an input.","answers":"step"},
  {"id":"steps.approve","method":"POST","path":"/api/steps/{id}/approve","about":"Approve a step that waits for approval: with the last one that its rules ask for, it goes on","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"artefact.list_2","method":"GET","path":"/api/steps/{id}/artefacts","about":"List: A file that a step left to be kept.","answers":"artefact","lists":true},
  {"id":"steps.bodies","method":"GET","path":"/api/steps/{id}/bodies","about":"What an action of the same commit runs, with what it needs first: for the step, which runs it in itself.","query":{"action":{"kind":"text","required":true,"about":"Name of the action."}}},
  {"id":"steps.catalogue","method":"GET","path":"/api/steps/{id}/catalogue","about":"The actions of the model of a step's asset, for the step: none where it has no model that is right."},
  {"id":"steps.continue","method":"POST","path":"/api/steps/{id}/continue","about":"Let a step go on that waits for nobody’s approval, with values for what it asks for","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."},"input_arguments":{"kind":"object","about":"Values for what an input step asks for, by the names of its arguments."}}},
  {"id":"steps.converged_properties","method":"GET","path":"/api/steps/{id}/converged_properties","about":"The properties that a step was given when it began."},
  {"id":"steps.converged_settings","method":"GET","path":"/api/steps/{id}/converged_settings","about":"The settings that the change of a step was made with."},
  {"id":"steps.email","method":"POST","path":"/api/steps/{id}/email","about":"Sends a mail for the step, by the mail server of the installation: once for each Idempotency-Key.","once":true,"attributes":{"to":{"kind":"list","required":true,"about":"Whom it is for."},"cc":{"kind":"list","about":"Who gets a copy."},"bcc":{"kind":"list","about":"Who gets a copy, unseen by the others."},"reply_to":{"kind":"list","about":"Where answers go."},"subject":{"kind":"text","required":true,"about":"one line of 1 to 500 characters, without line breaks and control characters"},"text":{"kind":"text","about":"What it says; this or `html`, or both."},"html":{"kind":"text","about":"The same as HTML."},"attachments":{"kind":"list","about":"Files of 5 MiB together at most."}}},
  {"id":"steps.forget_secrets","method":"POST","path":"/api/steps/{id}/forget_secrets","about":"Erases a secret of the step's node, or all that lie under a path, for the step.","once":true,"attributes":{"path":{"kind":"text","required":true,"about":"Where it lies beneath the node of the change."},"key":{"kind":"text","about":"Its name there."}}},
  {"id":"steps.git_clone","method":"GET","path":"/api/steps/{id}/git_clone","about":"The files of a revision of a Git remote of the step's project, as tar; from the copy where it cannot be fetched.","query":{"git_remote_name":{"kind":"text","required":true,"about":"Name of the Git remote."},"git_rev":{"kind":"text","required":true,"about":"A branch, tag or commit of it."}}},
  {"id":"log_line.list_3","method":"GET","path":"/api/steps/{id}/log_lines","about":"List: A line that a step has written.","answers":"log_line","lists":true,"query":{"include_child_steps":{"kind":"boolean","about":"Whether the lines of all steps beneath are listed too."}}},
  {"id":"steps.reject","method":"POST","path":"/api/steps/{id}/reject","about":"Reject a step that waits for approval: what runs beside it runs to its end, and all the rest is aborted","answers":"step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"steps.secret","method":"POST","path":"/api/steps/{id}/secret","about":"A secret of the step's node, for the step: made at random the first time that it is asked for.","attributes":{"path":{"kind":"text","required":true,"about":"Where it lies beneath the node of the change."},"key":{"kind":"text","required":true,"about":"Its name there."},"length":{"kind":"integer","about":"Characters; 32 unless said."},"characters":{"kind":"text","about":"Of which it is made; letters and digits unless said."},"make":{"kind":"boolean","about":"False: one that there is not is not made."}}},
  {"id":"steps.waiting_reason","method":"GET","path":"/api/steps/{id}/waiting_reason","about":"Why a step does not go on."},
  {"id":"system_configuration.show","method":"GET","path":"/api/system_configuration","about":"The installation’s configuration: its settings are a relationship of it."},
  {"id":"token.list","method":"GET","path":"/api/tokens","about":"List: A bearer token that its owner made. Its secret is shown once, when it is made. Superusers see everyone’s.","answers":"token","lists":true,"named":{"mine":"Those that the caller made."}},
  {"id":"tokens.create","method":"POST","path":"/api/tokens","about":"Makes a bearer token with the caller’s rights. The secret is in meta.token, now and never again.","answers":"token","attributes":{"description":{"kind":"text","required":true,"about":"What it is for."},"expires_at":{"kind":"text","required":true,"about":"When it stops working (ISO 8601)."}}},
  {"id":"sessions.create","method":"POST","path":"/api/tokens/session","about":"Begins a session with HTTP Basic. The cookie that it sets signs in; requests with it that write carry meta.csrf_token as X-CSRF-Token."},
  {"id":"sessions.delete","method":"DELETE","path":"/api/tokens/session","about":"Ends the session that asks; its cookie is worth nothing from the next request on."},
  {"id":"token.show","method":"GET","path":"/api/tokens/{id}","about":"A bearer token that its owner made. Its secret is shown once, when it is made. Superusers see everyone’s.","answers":"token"},
  {"id":"tokens.delete","method":"DELETE","path":"/api/tokens/{id}","about":"Revokes a token of the caller’s, or, by a superuser, anyone’s; it stops working with the next request."},
  {"id":"user.list","method":"GET","path":"/api/users","about":"List: Someone who may sign in: a local user, or one of the directory.","answers":"user","lists":true},
  {"id":"users.create","method":"POST","path":"/api/users","about":"Makes a local user.","answers":"user","once":true,"attributes":{"username":{"kind":"text","required":true,"about":"The name to sign in with; never changes."},"password":{"kind":"text","required":true,"about":"Of at least 12 characters. Never answered."},"display_name":{"kind":"text","nullable":true,"about":"How people call them."},"email_address":{"kind":"text","nullable":true,"about":"Where their mail goes."},"disabled":{"kind":"boolean","about":"Whether signing in is refused."}}},
  {"id":"user.show","method":"GET","path":"/api/users/{username}","about":"Someone who may sign in: a local user, or one of the directory.","answers":"user"},
  {"id":"users.update","method":"PATCH","path":"/api/users/{username}","about":"Changes a user: a superuser anyone, everyone themselves. One’s own password needs the current one.","answers":"user","attributes":{"password":{"kind":"text","about":"Of at least 12 characters. Never answered."},"current_password":{"kind":"text","about":"With a new password of one’s own."},"display_name":{"kind":"text","nullable":true,"about":"How people call them."},"email_address":{"kind":"text","nullable":true,"about":"Where their mail goes."},"disabled":{"kind":"boolean","about":"Whether signing in is refused."}}},
  {"id":"users.delete","method":"DELETE","path":"/api/users/{username}","about":"Deletes a user and revokes their tokens. The name is not given again."},
  {"id":"workflow_run.list","method":"GET","path":"/api/workflow_runs","about":"List: A run of a version of a workflow, as a tree of steps.","answers":"workflow_run","lists":true,"named":{"active":"Those that have not ended.","finished":"Those that have ended.","waiting_for_me":"Those of which a step waits for the caller (the filter of steps).","mine":"Those that the caller made.","under":"Those of the node with this path, such as /projects/bank, and of everything beneath it.","active_over":"Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended."}},
  {"id":"workflow_runs.create","method":"POST","path":"/api/workflow_runs","about":"Run a workflow, or try a run again that did not succeed","answers":"workflow_run","once":true,"attributes":{"version":{"kind":"integer","about":"A published version; without it the latest."},"property_overrides":{"kind":"object","about":"What is put over the properties of the project, for `{{path}}` in the workflow."},"metadata":{"kind":"object","about":"Whatever helps to find it again."},"skip_steps":{"kind":"list","about":"What to leave out."},"notify":{"kind":"object","about":"Whom to tell of what becomes of it."},"run_at":{"kind":"time","about":"It does not start before this time."},"retry":{"kind":"boolean","about":"A retry of the run that relationships.workflow_run names: nothing else is needed."},"parent_path":{"kind":"text","about":"Path of the project: /projects/bank."},"workflow_code":{"kind":"text","about":"Code of the workflow."}}},
  {"id":"workflow_run.show","method":"GET","path":"/api/workflow_runs/{id}","about":"A run of a version of a workflow, as a tree of steps.","answers":"workflow_run"},
  {"id":"workflow_runs.cancel","method":"DELETE","path":"/api/workflow_runs/{id}","about":"Cancel a run and what it has made: what runs is stopped, what has not begun never does","query":{"purge":{"kind":"boolean","about":"Deletes a run that has ended for good. What it made stays."}}},
  {"id":"workflow_runs.live","method":"GET","path":"/api/workflow_runs/{id}/live","about":"A run as it goes on: its steps, log lines and events","query":{"log_lines":{"kind":"boolean","about":"Whether log lines are sent too. They are, unless this is false."}}},
  {"id":"log_line.list_4","method":"GET","path":"/api/workflow_runs/{id}/log_lines","about":"List: A line that a step has written.","answers":"log_line","lists":true},
  {"id":"workflow_runs.pause","method":"POST","path":"/api/workflow_runs/{id}/pause","about":"Pause a run and what it has made: what runs ends, and nothing else begins until it is resumed","answers":"workflow_run","once":true,"attributes":{"reason":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"workflow_runs.resume","method":"POST","path":"/api/workflow_runs/{id}/resume","about":"Let a paused run and what it has made go on","answers":"workflow_run","once":true,"attributes":{"reason":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"workflow_step.list_2","method":"GET","path":"/api/workflow_runs/{id}/steps","about":"List: One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step","lists":true,"named":{"for_workflow_run":"The steps of this run.","mine":"Steps of runs that the caller made.","waiting_for_user":"Steps that wait for somebody to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may let go on."}},
  {"id":"workflow_runs.waiting_reason","method":"GET","path":"/api/workflow_runs/{id}/waiting_reason","about":"Why a workflow run does not go on."},
  {"id":"workflow_step.list","method":"GET","path":"/api/workflow_steps","about":"List: One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step","lists":true,"named":{"for_workflow_run":"The steps of this run.","mine":"Steps of runs that the caller made.","waiting_for_user":"Steps that wait for somebody to approve or to continue them.","waiting_for_me":"Steps that wait for an approval that the caller may give, and waits that the caller may let go on."}},
  {"id":"workflow_step.show","method":"GET","path":"/api/workflow_steps/{id}","about":"One step of a workflow run: a change, a wait or approval, another workflow, or a stage.","answers":"workflow_step"},
  {"id":"workflow_steps.approve","method":"POST","path":"/api/workflow_steps/{id}/approve","about":"Approve a step that waits for approval: with the last one that its rules ask for, it goes on","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"workflow_steps.continue","method":"POST","path":"/api/workflow_steps/{id}/continue","about":"Let a step go on that waits for nobody’s approval","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"log_line.list_5","method":"GET","path":"/api/workflow_steps/{id}/log_lines","about":"List: A line that a step has written.","answers":"log_line","lists":true},
  {"id":"workflow_steps.reject","method":"POST","path":"/api/workflow_steps/{id}/reject","about":"Reject a step that waits for approval: what runs beside it runs to its end, and all the rest is aborted","answers":"workflow_step","once":true,"attributes":{"message":{"kind":"text","about":"Why, for whoever reads it later."}}},
  {"id":"workflow.list","method":"GET","path":"/api/workflows","about":"List: Changes on several nodes, waits and other workflows in an order, in versions.","answers":"workflow","lists":true,"named":{"mine":"Those that the caller made."}},
]
