import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { LauncherReply, Order, ProgramEnd, ToLaunch } from './launcher-protocol.ts'

/**
 * The program that starts others for the service, whose memory is too large to do so itself (docs/adr/0071). It ends
 * with the service; programs that it started survive.
 */
const service = process.ppid

process.on('message', ({ number, what }: Order) => {
  const { output } = what
  const reply = output === undefined ? ran(what).then(end => ({ end })) : started(what, output).then(pid => ({ pid }))
  reply.then(
    answer => sendReply({ number, ...answer }),
    (error: Error) => sendReply({ number, failed: error.message }),
  )
})
process.once('disconnect', () => process.exit())
// These signals are meant for the service, which may need this process until its own end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function sendReply(reply: LauncherReply): void {
  // A service that has ended gets no message.
  if (process.connected) process.send!(reply, () => {})
}

/**
 * Starts a program in its own session, which neither a terminal's Ctrl-C nor the end of the service reaches. Returns
 * its pid.
 */
async function started(what: ToLaunch, output: string): Promise<number> {
  const file = openSync(output, 'a', 0o600)
  try {
    const child = begin(what, [file, file])
    await once(child, 'spawn')
    child.unref()
    return child.pid!
  } finally {
    closeSync(file)
  }
}

async function ran(what: ToLaunch): Promise<ProgramEnd> {
  const child = begin(what, ['pipe', 'pipe'])
  const said: Buffer[] = []
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', bytes => said.push(bytes))
  const [code] = await once(child, 'close')
  return { code, output: Buffer.concat(said).toString('utf8').trim() }
}

function begin({ program, args, cwd, env, as, input }: ToLaunch, outputs: [number, number] | ['pipe', 'pipe']) {
  // The service's successor decides again, and must find everything that was started.
  if (process.ppid !== service) process.exit()
  const child: ChildProcess = spawn(program, args, {
    ...as,
    cwd,
    env,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', ...outputs],
  })
  // A program that ends before it has read all of its input reports that by its exit status.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  return child
}
