import { type IncomingMessage, request } from 'node:http'

/** A message as it came, and when: milliseconds of this process. */
export interface Came {
  readonly kind: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: records of every type
  readonly data: any
  readonly at: number
}

/** One connection to a stream of server-sent events, read as a browser's EventSource reads it, and as slowly as it is told. */
export interface Dial {
  /** 0: nobody was there. */
  readonly status: number
  /** Of what was refused. */
  readonly text: string
  isOver(): boolean
  /** Reads nothing more until it goes on. */
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

/** What a connection tells. */
export interface Hearing {
  /** Each message, once it is whole. */
  readonly take: (came: Came) => void
  /** Where the stream goes on: with a message, or by itself. */
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
    // After the answer has begun, what is wrong with the connection is told as its end.
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
