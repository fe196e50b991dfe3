import { mkdtemp, readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { ask, type ServiceAccess } from './service.ts'

export interface GitCloneOptions {
  /** A folder that is created, or is empty. Default: a temporary one. */
  readonly into?: string
}

export interface GitClone {
  /** Folder with its files. */
  readonly folder: string
  /** The commit of the files. */
  readonly commit: string
}

interface Clones {
  readonly stepId: string
  readonly service: ServiceAccess
  /** Unpacks an archive into a folder. */
  readonly unpack: (archive: Readable, folder: string) => Promise<void>
}

/** The files of a remote's revision, from the service's own copy of it: the step holds no credentials and needs no git. */
export async function gitClone(
  { stepId, service, unpack }: Clones,
  wanted: { readonly remote: string; readonly revision: string; readonly options: GitCloneOptions },
  how: { readonly signal: AbortSignal; readonly warn: (line: string) => void },
): Promise<GitClone> {
  const { remote, revision, options } = wanted
  const folder = resolve(options.into ?? join(await mkdtemp(join(tmpdir(), 'git-')), 'files'))
  if (!(await isFree(folder))) throw new Error(`gitClone("${remote}"): the folder ${folder} is not empty.`)
  const query = { git_remote_name: remote, git_rev: revision }
  const unpacked = async (answer: IncomingMessage) => {
    await unpack(answer, folder)
    return answer.headers
  }
  const headers = await ask(service, `/api/steps/${stepId}/git_clone`, { query }, unpacked, how.signal)
  const why = headers['sluice-not-fetched']
  if (why !== undefined)
    how.warn(
      `${remote} could not be fetched (${decodeURIComponent(String(why))}): ${revision} is taken as it was known.`,
    )
  return { folder, commit: String(headers['sluice-commit']) }
}

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}
