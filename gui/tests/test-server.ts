import { created, readyVersion } from '../../tests/support/changes.ts'
import { loseRunners } from '../../tests/support/lose-runners.ts'
import { runAgents } from '../../tests/support/running-agents.ts'
import { startTestService, type TestService } from '../../tests/support/service.ts'
import type { Command, Report } from './server-messages.ts'

/**
 * Program that runs a whole service with an example project for the tests in the browser. Its parent tells it by
 * messages to start again or to stop; the first message that it sends is its address.
 *
 * Users: `admin` (superuser), `ann` (operates project bank), `bob` (reads it and approves), `carol` (reads nothing),
 * `otto` (reads the jobs of the administration), `nina` (reads all of the administration).
 */

/** Actions of the template `web`: success, parallel steps, failure, waits, approval by `approver`, input, long output. */
const actionsFor = (approver: string) => `actions:
  rollout:
    description: Roll the release out
    steps:
      - check
      - name: Prepare
        run_as: parallel
        steps: [back-up, fetch, warm-up]
      - wait: Go live
        approvers: { user_names: [${approver}], required_approvals: 1 }
        steps: [restart]
      - verify
  deploy:
    description: Deploy without asking
    steps:
      - check
      - name: Prepare
        run_as: parallel
        steps: [back-up, fetch, warm-up]
      - restart
      - verify
  broken:
    description: Fail in the third step
    steps: [check, fetch, fail, verify]
  choose:
    description: Ask which release
    steps:
      - input: Which release?
        arguments:
          - { name: version, type: integer, path: /release }
          - { name: where, valid_values: [here, there], default_value: here }
        steps: [restart]
  pause-for:
    description: Wait for a check by hand
    steps: [check, { wait: Look at the dashboard }, restart]
  talkative:
    description: Fail behind steps with many lines
    steps:
      - many-lines
      - name: Both
        run_as: parallel
        steps: [check, { name: Fetch again, steps: [fetch] }]
      - print-some
      - fail
      - verify
  many-lines: { run: seq -f "many %.0f" 3000 }
  print-some: { description: Print some lines, run: 'for i in $(seq 1 40); do echo "tick $i"; done' }
  chatty: { description: Print many lines, run: 'for i in $(seq 1 5000); do echo "line $i of 5000"; done' }
  drip-twice:
    description: Print lines in two steps at once until it is cancelled
    steps: [{ name: Both, run_as: parallel, steps: [drip-left, drip-right] }]
  drip-left: { run: 'i=0; while :; do i=$((i + 1)); echo "left $i"; sleep 0.1; done' }
  drip-right: { run: 'i=0; while :; do i=$((i + 1)); echo "right $i"; sleep 0.1; done' }
  drip: { description: Print a line every 100 ms, run: 'for i in $(seq 1 6000); do echo "drop $i"; sleep 0.1; done' }
  wide:
    description: Print long lines, and fail
    run: |
      long=$(printf 'x%.0s' $(seq 1 900))
      for i in $(seq 1 130); do echo "drop $i $long"; sleep 0.05; done
      echo "oops $long" >&2
      exit 3
  colours:
    description: Print ANSI colours
    run: printf '\\033[31mred\\033[0m and \\033[1;32mbold green\\033[0m\\n'
  layout:
    description: Print an empty line and a coloured one
    run: printf 'first\\n\\n\\033[31mred\\033[0m line\\nlast\\n'
  keep-report: { description: Keep a report, run: 'echo fine > "$SLUICE_ARTEFACTS/report.txt"' }
  check: { description: Check the machine, run: echo "all disks have room" }
  back-up: { description: Back up the database, run: echo "backed up 14 tables" }
  fetch: { description: Fetch the release, run: echo "fetched release 12" }
  warm-up: { description: Warm the caches, run: echo "warmed 3 caches" }
  restart: { description: Restart the servers, run: echo "restarted web-01 to web-04" }
  verify: { description: Verify the release, run: echo "48 of 48 checks passed" }
  linger:
    description: Run until its runner is lost
    env: { LINGER: "{{ linger }}" }
    run: |
      echo "attempt $SLUICE_ATTEMPT"
      test "$LINGER" = no || test "$SLUICE_ATTEMPT" != 1 || sleep 600
      test "$LINGER" = no
  fail:
    description: Fail on purpose
    run: |
      echo "latency p99 is 812 ms, more than 500 ms" >&2
      exit 3
`

/** Template `cluster`, whose model has an action for each host. */
const cluster = {
  'cluster/actions.yaml': 'actions: { drain: { description: Take all traffic away, run: echo drained } }\n',
  'cluster/defaults.yaml': 'hosts: [north, south]\n',
  'cluster/model.json.erb': `{
  "actions": {
    <% for (const [at, host] of properties.hosts.entries()) { %><%- at > 0 ? ',' : '' %>
    "restart_<%= host %>": { "description": "Restart <%= host %>", "run": "echo restarting <%= host %>" }<% } %>
  },
  "size": <%= properties.hosts.length %>
}
`,
}

const service = await startTestService({
  spares: 2,
  users: {
    carol: [],
    otto: [{ path: '/admin/jobs', read: true }],
    nina: [{ path: '/admin', read: true }],
  },
})
await makeBank(service)

process.on('message', (command: Command) => {
  void carryOut(command).then(() => {
    report({ done: command })
    if (command === 'stop') process.disconnect()
  })
})
report({ address: service.address })

async function carryOut(command: Command): Promise<void> {
  if (command === 'kill') await service.halt({ keepRunners: true })
  else if (command === 'start') await service.startAgain()
  else if (command === 'run agents') await runAgents(service)
  else if (command === 'lose runners') await loseRunners(service.database)
  else if (command === 'stop') await service.stop()
  else await makeBank(service, `-${command.slice('make '.length)}`)
}

function report(news: Report): void {
  process.send!(news)
}

/**
 * Project `bank` with the environments `live` and `test`, the assets `front` and `back` in each, and its users `ann` and
 * `bob`; the suffix is part of its code and of their names.
 */
async function makeBank({ as, repository, addUser }: TestService, suffix = ''): Promise<void> {
  const admin = as('admin')
  const path = `/projects/bank${suffix}`
  await addUser(`ann${suffix}`, [{ path, read: true, update: true, execute: true, delete: true }])
  await addUser(`bob${suffix}`, [{ path, read: true }])
  const files = {
    'web/actions.yaml': actionsFor(`bob${suffix}`),
    'web/defaults.yaml': 'web: { port: 8080, workers: 2 }\nrelease: { version: 11 }\n',
    // Actions of projects and environments are those of the repository's own folder.
    'actions.yaml': 'actions: { announce: { description: Announce the release, run: echo "release 12 is out" } }\n',
    ...cluster,
  }
  const { url, git, commit } = await repository(files)
  // A branch that is one commit ahead.
  git('branch', 'next', 'main')
  const ahead = { ...files, 'web/defaults.yaml': files['web/defaults.yaml'].replace('8080', '9090') }
  commit(ahead, { branch: 'next', message: 'Listen on port 9090' })
  await created(admin.post('/api/projects', { code: `bank${suffix}`, name: 'Bank' }))
  await created(admin.post(`/api${path}/git_remotes`, { name: 'code', url }))
  const template = { code: 'web', name: 'Web server', template_type: 'asset', git_remote_name: 'code' }
  await created(admin.post(`/api${path}/templates`, template))
  await readyVersion(admin, `/api${path}/templates/web/versions/1.0`, 'main')
  for (const [code, name] of [
    ['live', 'Live'],
    ['test', 'Test'],
  ] as const) {
    await created(admin.post(`/api${path}/environments`, { code, name }))
    for (const [asset, title] of [
      ['front', 'Front'],
      ['back', 'Back'],
    ] as const) {
      const attributes = { code: asset, name: title, template_code: 'web', template_version: '1.0' }
      await created(admin.post(`/api${path}/environments/${code}/assets`, attributes))
    }
  }
}
