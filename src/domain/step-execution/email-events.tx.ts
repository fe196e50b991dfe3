import type { Actor } from '#platform/actor.ts'
import { isPassing } from '#platform/db/connection-errors.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { NewEvent } from '#platform/events.ts'
import { Failure } from '#platform/failure.ts'
import { findChange } from '../changes/index.ts'
import type { MailAddress, MailFailure, MailToSend } from '../mail/index.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import { hidden } from './mask-texts.tx.ts'
import type { MaskTexts, StepExecutionParts } from './parts.port.ts'
import type { RequestingStep } from './requesting-step.store.ts'

export type EventParts = Pick<StepExecutionParts, 'maskTexts' | 'settings'>

/** Events of a mail for the audit trail, if mails are recorded. */
export interface EmailEvents {
  sent(): readonly NewEvent[]
  failed(why: MailFailure): Promise<readonly NewEvent[]>
}

const noEvents: EmailEvents = { sent: () => [], failed: async () => [] }

/**
 * Masks recipients and subject of a mail for its events, as the log of the step would show them (ADR 76). This happens
 * before it is sent: if mails are recorded, no mail is sent whose event cannot be masked.
 */
export async function emailEvents(
  { settings, maskTexts }: EventParts,
  { tx, actor }: { readonly tx: Tx; readonly actor: Actor },
  step: RequestingStep,
  { mail, from }: { readonly mail: MailToSend; readonly from: MailAddress },
): Promise<EmailEvents> {
  const { data } = await settings.global(tx)
  if (data['log_email_events'] !== true) return noEvents
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc].map(({ address }) => address)
  const shown = await maskTexts(tx, step.id, [mail.subject, ...recipients])
  const change = (await findChange(tx, step.change_id))!
  const node = (await findNodeById(tx, change.node_id))!
  const event = (type: string, more: Readonly<Record<string, string>>): NewEvent => ({
    type,
    actor: { userId: actor.userId, username: actor.username },
    source: { type: 'step', id: step.id },
    node: eventNode(node),
    activityId: step.change_id,
    attributes: {
      sender: from.address,
      recipients: shown.slice(1),
      subject: shown[0],
      message_id: mail.messageId,
      ...more,
    },
  })
  return {
    sent: () => [event('info:email:sent', {})],
    failed: async why => [event('error:email:send_failed', { error: await shownReason(maskTexts, step.id, why) })],
  }
}

/** A server that refuses a mail may quote from it, for example a link that it considers spam. */
async function shownReason(maskTexts: MaskTexts, stepId: string, { message, briefly }: MailFailure): Promise<string> {
  if (message === briefly) return briefly
  try {
    const [shown = hidden] = await maskTexts(inNoTransaction, stepId, [message])
    return shown === hidden ? briefly : shown
  } catch (error) {
    // The runner cannot mask it now; the step itself gets the whole text.
    if (error instanceof Failure || isPassing(error)) return briefly
    throw error
  }
}

const inNoTransaction: Pick<Queries, 'external'> = { external: (_, ask) => ask() }
