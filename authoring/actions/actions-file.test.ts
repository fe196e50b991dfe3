import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultText } from '../files/file-fault.ts'
import type { ActionCatalogue } from './action.ts'
import { actionObjects, type StepDefinition, stepTree } from './action-tree.ts'
import { readActionsFile } from './actions-file.ts'

const read = (text: string): ActionCatalogue => {
  const answer = readActionsFile('web/actions.yaml', Buffer.from(text))
  assert.ok('actions' in answer, JSON.stringify(answer))
  return answer
}
const faults = (text: string): string[] => {
  const answer = readActionsFile('web/actions.yaml', Buffer.from(text))
  assert.ok('faults' in answer, 'it was taken')
  return answer.faults.map(faultText)
}

const whole = `
actions:
  deploy:
    description: Roll the release out
    needs: [check_disk]
    run: ./bin/deploy --version "$VERSION"
    env: { VERSION: "{{ release.version }}", RETRIES: 3, DRY: false }
    timeout_seconds: 900
    run_as: sequential
    steps:
      - stop
      - { name: Install everywhere, run_as: parallel, steps: [install_app, install_db] }
      - { wait: Check the dashboard, approvers: { ldap_groups: [release-managers] } }
      - { wait: Let caches settle, seconds: 30 }
      - { input: Choose a colour, arguments: [{ name: colour, path: /release, valid_values: [blue, green], default_value: blue }] }
      - start
  check_disk: { run: df }
  stop: { run: ./stop, shell: sh, ignore_failure: true }
  start: { run: print(1), shell: python3, description: Start it }
  install_app: { run: "true", shell: [perl, -w] }
  install_db: { run: "true", needs: [check_disk] }
`

test('everything that an action can be written as is understood', () => {
  const { actions } = read(whole)
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['deploy', 'check_disk', 'stop', 'start', 'install_app', 'install_db'],
  )
  const [deploy, , stop, start, app] = actions
  assert.deepEqual(deploy, {
    action: 'deploy',
    step_name: 'deploy',
    description: 'Roll the release out',
    needs: ['check_disk'],
    run: './bin/deploy --version "$VERSION"',
    interpreter: ['bash', '-euo', 'pipefail'],
    env: { VERSION: '{{ release.version }}', RETRIES: '3', DRY: 'false' },
    timeout_seconds: 900,
    ignore_failure: false,
    run_as: 'sequential',
    steps: [
      { kind: 'action', action: 'stop' },
      {
        kind: 'stage',
        name: 'Install everywhere',
        description: null,
        steps: [
          { kind: 'action', action: 'install_app' },
          { kind: 'action', action: 'install_db' },
        ],
        run_as: 'parallel',
        ignore_failure: false,
      },
      {
        kind: 'wait',
        name: 'Check the dashboard',
        description: null,
        steps: [],
        seconds: null,
        until: null,
        approvers: { user_names: [], ldap_groups: ['release-managers'], required_approvals: 1 },
      },
      {
        kind: 'wait',
        name: 'Let caches settle',
        description: null,
        steps: [],
        seconds: 30,
        until: null,
        approvers: null,
      },
      {
        kind: 'input',
        name: 'Choose a colour',
        description: null,
        steps: [],
        arguments: [
          {
            name: 'colour',
            type: 'string',
            required: false,
            sensitive: false,
            path: '/release',
            default_value: 'blue',
            valid_values: ['blue', 'green'],
          },
        ],
      },
      { kind: 'action', action: 'start' },
    ],
  })
  assert.deepEqual([stop?.interpreter, stop?.ignore_failure], [['sh', '-eu'], true])
  assert.deepEqual([start?.interpreter, app?.interpreter], [['python3'], ['perl', '-w']])
})

test('all faults of a file are told at once, each with its place', () => {
  assert.deepEqual(
    faults(`actions:
  deploy:
    desciption: x
    run: 5
    timeout_seconds: 0
    run_as: both
    steps: stop
  stop:
    run: ./stop
    shell: zsh
    env: { "1x": a, B: [1] }
`),
    [
      'web/actions.yaml:3:5: Unknown key "desciption"; did you mean "description"?',
      'web/actions.yaml:4:10: "run" is a text: put quotes around it.',
      'web/actions.yaml:5:22: "timeout_seconds" is a whole number from 1 to 31536000.',
      'web/actions.yaml:6:13: "run_as" is sequential or parallel.',
      'web/actions.yaml:7:12: "steps" is a list.',
      'web/actions.yaml:10:12: "shell" is one of bash, sh, python3, node, or a list: a program and its arguments.',
      'web/actions.yaml:11:12: "1x" is no name of an environment variable.',
      'web/actions.yaml:11:24: The value of "B" is a text, a number, true or false.',
    ],
  )
})

test('an action may have its standard error in the standard output, and nothing else is said by "stderr"', async () => {
  const { actions } = read(`actions:
  a: { run: "echo 1; echo 2 >&2; echo 3", stderr: merged }
  b: { run: "echo 1", stderr: separate, shell: sh }
`)
  const [merged, separate] = actions.map(({ interpreter }) => interpreter)
  assert.deepEqual(separate, ['sh', '-eu'])
  const [program, ...before] = merged!
  const written = (run: string) =>
    spawnSync(program!, [...before, '-c', run, 'it'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const order = 'for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done; exit 7'
  const { stdout, stderr, status } = written(order)
  assert.deepEqual([stdout, stderr, status], ['out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n', '', 7])
  assert.deepEqual(faults('actions:\n  a: { run: x, stderr: both }\n  b: { steps: [a], stderr: merged }\n'), [
    'web/actions.yaml:2:24: "stderr" is "separate" (the default) or "merged" (into the standard output, in order).',
    'web/actions.yaml:3:28: "stderr" says where the standard error of the body goes, and there is no "run".',
  ])
})

test('a name that no action has is refused, with the one that was probably meant', () => {
  assert.deepEqual(faults('actions:\n  a: { run: x, needs: [chek_disk] }\n  check_disk: { run: y }\n'), [
    'web/actions.yaml:2:24: There is no action "chek_disk". Did you mean "check_disk"?',
  ])
  assert.deepEqual(faults('actions:\n  a:\n    steps:\n      - { name: S, steps: [nothing-like-it] }\n'), [
    'web/actions.yaml:4:28: There is no action "nothing-like-it".',
  ])
})

test('names are shown on one line, in the order in which they are written', () => {
  const oneLine = 'must be one line, without control characters and marks of direction.'
  const text = `actions:
  "a\\u202e": { run: x }
  b: { name: "two\\nlines", run: x }
  c:
    steps:
      - { name: "S\\u2028", steps: [b] }
      - { wait: "W\\u0007" }
      - { input: "I\\u2066", arguments: [{ name: "n\\n", label: "l\\n" }] }
      - { action: b, name: "B\\u0085" }
`
  assert.deepEqual(faults(text), [
    'web/actions.yaml:2:3: The name of an action must be one line without "/", control characters and marks of direction.',
    `web/actions.yaml:3:14: "name" ${oneLine}`,
    `web/actions.yaml:6:17: "name" ${oneLine}`,
    `web/actions.yaml:7:17: "wait" ${oneLine}`,
    `web/actions.yaml:8:18: "input" ${oneLine}`,
    `web/actions.yaml:8:49: "name" ${oneLine}`,
    `web/actions.yaml:8:63: "label" ${oneLine}`,
    `web/actions.yaml:9:28: "name" ${oneLine}`,
  ])
})

test('names of actions are one without regard to case', () => {
  assert.deepEqual(faults('actions:\n  Deploy: { run: x }\n  deploy: { run: y }\n'), [
    'web/actions.yaml:3:3: There is an action "Deploy" already; names differ by more than upper and lower case.',
  ])
  assert.equal(
    stepTree(read('actions:\n  Deploy: { steps: [START] }\n  start: { run: y }\n'), 'deploy')?.children[0]?.action,
    'start',
  )
})

test('circles of steps and of prerequisites are refused and shown', () => {
  assert.deepEqual(faults('actions:\n  a: { steps: [b] }\n  b: { steps: [{ name: S, steps: [a] }] }\n'), [
    'web/actions.yaml:3:35: This goes round in a circle: a → b → a.',
  ])
  assert.deepEqual(faults('actions:\n  a: { run: x, needs: [a] }\n'), [
    'web/actions.yaml:2:24: This goes round in a circle: a → a.',
  ])
  assert.match(
    faults('actions:\n  a: { run: x, needs: [b] }\n  b: { steps: [c] }\n  c: { run: y }\n')[0]!,
    /"b" has steps/,
  )
})

test('waits and inputs say what is wrong with them', () => {
  const [first, ...others] = faults(`actions:
  a:
    steps:
      - { wait: W, seconds: 5, approvers: { user_names: [ann] } }
      - { wait: W, until: tomorrow }
      - { wait: W, approvers: {} }
      - { input: I }
      - { input: I, arguments: [{ name: n, type: integer, default_value: x }] }
      - { input: I, arguments: [{ name: n, valid_values: [a], default_value: b, path: release }] }
      - { steps: [] }
      - 5
`)
  assert.match(first!, /^web\/actions\.yaml:4:9: A wait with approvers/)
  assert.deepEqual(
    others.map(fault => fault.split(':').slice(1, 3).map(Number)),
    [
      [5, 27],
      [6, 31],
      [7, 9],
      [8, 74],
      [9, 78],
      [9, 87],
      [10, 9],
      [11, 9],
    ],
  )
})

test('the default of a date is a day that there is, as what is given for it has to be', () => {
  const asks = (day: string) =>
    `actions:\n  a: { steps: [{ input: I, arguments: [{ name: n, type: date, default_value: "${day}" }] }] }\n`
  assert.match(faults(asks('2026-02-30'))[0]!, /This is no date\./)
  assert.equal(read(asks('2028-02-29')).actions.length, 1)
})

test('a sensitive argument is a string, because it is kept as a secret', () => {
  const asks = (type: string) =>
    `actions:\n  a: { steps: [{ input: I, arguments: [{ name: n, type: ${type}, sensitive: true }] }] }\n`
  assert.match(faults(asks('integer'))[0]!, /A sensitive argument is of type string/)
  const states = (what: string) =>
    `actions:\n  a: { steps: [{ input: I, arguments: [{ name: n, sensitive: true, ${what} }] }] }\n`
  const tooShort = /A sensitive value has at least 4 characters: shorter ones cannot be masked in logs\./
  assert.match(faults(states('default_value: abc'))[0]!, tooShort)
  assert.match(faults(states('valid_values: [abcd, abc]'))[0]!, tooShort)
  assert.equal(read(asks('string')).actions.length, 1)
})

test('a wait until a time that no database knows is refused', () => {
  const until = (time: string) => `actions:\n  a: { steps: [{ wait: W, until: '${time}' }] }\n`
  for (const never of ['0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-21T02:00:00+23:00'])
    assert.match(faults(until(never))[0]!, /"until" is a time with its zone/)
  assert.equal(read(until('2026-11-21T02:00+01:00')).actions.length, 1)
})

test('what is no actions file says so', () => {
  assert.deepEqual(faults(''), [
    'web/actions.yaml:1:1: The file must have the key "actions:" with the actions below it.',
  ])
  assert.deepEqual(faults('action:\n  a: { run: x }\n'), [
    'web/actions.yaml:1:1: Unknown key "action"; did you mean "actions"?',
    'web/actions.yaml:1:1: The file has no "actions:".',
  ])
  assert.deepEqual(faults('actions:\n  a:\n  b: {}\n'), [
    'web/actions.yaml:2:5: The action "a" must hold keys such as "run" or "steps".',
    'web/actions.yaml:3:3: The action "b" has nothing to do: give it "run" or "steps".',
  ])
  assert.match(faults('actions:\n  a: { run: "x }\n')[0]!, /^web\/actions\.yaml:\d+:\d+: /)
  assert.match(faults('actions:\n  a/b: { run: x }\n')[0]!, /^web\/actions\.yaml:2:3: .*without "\/"/)
})

test('a short file that comes to millions of steps is refused, and a broad one of ten thousand is not', () => {
  const levels = Array.from({ length: 20 }, (_, i) => `  a${i}: { steps: [a${i + 1}, a${i + 1}, a${i + 1}] }`)
  assert.match(
    faults(`actions:\n${levels.join('\n')}\n  a20: { run: x }\n`)[0]!,
    /^web\/actions\.yaml:2:3: "a0" comes to more/,
  )
  const broad = read(
    `actions:\n  all: { run_as: parallel, steps: [${Array(10_000).fill('x').join(', ')}] }\n  x: { run: y }\n`,
  )
  const tree = stepTree(broad, 'all')!
  assert.equal(tree.children.length, 10_000)
  assert.equal(tree.children[9_999]?.full_path, 'all/x-10000')
})

test('prerequisites that need one another many times over are counted once', () => {
  const layer = (i: number) =>
    `  a${i}: { needs: [a${i + 1}, b${i + 1}] }\n  b${i}: { needs: [a${i + 1}, b${i + 1}] }\n`
  const layers = Array.from({ length: 80 }, (_, i) => layer(i)).join('')
  const catalogue = read(`actions:\n${layers}  a80: { run: "true" }\n  b80: { run: "true" }\n`)
  assert.equal(stepTree(catalogue, 'a0')?.definition?.bodies.length, 2)
})

test('a script is stored with each step, so a long one that is used very often is refused', () => {
  const often = Array.from({ length: 10_000 }, () => 'long').join(', ')
  const [fault] = faults(`actions:\n  all: { steps: [${often}] }\n  long: { run: "${'x'.repeat(10_000)}" }\n`)
  assert.match(fault!, /^web\/actions.yaml:2:3: The scripts of all steps of "all" come to more than 64 MiB\.$/)
})

test('many actions that each come to many steps are refused together', () => {
  const many = Array.from({ length: 1_000 }, () => 'one').join(', ')
  const actions = Array.from({ length: 250 }, (_, i) => `  a${i}: { steps: [big] }\n`).join('')
  const told = faults(`actions:\n  one: { run: "true" }\n  big: { steps: [${many}] }\n${actions}`)
  assert.deepEqual(
    told.map(each => each.replace(/^.*?: /, '')),
    ['Up to here all actions together come to more than 200000 steps.'],
  )
})

test('of very many siblings of one name each is numbered as fast as the first', () => {
  const catalogue = read(
    `actions:\n  all: { steps: [${Array.from({ length: 19_000 }, () => 'one').join(', ')}] }\n  one: { run: "true" }\n`,
  )
  const began = process.cpuUsage()
  assert.equal(stepTree(catalogue, 'all')?.children.at(-1)?.full_path, 'all/one-19000')
  assert.ok(process.cpuUsage(began).user < 3_000_000)
})

test('an action becomes a tree: prerequisites within the step, steps beneath it', () => {
  const tree = stepTree(read(whole), 'DEPLOY')!
  const outline = (step: StepDefinition): unknown[] => [step.step_type, step.full_path, ...step.children.map(outline)]
  assert.deepEqual(outline(tree), [
    'standard',
    'deploy',
    ['standard', 'deploy/stop'],
    [
      'stage',
      'deploy/Install everywhere',
      ['standard', 'deploy/Install everywhere/install_app'],
      ['standard', 'deploy/Install everywhere/install_db'],
    ],
    ['wait', 'deploy/Check the dashboard'],
    ['wait', 'deploy/Let caches settle'],
    ['input', 'deploy/Choose a colour'],
    ['standard', 'deploy/start'],
  ])
  assert.deepEqual(
    tree.definition?.bodies.map(({ action }) => action),
    ['check_disk', 'deploy'],
  )
  assert.equal(tree.definition?.timeout_seconds, 900)
  assert.equal(tree.children[1]?.child_execution_strategy, 'parallel')
  assert.deepEqual(tree.children[3]?.wait, { seconds: 30 })
  assert.deepEqual(tree.children[2]?.requires_approval_from, [
    { user_names: [], ldap_groups: ['release-managers'], required_approvals: 1 },
  ])
  assert.equal(stepTree(read(whole), 'nothing'), undefined)
})

test('a prerequisite of several prerequisites runs once, before all of them', () => {
  const tree = stepTree(
    read(
      'actions:\n  a: { run: a, needs: [b, c] }\n  b: { run: b, needs: [d] }\n  c: { run: c, needs: [d] }\n  d: { run: d }\n',
    ),
    'a',
  )!
  assert.deepEqual(
    tree.definition?.bodies.map(({ action }) => action),
    ['d', 'b', 'c', 'a'],
  )
})

test('a slash in a name becomes an underscore, and siblings of one name are numbered', () => {
  const tree = stepTree(
    read(`actions:
  all: { steps: [{ name: a/b, steps: [x] }, x, X, { name: x-1, steps: [x] }] }
  x: { run: y }
`),
    'all',
  )!
  assert.deepEqual(
    tree.children.map(({ full_path }) => full_path),
    ['all/a_b', 'all/x-2', 'all/x-3', 'all/x-1'],
  )
})

test('people are shown the actions that have a description', () => {
  const shown = actionObjects(read(whole)) as {
    action: string
    children?: { action: string; children?: object[] }[]
  }[]
  assert.deepEqual(
    shown.map(({ action }) => action),
    ['deploy', 'start'],
  )
  assert.deepEqual(shown[1], {
    action: 'start',
    step_name: 'start',
    full_path: 'start',
    description: 'Start it',
    pre_reqs: [],
    stage_step: false,
    ignore_failure: false,
  })
  assert.deepEqual(
    shown[0]?.children?.map(({ action }) => action),
    ['stop', '', '', '', '', 'start'],
  )
  assert.deepEqual(shown[0]?.children?.[1], {
    action: '',
    step_name: 'Install everywhere',
    full_path: 'deploy/Install everywhere',
    description: '',
    pre_reqs: [],
    stage_step: true,
    ignore_failure: false,
    children: shown[0]?.children?.[1]?.children,
    child_execution_strategy: 'parallel',
  })
})

test('a stage step is one with children and no body of its own, whatever has to run before it', () => {
  const shown = actionObjects(
    read(`actions:
  check: { run: "true" }
  group: { description: x, needs: [check], steps: [check] }
  working: { description: x, run: "true", steps: [check] }
  bare: { description: x, needs: [check], run: "true" }
  waiting: { description: x, steps: [{ wait: go on, steps: [check] }, { wait: alone }] }
`),
  ) as unknown as { action: string; stage_step: boolean; children?: { stage_step: boolean }[] }[]
  assert.deepEqual(
    shown.map(({ action, stage_step }) => [action, stage_step]),
    [
      ['group', true],
      ['working', false],
      ['bare', false],
      ['waiting', true],
    ],
  )
  assert.deepEqual(
    shown.at(-1)?.children?.map(each => each.stage_step),
    [true, false],
  )
})

test('the actions of the example are taken as they are', async () => {
  const file = join(import.meta.dirname, '../../examples/webshop/web/actions.yaml')
  const answer = readActionsFile('web/actions.yaml', await readFile(file))
  assert.ok('actions' in answer, JSON.stringify(answer))
  assert.equal(stepTree(answer, 'release')?.children[1]?.step_name, 'Prepare the release')
})

test('what is wrong with a name is said without what no text of the database holds', () => {
  assert.match(faults('actions:\n  x: { run: echo, "a\\0b": 1 }\n').join('\n'), /Unknown key "a\u2400b"/)
})
