import { isOneLine, shownNamePattern } from '#platform/display-name.ts'
import { revisionFault, revisionPattern } from '../revision.ts'
import { startTimeFault, startTimePattern } from './start-time.ts'

const code = '[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?'
const below = `environments/${code}(?:/assets/${code})?|assets/${code}`
const patterns = {
  targets: `^(?:/projects/${code}(?:/(?:${below}))?|${below}|\\.)$`,
  workflow: `^${code}$`,
}
const regexps = { targets: new RegExp(patterns.targets), workflow: new RegExp(patterns.workflow) }
const longest = { text: 255, version: 100 } as const

const text =
  (what: string, most: number = longest.text) =>
  (value: string): string | undefined => {
    if (value.trim() === '') return `${what} is empty.`
    if (value.length > most) return `${what} has more than ${most} characters.`
    return isOneLine(value) ? undefined : `${what} must be one line, without control characters and marks of direction.`
  }

/**
 * Checks a text of a step. Returns the fault, or undefined. Texts without placeholders are checked as they are written,
 * the others once their properties are inserted.
 */
export const textRules = {
  name: text('"name"'),
  action: value => text('"action"')(value) ?? (value.includes('/') ? 'The name of an action holds no "/".' : undefined),
  targets: value =>
    regexps.targets.test(value)
      ? undefined
      : `A target is the path of a node, such as assets/web, environments/live, /projects/bank/assets/web, or "." for the project; not "${shortened(value)}".`,
  template_versions: text('"template_version"', longest.version),
  git_remote_name: text('"git_remote_name"'),
  git_rev: value => text('"git_rev"')(value) ?? revisionFault(value),
  start_time: startTimeFault,
  workflow: value =>
    regexps.workflow.test(value)
      ? undefined
      : `The target of a workflow is the code of one, such as release; not "${shortened(value)}".`,
  user_names: text('A name'),
  ldap_groups: text('A name'),
} as const satisfies Record<string, (value: string) => string | undefined>

export type RuledText = keyof typeof textRules

const shown = (most: number = longest.text) => ({ maxLength: most, pattern: shownNamePattern })

/** The rules of texts without placeholders as JSON Schema, as far as it can express them. */
export const textSchemas: Readonly<Record<RuledText, object>> = {
  name: shown(),
  action: { ...shown(), not: { pattern: '/' } },
  targets: { pattern: patterns.targets },
  template_versions: shown(longest.version),
  git_remote_name: shown(),
  git_rev: { maxLength: longest.text, pattern: revisionPattern },
  start_time: { pattern: startTimePattern },
  workflow: { pattern: patterns.workflow },
  user_names: shown(),
  ldap_groups: shown(),
}

const shortened = (value: string): string => (value.length > 80 ? `${value.slice(0, 79)}…` : value)

/** The node path of a target. */
export function absolutePath(written: string, projectPath: string): string {
  if (written === '.') return projectPath
  return written.startsWith('/') ? written : `${projectPath}/${written}`
}
