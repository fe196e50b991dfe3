import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedBinaries } from '../../src/platform/db/embedded/binaries.ts'
import { clusterExists, makeCluster } from '../../src/platform/db/embedded/cluster.ts'
import { prepareDataFolder } from '../../src/platform/db/embedded/data-folder.ts'
import { waitForFolder } from '../../src/platform/db/embedded/folder-hold.ts'
import { storePasswords } from '../../src/platform/db/embedded/passwords.ts'
import { ensureSystemUsers, type SystemUsers } from '../../src/platform/db/embedded/system-users.ts'

const projectFolder = join(import.meta.dirname, '../..')

/**
 * Copies an initialized cluster into a data folder that has none yet, as its first start would create it. `initdb`
 * takes seconds, and few tests are about it.
 */
export async function copyMadeCluster(dataDir: string): Promise<void> {
  const users = await ensureSystemUsers()
  const from = await madeOnce(users)
  const to = await prepareDataFolder(dataDir, users, () => {})
  const hold = await waitForFolder(to, 'copying a cluster')
  try {
    if (clusterExists(join(to, 'postgres'))) return
    const aside = join(to, 'postgres.copy')
    rmSync(aside, { recursive: true, force: true })
    copy(join(from, 'database-passwords.json'), to)
    copy(join(from, 'postgres'), aside)
    renameSync(aside, join(to, 'postgres'))
  } finally {
    await hold.release()
  }
}

/** Created once for these packages and options; concurrent tests wait. */
async function madeOnce(users: SystemUsers | undefined): Promise<string> {
  mkdirSync(join(projectFolder, '.local'), { recursive: true })
  const folder = await prepareDataFolder(join(projectFolder, `.local/made-cluster-${fingerprint()}`), users, () => {})
  const cluster = join(folder, 'postgres')
  const hold = await waitForFolder(folder, 'making the cluster')
  try {
    if (clusterExists(cluster)) return folder
    const binaries = await embeddedBinaries(users?.database, () => {})
    await makeCluster(cluster, binaries, users?.database, storePasswords(folder, false).postgres)
    return folder
  } finally {
    await hold.release()
  }
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'src/platform/db/embedded/cluster.ts'])
    hash.update(readFileSync(join(projectFolder, file)))
  return hash.digest('hex').slice(0, 12)
}

/** Copies a file with its owner and its mode. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${from} could not be copied to ${to}: ${stderr}`)
}
