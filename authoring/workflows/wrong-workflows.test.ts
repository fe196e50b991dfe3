import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementOn } from '../../tests/support/workflow-agreement.ts'
import { parseWorkflow } from './read-workflow.ts'

/** Wrong workflows, each with its faults as `line:column pointer message`. */
const wrong: readonly (readonly [what: string, source: string, errors: readonly string[]])[] = [
  ['nothing', '', ['1:1  A workflow has the key "steps:" with its steps below it.']],
  ['a list at the top', '- target: assets/web\n', ['1:1  A workflow has the key "steps:" with its steps below it.']],
  [
    'no steps',
    'name: x\n',
    ['1:1 /name Unknown key "name"; known: steps', '1:1  A workflow has the key "steps:" with its steps below it.'],
  ],
  [
    'a misspelt top key',
    'stepz:\n  - target: assets/web\n    action: go\n',
    [
      '1:1 /stepz Unknown key "stepz"; did you mean "steps"?',
      '1:1  A workflow has the key "steps:" with its steps below it.',
    ],
  ],
  [
    'two keys at the top',
    'steps:\n  - {target: assets/web, action: go}\nversion: 1\n',
    ['3:1 /version Unknown key "version"; known: steps'],
  ],
  ['steps that are no list', 'steps: go\n', ['1:8 /steps "steps" is a list.']],
  ['no step', 'steps: []\n', ['1:8 /steps "steps" holds at least one step.']],
  ['steps without a value', 'steps:\n', ['1:7 /steps "steps" is a list.']],
  ['a step that is a text', 'steps:\n  - deploy\n', ['2:5 /steps/0 A step holds keys, such as "target" and "action".']],
  ['bad indentation', 'steps:\n  - target: a\n   action: b\n', ['3:1  Sequence item without - indicator']],
  ['a tab', 'steps:\n	- target: a\n', ['2:1  Tabs are not allowed as indentation']],
  ['an open quote', 'steps:\n  - target: "assets/web\n', ['3:1  Missing closing "quote']],
  ['a key twice', 'steps:\n  - target: assets/web\n    action: a\n    action: b\n', ['4:5  Map keys must be unique']],
  [
    'two documents',
    'steps:\n  - {target: assets/web, action: a}\n---\nsteps: []\n',
    ['3:1  A second document begins here; a file holds one.'],
  ],
  [
    'a name that runs from right to left',
    'steps:\n  - {target: assets/web, action: a, name: "x\\u202e"}\n',
    ['2:43 /steps/0/name "name" must be one line, without control characters and marks of direction.'],
  ],
  [
    'a tag',
    'steps:\n  - !run {target: assets/web, action: a}\n',
    ['2:5  Unresolved tag: !run. Leave the tag out, and write the value as text, number, list or map.'],
  ],
  [
    'a merge key that brings no map',
    'steps:\n  - &a {target: assets/web, action: a}\n  - {<<: [*a, text]}\n',
    ['3:15  A merge key ("<<") takes a map, or a list of maps: <<: *name.'],
  ],
  [
    'merge keys that go in circles',
    'steps:\n  - &a {target: assets/web, property_overrides: {x: {<<: *a}}}\n',
    ['2:49 /steps/0/property_overrides By its merge keys this holds itself.'],
  ],
  ['an unknown alias', 'steps:\n  - *nobody\n', ['2:5 /steps/0 There is no anchor "nobody" before this.']],
  ['an alias of itself', 'steps: &s\n  - children: *s\n', ['2:15 /steps/0/children "s" holds itself.']],
  [
    'a bomb of aliases',
    'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nsteps: [*e,*e]\n',
    ['6:9 /steps/0 More than 200000 values.'],
  ],
  [
    'a target alone',
    'steps:\n  - target: assets/web\n',
    [
      '2:5 /steps/0 A step with a "target" is a change with its "action", or a workflow with "type: workflow"; this says neither.',
    ],
  ],
  [
    'a name alone',
    'steps:\n  - name: rest\n',
    [
      '2:5 /steps/0 A step is a change ("target" and "action"), a wait ("type: wait"), a workflow ("type: workflow" and "target") or a stage ("children").',
    ],
  ],
  [
    'keys of two types',
    'steps:\n  - children: []\n    action: go\n',
    [
      '2:5 /steps/0 "action" is of a change and "children" of a stage: "type" has to say which it is.',
      '2:5 /steps/0 A change has a "target", the path of a node, or several "targets".',
    ],
  ],
  [
    'an unknown type',
    'steps:\n  - type: pause\n    seconds: 5\n',
    ['2:11 /steps/0/type "type" is change or wait or workflow or stage.'],
  ],
  [
    'a misspelt key',
    'steps:\n  - target: assets/web\n    action: go\n    ignore_failures: true\n',
    ['4:5 /steps/0/ignore_failures Unknown key "ignore_failures"; did you mean "ignore_failure"?'],
  ],
  [
    'a key of another type',
    'steps:\n  - type: wait\n    action: go\n',
    ['3:5 /steps/0/action A wait cannot have "action"; it has name, seconds, reset_on_retry, requires_approval_from.'],
  ],
  [
    'ignore_failure of a workflow',
    'steps:\n  - type: workflow\n    target: release\n    ignore_failure: true\n',
    [
      '4:5 /steps/0/ignore_failure A workflow cannot have "ignore_failure"; it has target, version, name, start_time, property_overrides, run_as. A stage around it can.',
    ],
  ],
  [
    'a change without an action',
    'steps:\n  - type: change\n    target: assets/web\n',
    ['2:5 /steps/0 A change has an "action".'],
  ],
  [
    'a change without a target',
    'steps:\n  - action: go\n',
    ['2:5 /steps/0 A change has a "target", the path of a node, or several "targets".'],
  ],
  [
    'target and targets',
    'steps:\n  - target: assets/web\n    targets: [assets/db]\n    action: go\n',
    ['3:14 /steps/0/targets "target" or "targets", not both.'],
  ],
  [
    'a target that is no path',
    'steps:\n  - target: web\n    action: go\n',
    [
      '2:13 /steps/0/target A target is the path of a node, such as assets/web, environments/live, /projects/bank/assets/web, or "." for the project; not "web".',
    ],
  ],
  [
    'an agent as target',
    'steps:\n  - target: agents/one\n    action: go\n',
    [
      '2:13 /steps/0/target A target is the path of a node, such as assets/web, environments/live, /projects/bank/assets/web, or "." for the project; not "agents/one".',
    ],
  ],
  ['no targets', 'steps:\n  - targets: []\n    action: go\n', ['2:14 /steps/0/targets "targets" names at least one.']],
  [
    'a target twice',
    'steps:\n  - targets: [assets/web, assets/db, assets/web]\n    action: go\n',
    ['2:38 /steps/0/targets/2 "assets/web" occurs twice in "targets".'],
  ],
  [
    'targets that are no list',
    'steps:\n  - targets: assets/web\n    action: go\n',
    ['2:14 /steps/0/targets "targets" is a list.'],
  ],
  [
    'a number among targets',
    'steps:\n  - targets: [assets/web, 5]\n    action: go\n',
    ['2:27 /steps/0/targets/1 "targets" is a list of texts: put quotes around it.'],
  ],
  [
    'an action with a slash',
    'steps:\n  - target: assets/web\n    action: a/b\n',
    ['3:13 /steps/0/action The name of an action holds no "/".'],
  ],
  ['an empty action', 'steps:\n  - target: assets/web\n    action: ""\n', ['3:13 /steps/0/action "action" is empty.']],
  [
    'a version that is a number',
    'steps:\n  - target: assets/web\n    action: go\n    template_version: 1.10\n',
    ['4:23 /steps/0/template_version "template_version" is a text: put quotes around it.'],
  ],
  [
    'more versions than targets',
    'steps:\n  - targets: [assets/web, assets/db]\n    action: go\n    template_versions: ["1", "2", "3"]\n',
    [
      '4:24 /steps/0/template_versions "template_versions" has one version for all targets or one for each: there are 2 targets and 3 versions.',
    ],
  ],
  [
    'a revision without its remote',
    'steps:\n  - target: environments/live\n    action: go\n    git_rev: main\n',
    ['2:5 /steps/0 "git_remote_name" and "git_rev" go together; "git_remote_name" is missing.'],
  ],
  [
    'a revision that git would evaluate',
    'steps:\n  - target: environments/live\n    action: go\n    git_remote_name: infra\n    git_rev: main~2\n',
    ['5:14 /steps/0/git_rev "main~2" is no name of a branch or tag, nor a commit: expressions are not taken.'],
  ],
  [
    'version and revision',
    'steps:\n  - target: environments/live\n    action: go\n    git_remote_name: infra\n    git_rev: main\n    template_version: "1"\n',
    [
      '6:23 /steps/0/template_version "template_version" is for assets, "git_remote_name" and "git_rev" for projects and environments.',
    ],
  ],
  [
    'overrides that are a text',
    'steps:\n  - target: assets/web\n    action: go\n    property_overrides: fast\n',
    ['4:25 /steps/0/property_overrides "property_overrides" is an object, or of a workflow a list of objects.'],
  ],
  [
    'a list of overrides of a change',
    'steps:\n  - target: assets/web\n    action: go\n    property_overrides: [{a: 1}]\n',
    ['4:25 /steps/0/property_overrides "property_overrides" of a change is one object; a list is for workflows.'],
  ],
  [
    'an unknown way to run',
    'steps:\n  - run_as: both\n    children:\n      - {type: wait}\n',
    ['2:13 /steps/0/run_as "run_as" is sequential or parallel.'],
  ],
  [
    'ignore_failure that is a text',
    'steps:\n  - ignore_failure: sometimes\n    children:\n      - {type: wait}\n',
    ['2:21 /steps/0/ignore_failure "ignore_failure" is true or false.'],
  ],
  [
    'a stage without children',
    'steps:\n  - type: stage\n    name: east\n',
    ['2:5 /steps/0 A stage has "children", its steps.'],
  ],
  [
    'a wait of no time',
    'steps:\n  - type: wait\n    seconds: 0\n',
    ['3:14 /steps/0/seconds "seconds" is a whole number from 1 to 31536000.'],
  ],
  [
    'a wait that approves by itself',
    'steps:\n  - seconds: 5\n    requires_approval_from: {user_names: [ada]}\n',
    ['2:5 /steps/0 A wait with approvers ends when they approve; "seconds" would approve by itself.'],
  ],
  [
    'an approval of nobody',
    'steps:\n  - requires_approval_from: {required_approvals: 1}\n',
    ['2:29 /steps/0/requires_approval_from "requires_approval_from" names at least one of user_names or ldap_groups.'],
  ],
  [
    'a person twice',
    'steps:\n  - requires_approval_from: {user_names: [ada, Ada], required_approvals: 2}\n',
    ['2:48 /steps/0/requires_approval_from/user_names/1 "Ada" occurs twice in "user_names".'],
  ],
  [
    'more approvals than people',
    'steps:\n  - requires_approval_from:\n      user_names: [ada, bob]\n      required_approvals: 3\n',
    ['4:27 /steps/0/requires_approval_from/required_approvals 3 approvals are asked of 2 people.'],
  ],
  [
    'a misspelt approver',
    'steps:\n  - requires_approval_from:\n      usernames: [ada]\n',
    [
      '3:7 /steps/0/requires_approval_from/usernames Unknown key "usernames"; did you mean "user_names"?',
      '3:7 /steps/0/requires_approval_from "requires_approval_from" names at least one of user_names or ldap_groups.',
    ],
  ],
  [
    'a workflow without a target',
    'steps:\n  - type: workflow\n    version: 2\n',
    ['2:5 /steps/0 A workflow has a "target", the code of the workflow that it runs.'],
  ],
  [
    'a path as target of a workflow',
    'steps:\n  - type: workflow\n    target: workflows/release\n',
    ['3:13 /steps/0/target The target of a workflow is the code of one, such as release; not "workflows/release".'],
  ],
  [
    'a version that is no number',
    'steps:\n  - type: workflow\n    target: release\n    version: latest\n',
    ['4:14 /steps/0/version "version" is a whole number from 1 to 2147483647.'],
  ],
  [
    'no overrides in a list',
    'steps:\n  - type: workflow\n    target: release\n    property_overrides: []\n',
    ['4:25 /steps/0/property_overrides "property_overrides" as a list holds at least one object.'],
  ],
  [
    'a time without a zone',
    'steps:\n  - target: assets/web\n    action: go\n    start_time: 2026-11-21T02:00:00\n',
    [
      '4:17 /steps/0/start_time "start_time" is a time with its zone, such as 2026-11-21T02:00:00Z, or a time of day, such as 02:00 or 02:00 Europe/Vienna (UTC without a zone).',
    ],
  ],
  [
    'a zone that there is not',
    'steps:\n  - target: assets/web\n    action: go\n    start_time: 02:00 Europe/Wien\n',
    ['4:17 /steps/0/start_time There is no time zone "Europe/Wien".'],
  ],
  [
    'a placeholder that does not end',
    'steps:\n  - target: assets/web\n    action: "{{release.action"\n',
    ['3:13 /steps/0/action A placeholder begins with "{{" and ends with "}}", such as {{release.version}}.'],
  ],
  [
    'a placeholder of nothing',
    'steps:\n  - target: assets/web\n    action: go\n    property_overrides: {a: ["{{ }}"]}\n',
    ['4:30 /steps/0/property_overrides/a/0 A placeholder names a property, such as {{release.version}}.'],
  ],
  ['a name that is empty', 'steps:\n  - type: wait\n    name: " "\n', ['3:11 /steps/0/name "name" is empty.']],
  [
    'a name that is too long',
    'steps:\n  - type: wait\n    name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n',
    ['3:11 /steps/0/name "name" has more than 255 characters.'],
  ],
  [
    'U+0000',
    'steps:\n  - type: wait\n    name: "a\\0b"\n',
    ['3:11 /steps/0/name U+0000 has no place in a text.', '3:11 /steps/0/name "name" is a text.'],
  ],
  [
    'a number that loses digits',
    'steps:\n  - target: assets/web\n    action: go\n    property_overrides: {id: 9007199254740993}\n',
    ['4:30 /steps/0/property_overrides/id A whole number beyond 2^53 loses digits: write it as a string.'],
  ],
  [
    'several things at once',
    'steps:\n  - target: web\n    acton: go\n  - type: wait\n    seconds: soon\n  - children:\n      - target: assets/web\n        action: 5\n',
    [
      '2:5 /steps/0 A step with a "target" is a change with its "action", or a workflow with "type: workflow"; this says neither.',
      '3:5 /steps/0/acton Unknown key "acton"; did you mean "action"?',
      '5:14 /steps/1/seconds "seconds" is a whole number from 1 to 31536000.',
      '8:17 /steps/2/children/0/action "action" is a text: put quotes around it.',
    ],
  ],
]

const errorsOf = (source: string): string[] => {
  const parsed = parseWorkflow(source)
  assert.ok('errors' in parsed)
  return parsed.errors.map(({ line, column, pointer, message }) => `${line}:${column} ${pointer} ${message}`)
}

for (const [what, source, errors] of wrong)
  test(`a workflow with ${what} is refused, each fault at its place`, () => {
    assert.deepEqual(errorsOf(source), errors)
  })

test('the schema refuses each wrong workflow as well, but for what it cannot express', () => {
  const outcomes = wrong.map(([, source]) => agreementOn(source))
  assert.ok(!outcomes.includes('both accept'))
  assert.ok(outcomes.filter(each => each === 'both refuse').length > outcomes.length / 2)
})

test('stages are nested sixteen levels deep and no deeper', () => {
  const nested = (levels: number) =>
    `steps:\n${Array.from({ length: levels }, (_, i) => `${' '.repeat(2 + i * 4)}- children:\n`).join('')}${' '.repeat(2 + levels * 4)}- type: wait\n`
  assert.ok('steps' in parseWorkflow(nested(16)))
  const [error, ...others] = errorsOf(nested(17))
  assert.match(error!, /^19:71 .*\/children Stages are nested deeper than 16 levels\.$/)
  assert.deepEqual(others, [])
})

test('a workflow has ten thousand steps and a MiB at most', () => {
  const steps = (count: number) => `steps:\n${'- {type: wait}\n'.repeat(count)}`
  assert.ok('steps' in parseWorkflow(steps(10_000)))
  assert.deepEqual(errorsOf(steps(10_001)), [
    '1:1  The steps come to more than 10000, each target and each run of a workflow counted.',
  ])
  assert.deepEqual(errorsOf('#'.repeat(1_048_577)), ['1:1  A workflow has at most 1048576 bytes.'])
})

test('of very many faults the first thousand are told, and how many there are besides', () => {
  const errors = errorsOf(`steps:\n${'- {type: wait, seconds: 0}\n'.repeat(1_200)}`)
  assert.equal(errors.length, 1_001)
  assert.match(errors.at(-1)!, /And 200 more\.$/)
})

test('nesting without an end is one fault', () => {
  for (const source of ['['.repeat(200_000), '{a: '.repeat(20_000)]) {
    const [error, ...others] = errorsOf(source)
    assert.match(error!, /Nested deeper than 64 levels\.$/)
    assert.deepEqual(others, [])
  }
})
