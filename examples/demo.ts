import { resolve } from 'node:path'
import { followChange } from '../cli/follow-change.ts'
import { type Change, connect, type Resource, type Sluice } from '../client/sluice.ts'
import { loadOrganisation, webIn } from './demo/organisation.ts'
import { demoRepository } from './demo/repository.ts'

/**
 * The example organisation, loaded and worked with through the API as any client would. `bin/start --demo` runs it;
 * by hand, against a service whose SLUICE_GIT_PROTOCOLS lists `file`:
 *
 *   SLUICE_URL=http://127.0.0.1:7890 SLUICE_USER=admin SLUICE_PASSWORD=… node examples/demo.ts
 *
 * SLUICE_DEMO_FOLDER is where the example's Git repository goes (default `data/demo`); the service has to be able to
 * read it.
 */

const url = process.env['SLUICE_URL'] ?? 'http://127.0.0.1:7890'
const user = process.env['SLUICE_USER'] ?? 'admin'
const password = process.env['SLUICE_PASSWORD']
if (password === undefined) {
  console.error('The demo needs SLUICE_PASSWORD, the password of a superuser (SLUICE_USER, default admin).')
  process.exit(2)
}

const say = (line = '') => console.log(line)
const asset = webIn('development')

try {
  await demo(connect(url, { user, password }))
} catch (error) {
  console.error(`The demo stops here: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function demo(sluice: Sluice): Promise<void> {
  heading('A repository and an organisation')
  const folder = resolve(process.env['SLUICE_DEMO_FOLDER'] ?? 'data/demo', 'webshop')
  await loadOrganisation(sluice, demoRepository(resolve(import.meta.dirname, 'webshop'), folder), line =>
    say(`  ${line}`),
  )

  heading('A change: release the shop in development')
  const released = await run(sluice, 'release', 'success')
  await lookAtTheShop(sluice)

  heading('A change that fails: what comes after the failure is aborted')
  const broken = await run(sluice, 'break', 'error')

  heading('A change: stop the shop')
  await run(sluice, 'stop', 'success')

  heading('Who did what: the audit trail of the change that failed')
  await showEvents(sluice, broken.id)

  heading('What to try next')
  for (const line of nextSteps(released.id)) say(line)
}

function heading(text: string): void {
  say(`\n${text}\n${'-'.repeat(text.length)}`)
}

/** Runs an action, shows it, and says so when it ends otherwise than it should. */
async function run(sluice: Sluice, action: string, expected: string): Promise<Resource<Change>> {
  const { id } = await sluice.create<Change>(`${asset}/changes`, { action })
  const change = await followChange(sluice, id, { steps: true, logs: true, out: process.stdout })
  const { status_code: status, error_message: reason } = change.attributes
  if (status !== expected)
    throw new Error(
      `The change ${action} should end in ${expected} and ended in ${status}${reason ? `: ${reason}` : ''}`,
    )
  say(`  The change ended: ${status}.`)
  return change
}

interface Converged {
  data: { release: { number: number }; running: { replicas: { url: string }[] } }
}

/** The steps wrote down what they did; the asset's properties now tell where the shop is. */
async function lookAtTheShop(sluice: Sluice): Promise<void> {
  const { attributes } = await sluice.show<Converged>(`${asset}/converged_properties`)
  const { release, running } = attributes.data
  const [first] = running.replicas
  if (!first) throw new Error('The property running.replicas should name a server')
  const page = await (await fetch(first.url)).text()
  const [, greeting] = /<p>(.*)<\/p>/.exec(page) ?? []
  say(`  The asset's properties say: release ${release.number}, on ${first.url}`)
  say(`  It answers: ${greeting}`)
}

async function showEvents(sluice: Sluice, changeId: string): Promise<void> {
  const events = await sluice.list<{ type: string; username: string; created_at: string }>('/api/events', {
    'filter[for_change]': changeId,
    limit: 100,
  })
  for (const { attributes } of events)
    say(`  ${attributes.created_at}  ${attributes.type.padEnd(24)} ${attributes.username}`)
}

/** Commands for a shell in the project's folder; the first asks for the password. */
function nextSteps(changeId: string): string[] {
  const command = (...words: string[]) => ['  bin/sluice', ...words].join(' ')
  const node = (environment: string) => webIn(environment).replace(/^\/api/, '')
  return [
    `Open ${url} in a browser and sign in as ${user}. On the command line:`,
    'Sign in; the password is asked for and kept nowhere:',
    command('login', url, '--user', user),
    'All changes that failed, and why:',
    command('changes list --filter status_code_eq=error --columns action,node_path,error_message'),
    'The log of the release:',
    command('changes logs', changeId),
    'Every property of the web server in production, and where each comes from:',
    command('api GET', `${node('production')}/converged_properties`),
    'Release it in staging, too, and watch:',
    command('changes create', node('staging'), 'release --show-steps --show-logs'),
    'What happened last:',
    command('events'),
    `All that the API offers: ${url}/api-docs`,
  ]
}
