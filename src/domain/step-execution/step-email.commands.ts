import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { type AnyCommand, answered, command, type ExternalOutcome } from '#platform/commands/command.ts'
import { Failure, failure } from '#platform/failure.ts'
import {
  addressForm,
  addressPattern,
  domainOf,
  type Mailer,
  MailFailure,
  type MailToSend,
  readAddress,
} from '../mail/index.ts'
import { type EmailEvents, type EventParts, emailEvents } from './email-events.tx.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { findRequestingStep, needsOfOwn, type RequestingStep } from './requesting-step.store.ts'

type EmailParts = Pick<StepExecutionParts, 'mailer'> & EventParts

interface Asked {
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly bcc?: readonly string[]
  readonly reply_to?: readonly string[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
  readonly attachments?: readonly { readonly name: string; readonly content: string }[]
}

const mostRecipients = 100
const mebibyte = 1024 * 1024
const mostAttached = 5 * mebibyte

const address = Type.String({ pattern: addressPattern, shouldBe: addressForm, maxLength: 320 })
const addresses = (description: string, least: number) =>
  Type.Array(address, { minItems: least, maxItems: mostRecipients, description })
const text = (description: string) => Type.Optional(Type.String({ maxLength: mebibyte, description }))
const subject = Type.String({
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f\\u0085\\u2028\\u2029]*$',
  shouldBe: 'one line of 1 to 500 characters, without line breaks and control characters',
  maxLength: 500,
})
const attachment = Type.Object(
  {
    name: Type.String({
      pattern: '^[^/\\\\\\u0000-\\u001f\\u007f\\u0085\\u2028\\u2029]+$',
      shouldBe: 'the name of a file, of 1 to 255 characters, without a folder',
      maxLength: 255,
    }),
    content: Type.String({ description: 'Its bytes, in base64.' }),
  },
  { additionalProperties: false },
)

/** `step.sendEmail(…)` of @sluice/actions. */
export const stepEmail = (parts: EmailParts): AnyCommand =>
  command<Asked, RequestingStep>({
    name: 'steps.email',
    summary: 'Sends an email for the step through the installation’s mail server, once per Idempotency-Key.',
    method: 'POST',
    paths: ['/api/steps/:id/email'],
    status: 200,
    // info:email:sent or error:email:send_failed, if the setting log_email_events is on.
    event: null,
    eventBody: [],
    bodyLimit: 12 * mebibyte,
    attributes: Type.Object(
      {
        to: addresses('Recipients.', 1),
        cc: Type.Optional(addresses('Recipients of a copy.', 0)),
        bcc: Type.Optional(addresses('Recipients of a blind copy.', 0)),
        reply_to: Type.Optional(addresses('Reply-to address.', 0)),
        subject,
        text: text('Body as text; give this, `html`, or both.'),
        html: text('The body as HTML.'),
        attachments: Type.Optional(
          Type.Array(attachment, { maxItems: 20, description: 'Files of at most 5 MiB in total.' }),
        ),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      data: Type.Object({
        type: Type.Literal('email'),
        id: Type.String({ description: 'Its Message-ID.' }),
        attributes: Type.Object({
          message_id: Type.String(),
          accepted: Type.Array(Type.String()),
          rejected: Type.Array(Type.String()),
        }),
      }),
    }),
    find: ({ tx }, { params }) => findRequestingStep(tx, params['id']!),
    needs: (step, _, actor) => {
      // A mail in the name of the installation contains only what an action's author wrote, never a text typed by a
      // person.
      if (actor.stepId !== step.id)
        throw failure('forbidden', 'A mail is sent by the step itself, with its own token, while it runs.')
      return needsOfOwn(step, actor)
    },
    run: async ({ tx, actor }, step, { attributes }) => {
      const mailer = readyMailer(parts.mailer)
      const attachments = checked(attributes)
      const messageId = `<${step.id}.${randomBytes(8).toString('hex')}@${domainOf(mailer.from)}>`
      const { to, cc, bcc, reply_to, subject, text, html } = attributes
      const mail: MailToSend = {
        ...{ messageId, subject, text, html, attachments },
        to: addressesIn(to),
        cc: addressesIn(cc),
        bcc: addressesIn(bcc),
        replyTo: addressesIn(reply_to),
      }
      const events = await emailEvents(parts, { tx, actor }, step, { mail, from: mailer.from })
      return { outcome: 'outside', meanwhile: stillOpen(messageId), work: () => sent(mailer, mail, events) }
    },
  })

function readyMailer(mailer: Mailer | undefined): Mailer {
  if (!mailer)
    throw failure(
      'wrong-state',
      'This installation has no mail server: the service is to be started with SLUICE_SMTP_URL and SLUICE_MAIL_FROM.',
    )
  if (mailer.busy)
    throw new Failure(
      [{ code: 'unavailable', detail: 'As many mails are under way as this process sends at once: ask again.' }],
      { 'retry-after': '1' },
    )
  return mailer
}

/** Checks a mail beyond its schema. Returns the attachments as bytes. */
function checked({ to, cc = [], bcc = [], text, html, attachments = [] }: Asked) {
  const at = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } })
  const recipients = to.length + cc.length + bcc.length
  if (recipients > mostRecipients)
    throw failure('invalid', `to, cc and bcc have ${recipients} addresses; at most ${mostRecipients} may.`, at('to'))
  if (text === undefined && html === undefined)
    throw failure('required', 'text or html, or both, should say what is in the mail.', at('text'))
  const files = attachments.map(({ name, content }) => ({ name, content: Buffer.from(content, 'base64') }))
  for (const [i, { name, content }] of files.entries())
    if (content.length !== bytesIn(attachments[i]!.content))
      throw failure('invalid', `The content of ${name} should be base64, with = at its end.`, at('attachments'))
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  if (bytes > mostAttached)
    throw failure('invalid', `The attachments have ${bytes} bytes; at most ${mostAttached} may.`, at('attachments'))
  return files
}

/**
 * Number of bytes that a base64 text represents. Invalid characters are skipped when it is decoded, so that there may
 * be fewer; encoding it again takes longer.
 */
const bytesIn = (base64: string): number => (base64.length / 4) * 3 - (/=*$/.exec(base64.slice(-2))?.[0].length ?? 0)

const addressesIn = (given: readonly string[] = []) => given.map(each => readAddress(each)!)

async function sent(mailer: Mailer, mail: MailToSend, events: EmailEvents): Promise<ExternalOutcome> {
  const { messageId } = mail
  try {
    const { accepted, rejected } = await mailer.send(mail)
    const attributes = { message_id: messageId, accepted, rejected }
    return { answer: answered({ data: { type: 'email', id: messageId, attributes } }), events: events.sent() }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const outcome = error.mayBeSent ? 'Whether the mail was sent is not known' : 'The mail was not sent'
    const answer = failure('wrong-state', `${outcome}. ${error.message}`)
    return { answer, events: await events.failed(error) }
  }
}

/** Failure for a repeated request while the first one is in progress, and forever if the service died during it. */
const stillOpen = (messageId: string) =>
  new Failure(
    [
      {
        code: 'unavailable',
        detail: `The mail ${messageId} is being sent, or the service was stopped over it: then it may have been sent, and it is not sent again.`,
      },
    ],
    { 'retry-after': '1' },
  )
