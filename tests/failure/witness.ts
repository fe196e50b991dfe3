import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Witness of the events, written by the actions themselves and not by our tables: each attempt of a step appends a line
 * when it begins, while it runs and when it ends, each by one write to the end of the file. So the file's order is the
 * order of the events.
 */
export interface Seen {
  readonly step: string
  readonly attempt: number
  readonly what: 'start' | 'tick' | 'end'
  readonly pid: number
}

export function newWitness(file: string): string {
  writeFileSync(file, '')
  // The steps' user writes it.
  chmodSync(file, 0o666)
  mkdirSync(`${file}.marks`)
  chmodSync(`${file}.marks`, 0o777)
  return file
}

export function readWitness(file: string): Seen[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [step, attempt, what, pid] = line.split(' ') as [string, string, Seen['what'], string]
      return { step, attempt: Number(attempt), what, pid: Number(pid) }
    })
}

/** Number of children of a step that adds some, once its body has ended well. */
export const withAddedSteps: Readonly<Record<string, number>> = { adding: 3, 'program that adds': 3 }

/** Fails in the first change with its mark, and not in a retry of that. */
export const failsOnce = 'failing once'

/** Lines that a step prints: half before it reports that it runs, half after. */
export const linesOf: Readonly<Record<string, number>> = { talk: 500 }
export const usualLines = 6

const script = `
say() { echo "$SLUICE_STEP_ID $SLUICE_ATTEMPT $1 $$" >>"$WITNESS"; }
print() { for ((n = $1; n <= $2; n++)); do echo "line $n"; done; }
lines=\${COUNT:-${usualLines}}
say start
print 1 $((lines / 2))
for ((t = 0; t < SPAN; t++)); do say tick; sleep 0.02; done
print $((lines / 2 + 1)) $lines
say end
`

const program = `
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action, type Step } from '@sluice/actions'

async function witnessed(step: Step): Promise<void> {
  const { SLUICE_STEP_ID: id, SLUICE_ATTEMPT: attempt } = process.env
  const { witness, span } = step.properties as { witness: string; span: number }
  const say = (what: string) => appendFileSync(witness, [id, attempt, what, process.pid].join(' ') + '\\n')
  const print = (from: number, to: number) => {
    for (let n = from; n <= to; n++) console.log('line ' + n)
  }
  say('start')
  print(1, 3)
  for (let tick = 0; tick < span; tick++) {
    say('tick')
    await pause(20)
  }
  print(4, 6)
  say('end')
}

action('program', {}, witnessed)
action('program that adds', { description: 'Adds steps beneath its own', steps: ['one'] }, async step => {
  step.appendSteps('left', 'last')
  await witnessed(step)
})
`

const witnessed = (more = '') => `{ env: { WITNESS: "{{ witness }}", SPAN: "{{ span }}"${more} }, run: . ./step.sh }`

const actions = `
actions:
  tree:
    description: In sequence and at once; scripts, one that prints much, and a program
    steps: [one, { name: At once, run_as: parallel, steps: [left, right, talk] }, program, last]
  short: { description: Two steps, steps: [one, last] }
  waiting: { description: A wait between two steps, steps: [one, { wait: A moment, seconds: 1 }, last] }
  asking:
    description: Asks between two steps
    steps: [one, { input: Say what, arguments: [{ name: what, type: integer }] }, last]
  keeping: { description: Leaves a file, steps: [file, last] }
  adding:
    description: Adds steps beneath its own and runs all of them at once
    env: { WITNESS: "{{ witness }}", SPAN: "{{ span }}" }
    run: |
      . ./step.sh
      cat >"$SLUICE_STEP_RESULT" <<'JSON'
      {"child_steps": ["left", {"name": "More", "steps": ["right", "talk"]}], "child_execution_strategy": "parallel"}
      JSON
    steps: [one]
  growing: { description: Adds steps between others, steps: [one, adding, program that adds, last] }
  retried: { description: Fails once in the middle, steps: [one, ${failsOnce}, adding, last] }
  ${failsOnce}:
    env: { WITNESS: "{{ witness }}", SPAN: "{{ span }}", MARK: "{{ mark }}" }
    run: . ./step.sh; ! mkdir "$WITNESS.marks/$MARK"
  lingering: { description: Goes on until it is cancelled, steps: [long] }
  one: ${witnessed()}
  left: ${witnessed()}
  right: ${witnessed()}
  talk: ${witnessed(', COUNT: "500"')}
  last: ${witnessed()}
  long: { env: { WITNESS: "{{ witness }}", SPAN: "3000" }, run: . ./step.sh }
  file:
    env: { WITNESS: "{{ witness }}", SPAN: "{{ span }}" }
    run: |
      echo kept >"$SLUICE_ARTEFACTS/kept"
      . ./step.sh
`

/** Repository with the same actions for assets, in the template `w`, and at the root, for changes on an environment. */
export const witnessRepository: Readonly<Record<string, string>> = {
  'actions.yaml': actions,
  'actions.ts': program,
  'step.sh': script,
  'w/actions.yaml': actions,
  'w/actions.ts': program,
  'w/step.sh': script,
}
