import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianProgram } from './debian-packages.ts'

const run = promisify(execFile)

/** A key and a self-signed certificate of localhost. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const openssl = await debianProgram({ path: '/usr/bin/openssl', packages: ['openssl'] })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await run(openssl, ['req', '-x509', ...kind, '-nodes', '-keyout', key, '-out', cert, ...names])
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await rm(folder, { recursive: true })
  return made
}
