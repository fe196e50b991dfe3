import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { json } from 'node:stream/consumers'
import { ask, type ServiceAccess } from './service.ts'

/** `ann@example.org`, `Ann Example <ann@example.org>`, or a list of these. */
export type EmailAddresses = string | readonly string[]

export interface Email {
  readonly to: EmailAddresses
  readonly cc?: EmailAddresses
  /** Addresses that the other recipients do not see. */
  readonly bcc?: EmailAddresses
  readonly replyTo?: EmailAddresses
  /** One line. */
  readonly subject: string
  /** Text body; this, `html` or both are required. */
  readonly text?: string
  readonly html?: string
  /** Files, such as of the step's folder; 5 MiB together at most. */
  readonly attachments?: readonly (string | EmailAttachment)[]
}

export interface EmailAttachment {
  readonly file: string
  /** File name in the mail; the file's own name by default. */
  readonly name?: string
}

/** Response of the mail server: a rejected recipient is no failure as long as another one is accepted. */
export interface SentEmail {
  readonly messageId: string
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

interface Sender {
  readonly stepId: string
  readonly service: ServiceAccess
}

/** Maximum size of all attachments in bytes: the service refuses more, so more is not even read. */
const mostAttached = 5 * 1024 * 1024

/** Sends a mail through the service, which alone knows the mail server: the step has no password for it. */
export async function sendEmail({ stepId, service }: Sender, mail: Email, signal: AbortSignal): Promise<SentEmail> {
  const wrong = wrongIn(mail)
  if (wrong.length > 0) throw new TypeError(`sendEmail: ${wrong.join('; ')}.`)
  const { to, cc, bcc, replyTo, subject, text, html, attachments = [] } = mail
  const given = { to: listed(to), cc: listed(cc), bcc: listed(bcc), reply_to: listed(replyTo), subject, text, html }
  const attributes = { ...given, attachments: await contentsOf(attachments) }
  const asked = { body: { data: { attributes } }, once: randomUUID() }
  const { data } = (await ask(service, `/api/steps/${stepId}/email`, asked, json, signal)) as {
    data: { attributes: SentAttributes }
  }
  const { message_id: messageId, accepted, rejected } = data.attributes
  return { messageId, accepted, rejected }
}

interface SentAttributes {
  readonly message_id: string
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

const listed = (given: EmailAddresses | undefined) => (typeof given === 'string' ? [given] : given)

const isText = (value: unknown) => typeof value === 'string'
const isAddresses = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))
const addresses = [isAddresses, 'an address such as "ann@example.org", or a list of them'] as const
const text = [isText, 'a text'] as const

/** Valid form of each part of a mail. The service checks the content of addresses and texts. */
const parts: Readonly<Record<string, readonly [is: (value: unknown) => boolean, form: string]>> = {
  to: addresses,
  cc: addresses,
  bcc: addresses,
  replyTo: addresses,
  subject: text,
  text,
  html: text,
  attachments: [
    value => Array.isArray(value) && value.every(each => isText(each) || isText((each as EmailAttachment)?.file)),
    'a list of files, such as ["report.txt", { file: "out/1.txt", name: "first.txt" }]',
  ],
}

function wrongIn(mail: unknown): string[] {
  if (typeof mail !== 'object' || mail === null || Array.isArray(mail))
    return ['a mail is an object, such as { to: "ann@example.org", subject: "Done", text: "It is installed" }']
  const given = mail as Record<string, unknown>
  const unknown = Object.keys(given).filter(name => !Object.hasOwn(parts, name))
  const wrong = Object.entries(parts).filter(([name, [is]]) => given[name] !== undefined && !is(given[name]))
  return [
    ...unknown.map(name => `a mail has no ${name}; it has ${Object.keys(parts).join(', ')}`),
    ...wrong.map(([name, [, form]]) => `${name} should be ${form}`),
    ...['to', 'subject'].filter(name => given[name] === undefined).map(name => `${name} is missing`),
    ...(given['text'] === undefined && given['html'] === undefined ? ['text or html, or both, should be there'] : []),
  ]
}

async function contentsOf(attachments: readonly (string | EmailAttachment)[]) {
  const files = attachments.map(each => (typeof each === 'string' ? { file: each } : each))
  const sizes = await Promise.all(files.map(({ file }) => sizeOf(file)))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes > mostAttached)
    throw new Error(`sendEmail: the attachments have ${bytes} bytes together; at most ${mostAttached} may be sent.`)
  return Promise.all(
    files.map(async ({ file, name = basename(file) }) => ({ name, content: await readFile(file, 'base64') })),
  )
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`sendEmail: the attachment "${file}" cannot be read (${error.code}).`)
  })
  if (!found.isFile()) throw new Error(`sendEmail: the attachment "${file}" is no file.`)
  return found.size
}
