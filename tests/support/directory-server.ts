import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'ldapts'
import { until } from '../../client/sluice.ts'
import { debianProgram } from './debian-packages.ts'
import { freePort } from './free-port.ts'

/** A real directory: slapd of Debian with a folder of its own, on two free ports of this machine. */
export interface TestDirectory {
  /** Settings ldap.* for it, with or without TLS. */
  settings(tls: 'none' | 'starttls' | 'ldaps'): Record<string, unknown>
  /** Certificate (PEM) that its clients must trust. */
  readonly authority: string
  add(dn: string, attributes: Record<string, string | string[]>): Promise<void>
  /** Adds a person with the password `the password of <name>`. */
  addPerson(name: string, more?: Record<string, string | string[]>): Promise<void>
  /** Adds a person under a given name, with this `cn`. */
  addPersonAs(dn: string, name: string, more: { cn: string }): Promise<void>
  addGroup(name: string, members: readonly string[]): Promise<void>
  remove(dn: string): Promise<void>
  /** Suspends its responses, and resumes them. */
  stop(): Promise<void>
  start(): Promise<void>
  tidy(): Promise<void>
}

export const base = 'dc=example'
export const personDn = (name: string): string => `uid=${name},ou=people,${base}`
export const groupDn = (name: string): string => `cn=${name.replaceAll(',', '\\,')},ou=groups,${base}`
export const directoryPassword = (name: string): string => `the password of ${name}`
const reader = { dn: `cn=reader,${base}`, password: 'the word of the reader' }

const schemas = ['core', 'cosine', 'inetorgperson', 'nis']
const run = promisify(execFile)

export async function startTestDirectory(): Promise<TestDirectory> {
  const slapd = await debianProgram({
    path: '/usr/sbin/slapd',
    packages: ['slapd'],
    preset: 'slapd slapd/no_configuration boolean true',
  })
  const openssl = await debianProgram({ path: '/usr/bin/openssl', packages: ['openssl'] })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-directory-'))
  await mkdir(join(folder, 'data'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await run(openssl, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...names])
  const conf = join(folder, 'slapd.conf')
  await writeFile(conf, configuration(folder, key, certificate))
  const [port, tlsPort] = [await freePort(), await freePort()]
  const asReader = () => new Client({ url: `ldap://127.0.0.1:${port}`, strictDN: false })
  const work = async <T>(ask: (client: Client) => Promise<T>): Promise<T> => {
    const client = asReader()
    try {
      await client.bind(reader.dn, reader.password)
      return await ask(client)
    } finally {
      await client.unbind()
    }
  }

  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(slapd, ['-d', '0', '-f', conf, '-h', `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`], {
      stdio: 'ignore',
    })
    const answers = () => work(async () => true).catch(() => server?.exitCode ?? false)
    const there = await until('slapd answers', answers, each => each !== false, { seconds: 30, pause: 10 })
    if (there !== true) throw new Error(`slapd ended with ${there}; \`${slapd} -d 1 -f ${conf}\` says why`)
  }
  const stop = async () => {
    const ended = new Promise(resolve => server?.once('exit', resolve))
    if (server?.exitCode === null) {
      server.kill('SIGTERM')
      await ended
    }
  }
  await start()
  const add: TestDirectory['add'] = (dn, attributes) => work(client => client.add(dn, attributes))
  await add(base, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
  for (const ou of ['people', 'groups', 'empty'])
    await add(`ou=${ou},${base}`, { objectClass: 'organizationalUnit', ou })

  return {
    settings: tls => ({
      'ldap.host': 'localhost',
      'ldap.port': tls === 'ldaps' ? tlsPort : port,
      'ldap.tls': tls,
      'ldap.base_dn': base,
      'ldap.user_base': 'ou=people',
      'ldap.group_base': 'ou=groups',
      'ldap.bind_dn': reader.dn,
      'ldap.password': reader.password,
      'ldap.search_timeout': 5,
    }),
    authority: await readFile(certificate, 'utf8'),
    add,
    addPerson: (name, more = {}) => add(personDn(name), { ...personOf(name), ...more }),
    addPersonAs: (dn, name, { cn }) => add(dn, { ...personOf(name), cn }),
    addGroup: (name, members) => add(groupDn(name), { objectClass: 'groupOfNames', cn: name, member: [...members] }),
    remove: dn => work(client => client.del(dn)),
    stop,
    start,
    tidy: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const personOf = (name: string): Record<string, string> => ({
  objectClass: 'inetOrgPerson',
  uid: name,
  cn: name,
  sn: name,
  mail: `${name}@example.org`,
  userPassword: directoryPassword(name),
})

const configuration = (folder: string, key: string, certificate: string) => `
${schemas.map(name => `include /etc/ldap/schema/${name}.schema`).join('\n')}
pidfile ${folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${certificate}
TLSCertificateKeyFile ${key}
database mdb
suffix "${base}"
rootdn "${reader.dn}"
rootpw "${reader.password}"
directory ${folder}/data
dbnosync
access to attrs=userPassword by anonymous auth by * none
access to * by * none
`
