import { type IncomingMessage, request } from 'node:http'

/** A received message, with its time in milliseconds of this process. */
export interface Came {
  readonly kind: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: records of every type
  readonly data: any
  readonly at: number
}

/** One connection to a stream of server-sent events, read like a browser's EventSource, at a controlled speed. */
export interface Dial {
  /** Status; 0 without a server. */
  readonly status: number
  /** Body of a refusal. */
  readonly text: string
  isOver(): boolean
  /** Stops reading until it is resumed. */
  stall(): void
  goOn(): void
  hangUp(): void
}

export interface Ask {
  readonly address: string
  readonly path: string
  readonly authorization: string
  readonly lastEventId: string | undefined
}

/** Callbacks of a connection. */
export interface Hearing {
  /** Called for each complete message. */
  readonly take: (came: Came) => void
  /** Called with the position at which the stream resumes: of a message, or by itself. */
  readonly note: (id: string) => void
  readonly over: () => void
}

export function dial(ask: Ask, hearing: Hearing): Promise<Dial> {
  const { authorization, lastEventId } = ask
  return new Promise(resolve => {
    const asking = request(`${ask.address}${ask.path}`, {
      agent: false,
      headers: {
        accept: 'text/event-stream',
        authorization,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    })
    // After the response has begun, a failure of the connection is reported as its end.
    asking.on('error', () => resolve(nobody))
    asking.on('response', answer => {
      if (answer.statusCode === 200) resolve(followed(answer, () => asking.destroy(), hearing))
      else void refusal(answer).then(resolve)
    })
    asking.end()
  })
}

const done = { isOver: () => true, stall: () => {}, goOn: () => {}, hangUp: () => {} }
const nobody: Dial = { ...done, status: 0, text: '' }

async function refusal(answer: IncomingMessage): Promise<Dial> {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part
  return { ...done, status: answer.statusCode!, text }
}

function followed(answer: IncomingMessage, end: () => void, { take, note, over }: Hearing): Dial {
  let [text, isOver] = ['', false]
  answer.setEncoding('utf8').on('data', (part: string) => {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      if (isOver) return
      const { id, event: kind, data } = fieldsOf(block)
      if (kind !== undefined && data !== undefined) take({ kind, id, data: JSON.parse(data), at: performance.now() })
      if (id !== undefined) note(id)
    }
  })
  const close = () => {
    if (isOver) return
    isOver = true
    over()
  }
  answer.on('error', close).on('close', close)
  return {
    status: 200,
    text: '',
    isOver: () => isOver,
    stall: () => void answer.pause(),
    goOn: () => void answer.resume(),
    hangUp: () => {
      close()
      end()
    },
  }
}

const fieldsOf = (block: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
