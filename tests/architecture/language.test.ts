import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/database-server.ts'
import { sourceTexts } from './source-texts.ts'

const folders = 'actions audit authoring bench bin cli client json protocol runner src tests'.split(' ')
const files = globSync(`{${folders}}/**/*.ts`, {
  cwd: projectFolder,
  exclude: name => name === 'node_modules' || name === 'generated',
})

/**
 * Beginnings that make no sense in a tooltip: pronouns without a noun, prepositions, clauses in "what" or `whoever`,
 * and verbs without a subject that describe a state.
 */
const dangling = new RegExp(
  `^(${[
    'Of|What|Whatever|Who|Whoever|Whom|Whose|Which|Whichever|Where|When|How|As',
    '(?:By|For|From|First|In|On|Only|To|Under|With) (?:what|which|who|whom|whose)',
    'It|Its|They|Them|Their|He|This|That|These|Those|Such|Both|There',
    'The same|Same|So|So many|So few|Like',
    'None|Nobody|Nothing|Somebody|Others|Each of them|From it|In it|To it|With it|On it',
    'In|For|From|By|With|Without|To|Before|After|On|At|Between|Beside|Since|Left|Told|Said|Held|Given|Made',
    'Is|Has|Had|Was|Not|Or|And|Also|Too|Then|Once|Instead|Until|After that|By then',
  ].join('|')})(?![\\w-])`,
)

test('a doc comment begins with what the thing is or does', () => {
  const offenders = files.flatMap(file =>
    sourceTexts(readFileSync(join(projectFolder, file), 'utf8'))
      .filter(({ kind, text }) => kind === 'doc comment' && dangling.test(text))
      .map(({ line, text }) => `${file}:${line}: ${text.slice(0, 80)}`),
  )
  assert.deepEqual(offenders, [])
})

/** Words of a dialect that an engineer has to translate. Code in backticks does not count. */
const dialect = new RegExp(
  `\\b(?:${[
    'foretell|foretold|whoever|whomever|nobody|somebody|anybody|beneath|so many|anew|for ever|in vain',
    '(?:is|are|was|were|be|been|being) told(?! apart)|told of',
    'stands?(?! for\\b|-)|lies?|go(?:es|ing|ne)? on|went on|carr(?:y|ies|ied) (?:\\w+ )?on',
    'taken for|held against|passed (?:over|by)',
  ].join('|')})\\b`,
  'i',
)

test('comments and texts use common words', () => {
  const offenders = files.flatMap(file =>
    sourceTexts(readFileSync(join(projectFolder, file), 'utf8'))
      .filter(({ kind }) => kind !== 'text' || !(file.endsWith('.test.ts') || file.startsWith('tests/')))
      .flatMap(({ line, text }) => {
        const [word] = dialect.exec(text.replaceAll(/`[^`]*`/g, '')) ?? []
        return word === undefined ? [] : [`${file}:${line}: ${word}`]
      }),
  )
  assert.deepEqual(offenders, [])
})

/** Sentence that begins with a clause or with "of", so that its subject comes late. `Of course` is fine. */
const lateSubject = /(?:^|[.:;!?] )(?:What|Whatever|Who|Whoever|Whom|Whose|Of(?! course))\b[^.?]*/

test('sentences of comments begin with their subject', () => {
  const offenders = files.flatMap(file =>
    sourceTexts(readFileSync(join(projectFolder, file), 'utf8'))
      .filter(({ kind }) => kind !== 'text')
      .flatMap(({ line, text }) => {
        const [sentence] = lateSubject.exec(text.replaceAll(/`[^`]*`/g, '')) ?? []
        return sentence === undefined ? [] : [`${file}:${line}: ${sentence.slice(0, 60)}`]
      }),
  )
  assert.deepEqual(offenders, [])
})

/** Words of the same dialect in names. Generated ones follow the API. */
const dialectInNames = /\b\w*(?:[bB]eneath|[pP]atien|[fF]oretell|[fF]oretold|[iI]nVain|[wW]hoSays|[sS]tandsAs)\w*/

test('names use common words', () => {
  const offenders = files
    .filter(file => !(file.endsWith('.test.ts') || file.startsWith('tests/')))
    .flatMap(file =>
      readFileSync(join(projectFolder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const [name] = dialectInNames.exec(line) ?? []
          return name === undefined ? [] : [`${file}:${index + 1}: ${name}`]
        }),
    )
  assert.deepEqual(offenders, [])
})
