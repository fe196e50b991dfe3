import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { statusWords } from '#gui/messages/general.ts'
import { eventLevel, eventTitle } from '#gui/pages/audit/event-words.ts'
import { catalogue } from '../../src/domain/events/index.ts'
import { reportedStatuses } from '../../src/domain/steps/rules/states.ts'
import { projectFolder } from '../support/database-server.ts'

const read = (file: string): string => readFileSync(join(projectFolder, 'gui', file), 'utf8')

test('each status has an icon of its own, a word, and colours for text, ground and bar', () => {
  const [icons, classes, tokens] = [
    read('components/status/status.tsx'),
    read('components/status/status.module.css'),
    read('styles/tokens.css'),
  ]
  const shapes = new Map<string, string>()
  for (const status of reportedStatuses) {
    const icon = new RegExp(`^  ${status}: (\\w+),$`, 'm').exec(icons)?.[1]
    assert.ok(icon, `icon of ${status} in status.tsx`)
    // Before it is in progress a step looks the same, whether it is prepared or not.
    if (status !== 'initializing') assert.equal(shapes.get(icon), undefined, `${status} has the icon of another status`)
    if (status !== 'initializing') shapes.set(icon, status)
    assert.ok(Object.hasOwn(statusWords, status), `word of ${status} in messages/general.ts`)
    const name = status === 'running' ? 'isRunning' : status
    assert.ok(classes.includes(`\n.${name} {`), `colour of ${status} in status.module.css`)
    assert.ok(classes.includes(`\n.badge.${name} {`), `ground of ${status} in status.module.css`)
    for (const use of ['', '-ground', '-bar']) assert.ok(tokens.includes(`--${status}${use}: `), `--${status}${use}`)
  }
  assert.deepEqual(Object.keys(statusWords).toSorted(), [...reportedStatuses].toSorted())
})

test('each type of event has a title in words, and an icon with words if something is wrong', () => {
  const levels = levelsWithIcon()
  const titles = new Map<string, string[]>()
  for (const type of Object.keys(catalogue)) {
    const title = eventTitle(type)
    assert.match(title, /^[A-Z][^:_]*$/, `${type}: ${title}`)
    assert.ok(title.split(' ').length >= 2, `${type}: ${title}`)
    const level = eventLevel(type)
    const shown = `${title} (${level})`
    titles.set(shown, [...(titles.get(shown) ?? []), type])
    if (level !== undefined) assert.ok(levels.includes(level), `icon of ${type}: ${level}`)
    if (/^(error|warn|warning|audit):/.test(type)) assert.notEqual(level, undefined, type)
    // Colour and icon are not enough to tell a failure from a success.
    if (level === 'error') assert.match(title, /fail|broken|error|cannot|could not|not found/, `${type}: ${title}`)
  }
  // A table of events tells them by their icons and titles.
  assert.deepEqual(
    [...titles].filter(([, types]) => types.length > 1),
    [],
  )
})

/** Levels that have an icon. */
function levelsWithIcon(): string[] {
  const icons = /const icons = \{([^}]+)\}/.exec(read('pages/audit/event-columns.tsx'))?.[1] ?? ''
  return [...icons.matchAll(/(\w+):/g)].map(([, level = '']) => level)
}
