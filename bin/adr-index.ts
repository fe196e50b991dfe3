import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * docs/adr/README.md: the decisions by number and by subject. `node bin/adr-index.ts` writes it; a test compares it.
 */
export const indexFile = join(import.meta.dirname, '../docs/adr/README.md')

type Decision = { readonly number: number; readonly title: string; readonly file: string; readonly subjects: string[] }

/** The subjects that a decision may name, in the order of the index. */
export const subjects = [
  'access rights',
  'actions and properties',
  'API',
  'approvals',
  'audit trail',
  'background work',
  'change execution',
  'code structure',
  'command line',
  'database',
  'fairness and limits',
  'Git',
  'JSON and YAML',
  'lists',
  'logs',
  'operations',
  'performance',
  'runners',
  'schedules',
  'secrets',
  'security',
  'sign-in',
  'tools',
  'web application',
  'workflows',
]

/** The decisions in the order of their numbers, from the first lines of their files. */
export function decisions(): Decision[] {
  const files = globSync('[0-9]*.md', { cwd: join(indexFile, '..') }).sort()
  return files.map(file => {
    const [title = '', , second = ''] = readFileSync(join(indexFile, '..', file), 'utf8').split('\n')
    const named = second.match(/^Subjects: (.+)$/)?.[1]?.split(', ') ?? []
    const unknown = named.filter(name => !subjects.includes(name))
    if (named.length === 0 || unknown.length > 0)
      throw new Error(
        `docs/adr/${file}: the third line must be "Subjects: …" with one or more of: ${subjects.join(', ')}` +
          (unknown.length > 0 ? `. Unknown: ${unknown.join(', ')}` : ''),
      )
    return { number: Number.parseInt(title.slice(2), 10), title: title.slice(2), file: basename(file), subjects: named }
  })
}

export function adrIndex(): string {
  const all = decisions()
  const bySubject = subjects
    .map(subject => ({ subject, about: all.filter(each => each.subjects.includes(subject)) }))
    .filter(({ about }) => about.length > 0)
  return `<!-- Made by bin/adr-index.ts from the first lines of the files; edit those, then run it. -->
# Architecture decision records

One file for each decision that is likely to be questioned: background, decision, an example, and the conditions under
which to reverse it. Figures come from measurements on a machine with two cores and a fast disk in November 2026; compare
the ratios, not the absolute numbers. A decision that has been replaced, wholly or in part, keeps its file, with a line at
the top that names its replacement.

## By number

${all.map(link).join('\n')}

## By subject

${bySubject.map(({ subject, about }) => `### ${heading(subject)}\n\n${about.map(link).join('\n')}`).join('\n\n')}
`
}

const link = ({ title, file }: Decision): string => `* [${title}](${file})`

const heading = (subject: string): string => subject.charAt(0).toUpperCase() + subject.slice(1)

if (process.argv[1] === import.meta.filename) writeFileSync(indexFile, adrIndex())
