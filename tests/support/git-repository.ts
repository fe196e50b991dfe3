import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** A file's content, a link, a program, or a submodule at a commit. */
export type TestFile = string | { link: string } | { program: string } | { submodule: string }

export interface TestRepository {
  /** Path of the bare repository. */
  readonly folder: string
  /** `file://…`. */
  readonly url: string
  /**
   * Commits exactly these files on a branch (default main), on top of its commits, or with `rewrite` instead of them,
   * like a force-push. Returns the commit's id.
   */
  commit(files: Record<string, TestFile>, options?: { branch?: string; rewrite?: boolean; message?: string }): string
  /** Runs any git command in it; returns its output. */
  git(...args: string[]): string
  /** Runs any git command with input. */
  feed(input: string, ...args: string[]): string
  remove(): Promise<void>
}

/** A bare repository with one commit on `main`, created by three runs of git. */
export async function testRepository(
  files: Record<string, TestFile> = { 'README.md': 'hello\n' },
): Promise<TestRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-repository-'))
  // Other readers of a test (git as another user) must be able to enter.
  await chmod(folder, 0o755)
  const git = (...args: string[]) => run(['-C', folder, ...args])
  run(['init', '--quiet', '--bare', '--initial-branch=main', '--', folder])
  const repository: TestRepository = {
    folder,
    url: `file://${folder}`,
    git,
    feed: (input, ...args) => run(['-C', folder, ...args], input),
    commit: (tree, { branch = 'main', rewrite = false, message = 'a commit' } = {}) => {
      const known = run(['-C', folder, 'for-each-ref', '--format=%(refname)', `refs/heads/${branch}`]) !== ''
      const from = known && !rewrite ? `from refs/heads/${branch}^0\n` : ''
      const parts = [
        `commit refs/heads/${branch}\nmark :1\ncommitter Someone <someone@example.test> ${++seconds} +0000\n`,
        `${data(message)}${from}deleteall\n`,
        ...Object.entries(tree).map(([path, file]) =>
          typeof file === 'object' && 'submodule' in file
            ? `M 160000 ${file.submodule} ${quoted(path)}\n`
            : `M ${modeOf(file)} inline ${quoted(path)}\n${data(textOf(file))}`,
        ),
        'get-mark :1\n',
      ]
      return run(['-C', folder, 'fast-import', '--quiet', '--force'], parts.join(''))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  repository.commit(files)
  return repository
}

/** Adds this number of packs to a repository, as many fetches would. */
export function manyPacks(folder: string, count: number): void {
  const blobs = Array.from({ length: count }, (_, i) => `blob\n${data(`${folder} ${i}`)}checkpoint\n`)
  run(['-C', folder, '-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], blobs.join(''))
}

export interface GitServer {
  /** URL of the repository, over http. */
  readonly url: string
  /** Holds the next responses until `release` is called. */
  hold(): void
  release(): void
  /** Resolves when a request is being held. */
  held(): Promise<void>
  /** Number of requests for its refs: one in each fetch. */
  fetches(): number
  stop(): Promise<void>
}

/**
 * Serves a repository by `git http-backend`, with `signIn` only with the password; `/moved.git` redirects to it, and
 * `/renamed.git` after authentication.
 */
export async function gitServer(
  repository: TestRepository,
  signIn?: { user: string; password: string },
): Promise<GitServer> {
  const wanted = signIn && `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}`
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  let arrival = Promise.withResolvers<void>()
  let fetches = 0
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/moved.git/')) {
      response.writeHead(301, { location: request.url.replace('/moved.git/', '/repository.git/') }).end()
      return
    }
    if (wanted && request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    if (request.url?.startsWith('/renamed.git/')) {
      response.writeHead(301, { location: request.url.replace('/renamed.git/', '/repository.git/') }).end()
      return
    }
    if (request.url?.includes('/info/refs')) fetches += 1
    arrival.resolve()
    await gate.promise
    backend(repository.folder, request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`,
    hold: () => {
      gate = Promise.withResolvers()
      arrival = Promise.withResolvers()
    },
    release: () => gate.resolve(),
    held: () => arrival.promise,
    fetches: () => fetches,
    stop: async () => {
      gate.resolve()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Serves a repository by `git daemon`, one for each connection. */
export async function gitDaemon(repository: TestRepository): Promise<{ url: string; stop(): Promise<void> }> {
  const args = ['daemon', '--inetd', '--export-all', `--base-path=${dirname(repository.folder)}`, repository.folder]
  const sockets = new Set<Socket>()
  const server = createSocketServer(socket => {
    sockets.add(socket)
    const child = spawn('git', args, { env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
    // A client that has its data disconnects.
    for (const stream of [socket, child.stdin]) stream.on('error', () => child.kill())
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
    socket.on('close', () => child.kill())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `git://127.0.0.1:${(server.address() as AddressInfo).port}/${basename(repository.folder)}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

let seconds = 1_700_000_000

type Content = Exclude<TestFile, { submodule: string }>
const modeOf = (file: Content): string => (typeof file === 'string' ? '100644' : 'link' in file ? '120000' : '100755')
const textOf = (file: Content): string => (typeof file === 'string' ? file : 'link' in file ? file.link : file.program)
/** C-style quoting, as git writes unusual paths. */
const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

function run(args: string[], input?: string): string {
  const ended = spawnSync('git', args, { env: environment, encoding: 'utf8', ...(input !== undefined && { input }) })
  if (ended.status !== 0) throw new Error(`git ${args.join(' ')}: ${ended.stderr}`)
  return ended.stdout.trim()
}

/** CGI, as far as git's backend needs it. */
function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname.replace('/repository.git', ''),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head = Buffer.alloc(0)
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    child.stdout.off('data', onHead)
    const headers = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map(line => line.split(': ') as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1].slice(0, 3)
    response.writeHead(Number(status ?? 200), Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
    child.stdout.pipe(response)
  }
  child.stdout.on('data', onHead)
  response.on('close', () => child.kill())
}
